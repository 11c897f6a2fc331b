"""Logs: a line of JSON for each thing that matters, without secrets."""

from __future__ import annotations

import json
import logging
import re
import sys
import time

from brelan.server.settings import Settings

QUIET = ("uvicorn", "websockets", "aiosqlite", "sqlalchemy", "asyncpg", "alembic", "asyncio")
SECRETS = (  # what should never come here, and is not written if it does
    (re.compile(r"\?[^\s\"']+"), "?…"),  # query strings
    (re.compile(r"(/api/(?:links|invitations)/)[^\s/?\"']+"), r"\1…"),
    (re.compile(r"(brelan_guest=)[^\s;,\"']+"), r"\1…"),
    (re.compile(r"(://[^\s:/@]+:)[^\s@/]+@"), r"\1…@"),  # passwords of databases
)


class JsonFormatter(logging.Formatter):
    """One line of JSON: time, level, logger, message, and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{seconds}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": without_secrets(record.getMessage()),
        }
        if record.exc_info:
            line["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def without_secrets(text: str) -> str:
    """Return a text without what looks like a secret."""
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


def set_up(settings: Settings) -> None:
    """Write lines of JSON to the standard error.

    Libraries tell warnings only: at other levels some of them write addresses and what is stored.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))
