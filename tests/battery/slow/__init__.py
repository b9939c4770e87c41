"""Sweeps that take minutes: skipped, visibly, unless HUNKDECK_SLOW is set (`python -m tests.battery.report --slow`)."""

from __future__ import annotations

import os

import pytest

SLOW = pytest.mark.skipif(not os.environ.get("HUNKDECK_SLOW"), reason="slow; set HUNKDECK_SLOW=1")
