"""What agents send, made into a `Proposal`: one registry, one module per format. Nothing here looks at a workspace.

The format is found by content alone. A tool call's envelope (`envelope.py`) is taken off first. Then, in this order,
the first that fits:

    JSON object          "changes"                                                   hunkdeck
                         "edits" with old_string or a description, "invocations"     multi_edit
                         "patches", "old_text"                                       apply_patch_json
                         "oldText", "multi", "edits", "patch"                        pi
                         "command" of replace, insert (with new_content) or delete   edit_lines
                         "file_path", another "command" with "path", path + content  claude
                         "command", "input", "patchText" with *** Begin Patch        codex
                         "diff" with <<<<<<< SEARCH blocks, else "diff"              search_replace, unified_diff
                         "pattern" with "rewrite"                                    rewrite
    JSON list            of changes, of line edits, of words                         apply_patch_json, edit_lines, codex
    text, by the         *** Begin Patch                                             codex
    marker that          <<<<<<< SEARCH or ------- SEARCH                            search_replace
    comes first          ---/+++, diff --git or @@                                   unified_diff

Text that begins with a bracket is JSON, and is reported as broken JSON if it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module

from engine.errors import UnreadableProposal
from engine.formats.envelope import Envelope, unwrap
from engine.formats.limits import DEFAULT_LIMITS, Limits
from engine.formats.payload import Format, Payload, decode, is_json, make_payload
from engine.model import Proposal

__all__ = ["FORMATS", "Format", "Limits", "parse", "tool_definition"]


class _Registry(Mapping[str, Format]):
    """Name → format, in the order of detection; each module is loaded when it is first looked at."""

    _NAMES = (
        "hunkdeck",
        "multi_edit",
        "apply_patch_json",
        "pi",
        "edit_lines",
        "claude",
        "codex",
        "unified_diff",
        "search_replace",
        "rewrite",
    )

    def __getitem__(self, name: str) -> Format:
        if name not in self._NAMES:
            raise KeyError(name)
        found = import_module(f"{__name__}.{name}").FORMAT
        assert isinstance(found, Format)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._NAMES)

    def __len__(self) -> int:
        return len(self._NAMES)


FORMATS: Mapping[str, Format] = _Registry()
_TEXT_FORMATS = ("codex", "unified_diff", "search_replace")


def parse(data: bytes, *, format: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Proposal:
    """The proposal in `data`. Raises UnreadableProposal for everything else."""
    if format is not None:
        _known(format)
    text = decode(data, limits, format)
    payload = Payload(text, None, limits) if _is_plain(text, format) else make_payload(text, limits, format or "json")
    envelope = unwrap(payload, format)
    chosen = FORMATS[format] if format else _detect(envelope)
    if envelope.payload.data is None and chosen.name not in _TEXT_FORMATS:
        raise UnreadableProposal("expected a JSON object", format=chosen.name, where="line 1")
    proposal = chosen.parse(envelope.payload)
    if not proposal.hunks:
        raise UnreadableProposal("nothing is proposed: the list is empty", format=chosen.name)
    if len(proposal.hunks) > limits.max_hunks:
        message = f"{len(proposal.hunks)} hunks; at most {limits.max_hunks} are read"
        raise UnreadableProposal(message, format=chosen.name)
    return _addressed(proposal, envelope)


def tool_definition(format: str) -> dict[str, object]:
    """What an agent needs to be offered a format: name, description and JSON Schema."""
    return _known(format).tool.definition()


def _known(format: str) -> Format:
    if format not in FORMATS:
        raise UnreadableProposal(f"unknown format {format!r}; the formats are {', '.join(FORMATS)}")
    return FORMATS[format]


def _is_plain(text: str, format: str | None) -> bool:
    """A text format that was asked for by name may begin with a bracket: a reply may begin with one."""
    return format in _TEXT_FORMATS and not (is_json(text) and text.rstrip().endswith(("}", "]")))


def _detect(envelope: Envelope) -> Format:
    payload = envelope.payload
    for candidate in FORMATS.values():
        if candidate.detect(payload):
            return candidate
    raise UnreadableProposal(_nothing_fits(envelope))


def _nothing_fits(envelope: Envelope) -> str:
    payload = envelope.payload
    if envelope.tool is not None:
        seen = f"the input of the tool {envelope.tool[:60]!r} is no edit that is known"
    elif payload.object:
        keys = ", ".join(key[:30] for key in list(payload.object)[:8])
        seen = f"no format has an object with the fields {keys}"
    elif payload.data is not None:
        seen = "an empty object or list, or a list of something else than edits"
    elif not payload.text.strip():
        seen = "the proposal is empty"
    else:
        seen = "the text has no *** Begin Patch, no SEARCH block and no diff header"
    return f"{seen}; the formats are {', '.join(FORMATS)}: `hunkdeck schema FORMAT` describes each"


def _addressed(proposal: Proposal, envelope: Envelope) -> Proposal:
    """The proposal, with what only its envelope knows."""
    agent = replace(proposal.agent, session=envelope.session or proposal.agent.session)
    return replace(proposal, agent=agent, call_id=envelope.call_id or proposal.call_id)
