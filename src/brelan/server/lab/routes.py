"""What the lab answers over HTTP."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brelan import i18n
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.games import ids
from brelan.server.lab.messages import Begun, NewStudy
from brelan.server.lab.studies import Studies
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

    def all(self) -> list[tuple[str, str, Any]]:
        """Return what is answered, and by whom."""
        study = "/api/lab/studies/{study}"
        return [
            ("GET", "/api/lab", self.info),
            ("POST", "/api/lab/studies", self.begin),
            ("GET", study, self.look),
            ("POST", f"{study}/stop", self.stop),
            ("GET", f"{study}/told/{{lang}}", self.told),
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
        game = await asyncio.to_thread(_variant, wanted)
        known = await self.app.known(request)
        if (known is not None and not self._begun.take(known)) or not self._begun_from.take(
            request.client.host if request.client else "?"
        ):
            raise Refusal("too_many_studies", 429)
        guest, _, _ = await self.app.guest(request)
        study = await self.studies.begin(guest, wanted, game)
        return self.app.greet(_json(Begun(study), 201), guest)

    async def look(self, request: Request) -> Response:
        """Say how far a study is."""
        guest = await self.app.known(request)
        return _json(await asyncio.to_thread(self.studies.look, _study(request), guest))

    async def stop(self, request: Request) -> Response:
        """End a study with what is known."""
        guest = await self.app.known(request)
        return _json(await asyncio.to_thread(self.studies.stop, _study(request), guest))

    async def told(self, request: Request) -> Response:
        """Return what the report of a study says first."""
        async with self.app.heavy:
            told = await asyncio.to_thread(self.studies.told, _study(request), _lang(request))
        return _json(told)

    async def report(self, request: Request) -> Response:
        """Return the report of a study, as a page that needs nothing else."""
        async with self.app.heavy:
            page = await asyncio.to_thread(self.studies.report, _study(request), _lang(request))
        return Response(page, 200, REPORT, "text/html; charset=utf-8")

    async def page(self, request: Request) -> Response:
        """Lead to the page of the lab, or of a study."""
        study = request.path_params.get("study")
        if study is not None:
            self.studies.folder(study)
        return RedirectResponse("/#lab" + (f"={study}" if study else ""))


def _variant(wanted: NewStudy) -> Game:
    """Return the variant that is to be studied; Refusal if there is none such."""
    if wanted.game not in ids():
        raise Refusal("no_such_game", 404, games=list(ids()))
    folder = open_folder(wanted.game)
    try:
        return Game(folder, folder.knobs.settle(wanted.knobs, wanted.preset))
    except Refused as error:
        raise Refusal("bad_variant", 422, why=str(error)[:200]) from None


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
