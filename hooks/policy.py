# SPDX-License-Identifier: MIT
"""The content security policy of a page, as a meta element before the first script.

A static host sends no headers, so the page itself says what it may do. The theme's own inline scripts are named by
their hashes, which are taken from the finished page: no other inline script can ever run.
"""

from __future__ import annotations

import base64
import hashlib
import re

SCRIPT = re.compile(r"<script\b(?P<attributes>[^>]*)>(?P<body>.*?)</script>", re.DOTALL | re.IGNORECASE)
CHARSET = re.compile(r"<meta charset=[^>]+>", re.IGNORECASE)


def inline_scripts(html: str) -> list[str]:
    """Give the inline scripts that a browser would run (data blocks are not run)."""
    found = []
    for match in SCRIPT.finditer(html):
        attributes = match["attributes"]
        kind = re.search(r"\btype\s*=\s*[\"']?([^\"'\s>]+)", attributes)
        runs = kind is None or kind[1].lower() in ("module", "text/javascript", "importmap")
        if runs and not re.search(r"\bsrc\s*=", attributes):
            found.append(match["body"])
    return found


def policy(html: str) -> str:
    """Give the policy of a finished page."""
    hashes = sorted({base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in inline_scripts(html)})
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *(f"'sha256-{value}'" for value in hashes)])
    return "; ".join((
        "default-src 'none'", f"script-src {scripts}", "worker-src 'self' blob:", "connect-src 'self'", "img-src 'self' data:",
        "style-src 'self' 'unsafe-inline'", "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "object-src 'none'",
    ))


def with_policy(html: str) -> str:
    """Put the policy into a page, right after its character set."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(html)}">'
    fixed, times = CHARSET.subn(lambda match: f"{match.group()}\n      {meta}", html, count=1)
    if not times:
        raise ValueError("the page has no <meta charset>, so the policy has no place before its scripts")
    return fixed
