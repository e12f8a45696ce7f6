# SPDX-License-Identifier: MIT
"""Masks a whole result before it leaves: everything that came from the log, field by field.

Texts of the encyclopedia (fixes, titles) hold example commands that patterns would maul, so there only values learnt from
the log are hidden. A field that this module does not know counts as log text: what is forgotten here is hidden, not leaked.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .masking import Masker

_ENCYCLOPEDIA = frozenset({"title", "summary", "first_step", "root_cause", "fix", "remedy", "verify", "restart", "collect", "tell", "unhide", "not_proof", "suspects", "closest"})
_NAMES = frozenset({"verdict", "entry", "family", "layer", "kind", "role", "url", "database", "stats", "domain", "signal", "marks"})


def masker_for(result: Mapping[str, Any]) -> Masker:
    """A masker that has learnt every name and secret that the result holds."""
    masker = Masker()
    for host in _hosts(result):
        masker.learn_host(host)
    for text in _log_texts(result):
        masker.learn(text)
    return masker


def mask_result(result: Mapping[str, Any], masker: Masker) -> dict[str, Any]:
    """A copy of the result without secrets and personal data."""
    return {name: _masked(value, name, masker) for name, value in result.items()}


def _masked(value: Any, name: str, masker: Masker) -> Any:
    if name in _NAMES:
        return value
    if isinstance(value, str):
        if name in ("host", "hosts"):
            return masker.mask_host(value)
        return (masker.mask_known if name in _ENCYCLOPEDIA else masker.mask)(value).text
    if isinstance(value, dict):
        return {key: _masked(item, _field(key, name, value), masker) for key, item in value.items()}
    if isinstance(value, list):
        if name == "context":
            texts = masker.mask_lines([row["text"] for row in value])
            return [{**row, "text": text} for row, text in zip(value, texts, strict=True)]
        return [_masked(item, name, masker) for item in value]
    return value


def _field(key: str, outer: str, value: Mapping[str, Any]) -> str:
    """How a field counts. Without an entry a title is the error's own words, so log text."""
    if outer in _ENCYCLOPEDIA:
        return outer
    return "label" if key == "title" and value.get("entry") is None else key


def _hosts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("host"), str) and value["host"]:
            yield value["host"]
        yield from (host for host in value.get("hosts") or [] if isinstance(host, str) and host)
        for item in value.values():
            yield from _hosts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _hosts(item)


def _log_texts(value: Any, name: str = "") -> Iterator[str]:
    if name in _NAMES or name in _ENCYCLOPEDIA:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _log_texts(item, _field(key, name, value))
    elif isinstance(value, list):
        for item in value:
            yield from _log_texts(item, name)
