"""Short matches at a server of the tests, and their analyses."""

from __future__ import annotations

from typing import Any

from server_fixture import Client


def played(client: Client, *, until_over: bool = True) -> str:
    """Play a short match at both seats with the last of the legal moves; return its table."""
    table, _ = client.open("mm", knobs={"tokens_to_win": 1})
    with client.socket(table, seat=0) as first, client.socket(table, seat=1) as second:
        seats = [first, second]
        at = [each.until("snapshot") for each in seats]
        while until_over and at[0]["result"] is None:
            turn = at[0]["turn"]
            answer = seats[turn].ask("move", ply=at[turn]["ply"], move=at[turn]["legal"][-1])
            assert answer["t"] == "done", answer
            at = [_state(each) for each in seats]
    return table


def _state(socket: Any) -> Any:
    """Return how the match stands."""
    socket.send({"t": "sync", "id": 10_000, "since": 10_000})
    return socket.until("snapshot")


def whole(client: Client, table: str, seat: int) -> dict[str, Any]:
    """Ask for an analysis until it is whole; return it with all its decisions."""
    decisions: list[Any] = []
    for _ in range(200):
        answer = client.get(f"/api/tables/{table}/analysis?seat={seat}&from={len(decisions)}")
        assert answer.status == 200, answer.content
        found = answer.json
        decisions += found["decisions"]
        if found["state"] == "done":
            return {**found, "decisions": decisions}
    raise AssertionError(f"the analysis does not end: {found}")
