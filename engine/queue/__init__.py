"""Proposals that wait for a person: where they come from, what was decided about them, where the verdicts go.

`desk` is what a screen works on; `directory` the place where agents put proposals; `decisions` the journal that makes
every decision survive.
"""
