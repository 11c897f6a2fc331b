"""The protocol as JSON Schema, for clients in other languages: docs/protocol.schema.json."""

from __future__ import annotations

from typing import Any

import msgspec

from brelan.server import messages
from brelan.server.lab import messages as lab

ASKED = (
    messages.NewTable,
    messages.Branch,
    messages.Join,
    messages.SetNonce,
    messages.SetName,
    lab.NewStudy,
    lab.NewComparison,
    lab.SurveyAnswer,
    *messages.Commands.__args__,
)
ANSWERED = (
    messages.Opened,
    messages.Seated,
    messages.Following,
    messages.Me,
    messages.Named,
    messages.Listed,
    messages.GameInfo,
    messages.Vocabulary,
    messages.Told,
    messages.Analysis,
    messages.Lesson,
    messages.Checked,
    messages.Exported,
    lab.LabInfo,
    lab.Begun,
    lab.StudyInfo,
    lab.StudyTold,
    lab.ComparisonInfo,
    lab.ComparisonTold,
    lab.PeopleInfo,
    lab.SurveyInfo,
    *messages.Messages.__args__,
)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of every message.

    `command` is what a client says on a socket, `message` what the server says there.
    """
    kinds = [*ASKED, *ANSWERED]
    _, found = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of Brelan",
        "$defs": {
            "command": _any_of(messages.Commands),
            "message": _any_of(messages.Messages),
            **dict(sorted(found.items())),
        },
    }


def _any_of(union: Any) -> dict[str, Any]:
    names = [kind.__name__ for kind in union.__args__]
    return {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
