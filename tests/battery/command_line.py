"""`hunkdeck`, with the rule switched off that the report asks for: the tests start it as a process of its own."""

from __future__ import annotations

import os
import resource
import sys

import hunkdeck
from tests.battery.command import MEMORY
from tests.battery.rules import switch_off_as_asked

if __name__ == "__main__":
    switch_off_as_asked()
    if memory := int(os.environ.get(MEMORY, "0")):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.exit(hunkdeck.main())
