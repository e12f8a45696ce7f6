# SPDX-License-Identifier: MIT
"""`python -m firstfault`, without trusting the current folder.

`-m` puts the current folder first on the module path. A folder full of logs is no place to import code from: a `re.py`
lying beside a log would run. So the current folder leaves the path before anything else is imported; the package itself
is found through its own location.
"""

import os
import sys


def _distrust_current_folder() -> None:
    """Take the current folder off the module path."""
    try:
        here = os.getcwd()  # noqa: PTH109 - pathlib would be imported from the very folder that is not trusted
    except OSError:  # the folder was deleted under us
        here = ""
    sys.path[:] = [entry for entry in sys.path if entry and entry != here]


if __name__ == "__main__":
    _distrust_current_folder()
    from .cli import run

    run()
