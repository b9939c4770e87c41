"""Tables of fields: one source for what a JSON format accepts and for the JSON Schema that describes it.

A `Reader` checks a value against a table and hands back a `Record`, whose getters are typed. Every complaint names its
JSON path (`edits[3].old_string`). A list or an object may come as a string of JSON, as some models send it. `null` is
the same as leaving an optional field out. Unknown fields are ignored, and noted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from engine.errors import UnreadableProposal
from engine.formats import strict_json
from engine.formats.limits import Limits
from engine.formats.strict_json import child

_MAX_IGNORED_LISTED = 20
_MAX_INTEGER = 1_000_000_000


class Kind(Enum):
    STRING = "string"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    ARRAY = "array"
    OBJECT = "object"


_NAMES = {
    Kind.STRING: "a string",
    Kind.INTEGER: "an integer",
    Kind.BOOLEAN: "true or false",
    Kind.ARRAY: "a list",
    Kind.OBJECT: "an object",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a JSON object: what the parser checks and the schema says."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    aliases: tuple[str, ...] = ()
    """Other spellings that agents use for the same thing."""
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    default: bool | None = None
    not_empty: bool = False
    tables: tuple[tuple[Field, ...], ...] = ()
    """What the object, or each item of the list, may look like."""


Table = tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """An object whose fields have been checked."""

    values: Mapping[str, object]
    at: str

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def text(self, name: str) -> str:
        value = self.values.get(name, "")
        return value if isinstance(value, str) else ""

    def optional_text(self, name: str) -> str | None:
        value = self.values.get(name)
        return value if isinstance(value, str) else None

    def integer(self, name: str) -> int | None:
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def flag(self, name: str, *, default: bool = False) -> bool:
        return bool(self.values.get(name, default))

    def items(self, name: str) -> list[tuple[object, str]]:
        """The items of a list, each with its JSON path."""
        value = self.values.get(name)
        below = child(self.at, name)
        return [(item, child(below, index)) for index, item in enumerate(value)] if isinstance(value, list) else []

    def path_of(self, name: str) -> str:
        return child(self.at, name)


class Reader:
    """Checks one payload, and collects what is worth a note."""

    def __init__(self, format: str, limits: Limits) -> None:
        self.format = format
        self.limits = limits
        self._ignored: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        listed = [f"ignored field {path}" for path in self._ignored[:_MAX_IGNORED_LISTED]]
        more = len(self._ignored) - len(listed)
        return (*listed, f"ignored {more} more fields") if more else tuple(listed)

    def bad(self, message: str, at: str) -> UnreadableProposal:
        return UnreadableProposal(message, format=self.format, where=at or None)

    def record(self, value: object, table: Table, at: str = "") -> Record:
        if isinstance(value, str) and at:
            value = self._decoded(value, Kind.OBJECT, at)
        if not isinstance(value, dict):
            raise self.bad(f"expected an object, got {describe(value)}", at)
        values: dict[str, object] = {}
        known: set[str] = set()
        for field in table:
            known.update((field.name, *field.aliases))
            found = self._find(value, field, at)
            if found is not None:
                values[field.name] = self._checked(value[found], field, child(at, found))
        self._ignored += [child(at, key) for key in value if key not in known]
        return Record(values, at)

    def tag(self, value: object, field: Field, at: str) -> str:
        """The string that says which table the rest of an object has to fit."""
        if not isinstance(value, dict):
            raise self.bad(f"expected an object, got {describe(value)}", at)
        return str(self._checked(value[self._find(value, field, at) or field.name], field, child(at, field.name)))

    def _find(self, value: dict[str, object], field: Field, at: str) -> str | None:
        """The spelling under which the field was given, if it was."""
        given = [name for name in (field.name, *field.aliases) if value.get(name) is not None]
        if len(given) > 1:
            raise self.bad(f"{given[0]} and {given[1]} are the same field; send one of them", child(at, given[1]))
        if given:
            return given[0]
        if field.required:
            state = "null" if field.name in value else "missing"
            raise self.bad(f"required field {field.name} is {state}", child(at, field.name))
        return None

    def _checked(self, value: object, field: Field, at: str) -> object:
        if isinstance(value, str) and field.kind in (Kind.ARRAY, Kind.OBJECT):
            value = self._decoded(value, field.kind, at)
        if _kind(value) is not field.kind:
            raise self.bad(f"expected {_NAMES[field.kind]}, got {describe(value)}", at)
        if isinstance(value, int):
            self._check_range(value, field, at)
        elif field.choices and value not in field.choices:
            raise self.bad(f"{str(value)[:60]!r} is not one of {', '.join(field.choices)}", at)
        elif field.not_empty and not value:
            raise self.bad(f"{field.name} must not be empty", at)
        if isinstance(value, list) and len(value) > self.limits.max_hunks:
            raise self.bad(f"{len(value)} items; at most {self.limits.max_hunks} hunks are read", at)
        return value

    def _check_range(self, value: int, field: Field, at: str) -> None:
        if field.minimum is not None and value < field.minimum:
            raise self.bad(f"{field.name} must be {field.minimum} or more, got {value}", at)
        if abs(value) > _MAX_INTEGER:
            raise self.bad(f"{field.name} is too large", at)

    def _decoded(self, text: str, kind: Kind, at: str) -> object:
        if not text.lstrip().startswith(("{", "[")):
            raise self.bad(f"expected {_NAMES[kind]}, got a string", at)
        return strict_json.loads(text, format=self.format, at=at)


def _kind(value: object) -> Kind | None:
    if isinstance(value, bool):
        return Kind.BOOLEAN
    kinds = {str: Kind.STRING, int: Kind.INTEGER, list: Kind.ARRAY, dict: Kind.OBJECT}
    return kinds.get(type(value))


def describe(value: object) -> str:
    """What a value is, in words: for messages that must not quote it."""
    if value is None:
        return "null"
    kind = _kind(value)
    return _NAMES[kind] if kind else "a number"


def json_schema(table: Table) -> dict[str, object]:
    """The JSON Schema of an object with these fields."""
    properties = {field.name: _property(field) for field in table}
    required = [field.name for field in table if field.required]
    return {"type": "object", "properties": properties, "required": required}


def _property(field: Field) -> dict[str, object]:
    schema: dict[str, object] = {"type": field.kind.value, "description": field.description}
    if field.choices:
        schema["enum"] = list(field.choices)
    if field.minimum is not None:
        schema["minimum"] = field.minimum
    if field.default is not None:
        schema["default"] = field.default
    if field.not_empty:
        schema["minItems" if field.kind is Kind.ARRAY else "minLength"] = 1
    shapes = [json_schema(table) for table in field.tables]
    if shapes and field.kind is Kind.ARRAY:
        schema["items"] = shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
    elif shapes:
        schema.update(shapes[0])
    return schema
