"""What commands of the lab write: pages in a language, and figures as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brelan.errors import Refused


def page_language(lang: str | None) -> str:
    """Return the language that was asked for, or else the environment's; refuse an unknown one."""
    from brelan import i18n
    from brelan.terminal.screen import lang_of_environment

    lang = lang or lang_of_environment()
    if lang not in i18n.LANGUAGES:
        raise Refused(f"unknown language {lang!r}; there are: {', '.join(i18n.LANGUAGES)}")
    return lang


def as_json(figures: Any) -> str:
    """Return figures as JSON text, a line at its end."""
    return json.dumps(figures, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write(file: Path, text: str) -> None:
    """Write a file; Refused if that cannot be."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused(f"{file} cannot be written: {error.strerror}") from None
