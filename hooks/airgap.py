# SPDX-License-Identifier: MIT
"""The whole site as one file, for clusters without a network: unpack it and let any web server serve the folder.

It lies in the site itself, so that a reader can take it from the page that explains where a log goes.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

NAME = "firstfault-site.zip"
FOLDER = "firstfault-site"
EPOCH = (1980, 1, 1, 0, 0, 0)
#: compressed already, or a map for debugging that no reader needs
STORED = (".zip", ".gz", ".png", ".woff2")
LEFT_OUT = (".map", "sitemap.xml.gz")
README = f"""First Fault: the whole site, the engine included. It needs no network.

    unzip {NAME}
    python3 -m http.server --directory {FOLDER} 8000

Then open http://localhost:8000/ on the same machine, or forward the port: ssh -L 8000:localhost:8000 HOST
"""


def build(site: Path) -> Path:
    """Write the archive into a built site; equal sites give equal bytes."""
    target = site / NAME
    target.unlink(missing_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr(entry("README.txt"), README)
        for path in sorted(site.rglob("*")):
            name = path.relative_to(site).as_posix()
            if path.is_file() and path != target and not name.endswith(LEFT_OUT):
                archive.writestr(entry(name), path.read_bytes())
    return target


def entry(name: str) -> zipfile.ZipInfo:
    """Describe a member without the day and the machine it was made on."""
    info = zipfile.ZipInfo(f"{FOLDER}/{name}", EPOCH)
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_STORED if name.endswith(STORED) else zipfile.ZIP_DEFLATED
    return info
