"""What the lab answers over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brelan import i18n
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.games import ids
from brelan.lab.compare import Side
from brelan.lab.study.plan import known_level
from brelan.server.lab.folder import Asked
from brelan.server.lab.messages import Begun, NewComparison, NewStudy, SurveyAnswer
from brelan.server.lab.people import People
from brelan.server.lab.studies import Studies
from brelan.server.lab.surveys import Surveys
from brelan.server.limits import Limit
from brelan.server.messages import Refusal, encode

if TYPE_CHECKING:
    from brelan.server.app import App

SHARED = 5  # how many guests may begin all the studies they may, from one address
REPORT = {  # a report holds its own styles, drawings and faces, and nothing that runs
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}


class LabRoutes:
    """The routes of the lab."""

    def __init__(self, app: App) -> None:
        self.app, self.studies = app, Studies(app.settings)
        many = app.settings.lab_studies_per_hour
        self._begun = Limit(many / 3600, many)
        self._begun_from = Limit(SHARED * many / 3600, SHARED * many)
        many = SHARED * app.settings.tables_per_hour
        self._answers_from = Limit(many / 3600, many)
        self.surveys = Surveys(app.house.store)
        self._people = People(app.house, self.surveys, app.heavy)

    def all(self) -> list[tuple[str, str, Any]]:
        """Return what is answered, and by whom."""
        study, comparison = "/api/lab/studies/{study}", "/api/lab/comparisons/{study}"
        return [
            ("GET", "/api/lab", self.info),
            ("POST", "/api/lab/studies", self.begin),
            ("GET", study, self.look),
            ("POST", f"{study}/stop", self.stop),
            ("GET", f"{study}/told/{{lang}}", self.told),
            ("POST", "/api/lab/comparisons", self.begin_comparison),
            ("GET", comparison, self.compared),
            ("POST", f"{comparison}/stop", self.stop_comparison),
            ("GET", f"{comparison}/told/{{lang}}", self.comparison_told),
            ("GET", f"{study}/people", self.people),
            ("GET", "/api/tables/{table}/survey", self.survey),
            ("POST", "/api/tables/{table}/survey", self.answer),
            ("GET", "/lab", self.page),
            ("GET", "/lab/{study}", self.page),
            ("GET", "/lab/{study}/{lang}", self.report),
        ]

    async def info(self, _: Request) -> Response:
        """Say whether studies may be begun here."""
        return _json(self.studies.info())

    async def begin(self, request: Request) -> Response:
        """Begin a study."""
        wanted = await self.app.body(request, NewStudy)
        knobs, preset = wanted.knobs, wanted.preset
        game = await asyncio.to_thread(_variant, wanted.game, knobs, preset)
        return await self._begin(request, partial(self.studies.study, game, wanted.level))

    async def begin_comparison(self, request: Request) -> Response:
        """Begin a comparison."""
        wanted = await self.app.body(request, NewComparison)
        a, b = await asyncio.to_thread(_sides, wanted)
        return await self._begin(request, partial(self.studies.comparison, a, b))

    async def _begin(self, request: Request, make: Callable[[str], Asked]) -> Response:
        known = await self.app.known(request)
        if (known is not None and not self._begun.take(known)) or not self._begun_from.take(
            request.client.host if request.client else "?"
        ):
            raise Refusal("too_many_studies", 429)
        guest, _, _ = await self.app.guest(request)
        study = await self.studies.begin(guest, make)
        return self.app.greet(_json(Begun(study), 201), guest)

    async def look(self, request: Request) -> Response:
        """Say how far a study is."""
        guest = await self.app.known(request)
        return _json(await asyncio.to_thread(self.studies.look, _study(request), guest))

    async def compared(self, request: Request) -> Response:
        """Say how far a comparison is."""
        guest = await self.app.known(request)
        return _json(await asyncio.to_thread(self.studies.compared, _study(request), guest))

    async def stop(self, request: Request) -> Response:
        """End a study with what is known."""
        guest = await self.app.known(request)
        await asyncio.to_thread(self.studies.stop, _study(request), guest, compared=False)
        return await self.look(request)

    async def stop_comparison(self, request: Request) -> Response:
        """End a comparison with what is known."""
        guest = await self.app.known(request)
        await asyncio.to_thread(self.studies.stop, _study(request), guest, compared=True)
        return await self.compared(request)

    async def told(self, request: Request) -> Response:
        """Return what the report of a study says first."""
        told = await asyncio.to_thread(self.studies.told, _study(request), _lang(request))
        return _json(told)

    async def comparison_told(self, request: Request) -> Response:
        """Return what a comparison says first, and how its figures are called."""
        study, lang = _study(request), _lang(request)
        return _json(await asyncio.to_thread(self.studies.comparison_told, study, lang))

    async def people(self, request: Request) -> Response:
        """Return what is known of the matches that people have played of a study's variant."""
        study = _study(request)
        asked = await asyncio.to_thread(self.studies.asked, study, compared=False)
        return _json(await self._people.of(asked.sides[0].variant))

    async def survey(self, request: Request) -> Response:
        """Say whether whoever asks may answer the questions on a match."""
        table = await self.app.table_of(request)
        return _json(await self.surveys.info(table, await self.app.known(request)))

    async def answer(self, request: Request) -> Response:
        """Keep what a person says of a match."""
        wanted = await self.app.body(request, SurveyAnswer)
        if not self._answers_from.take(request.client.host if request.client else "?"):
            raise Refusal("too_many_answers", 429)
        table = await self.app.table_of(request)
        return _json(await self.surveys.answer(table, await self.app.known(request), wanted))

    async def report(self, request: Request) -> Response:
        """Return the report of a study, as a page that needs nothing else."""
        async with self.app.heavy:
            page = await asyncio.to_thread(self.studies.report, _study(request), _lang(request))
        return Response(page, 200, REPORT, "text/html; charset=utf-8")

    async def page(self, request: Request) -> Response:
        """Lead to the page of the lab, or of a study."""
        study = request.path_params.get("study")
        if study is None:
            return RedirectResponse("/#lab")
        asked = self.studies.folder(study).asked
        name = "compare" if asked is not None and asked.is_comparison else "lab"
        return RedirectResponse(f"/#{name}={study}")


def _variant(name: str, knobs: Mapping[str, int | str], preset: str | None = None) -> Game:
    """Return the variant that is to be studied; Refusal if there is none such."""
    if name not in ids():
        raise Refusal("no_such_game", 404, games=list(ids()))
    folder = open_folder(name)
    try:
        return Game(folder, folder.knobs.settle(knobs, preset))
    except Refused as error:
        raise Refusal("bad_variant", 422, why=str(error)[:200]) from None


def _sides(wanted: NewComparison) -> tuple[Side, Side]:
    """Return the sides that are to be compared; Refusal if one of them cannot be."""
    players = {} if wanted.players is None else {"players": wanted.players}
    games = [_variant(wanted.game, {**each.knobs, **players}) for each in (wanted.a, wanted.b)]
    if games[0].players != games[1].players:
        raise Refusal("bad_variant", 422, why="both sides need the same number of players")
    try:
        levels = [known_level(games[0], each.level) for each in (wanted.a, wanted.b)]
    except Refused:
        raise Refusal("bad_bot", 422) from None
    return Side(games[0], levels[0]), Side(games[1], levels[1])


def _study(request: Request) -> str:
    found: str = request.path_params["study"]
    return found


def _lang(request: Request) -> str:
    lang: str = request.path_params["lang"]
    if lang not in i18n.LANGUAGES:
        raise Refusal("no_such_language", 404, languages=list(i18n.LANGUAGES))
    return lang


def _json(content: Any, status: int = 200) -> Response:
    return Response(encode(content), status, media_type="application/json")
