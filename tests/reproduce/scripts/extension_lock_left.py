# SPDX-License-Identifier: MIT
"""A killed build left its lock file: the next process waits for it without a word (here a dump after five seconds ends it)."""
import faulthandler
import os
import tempfile
from pathlib import Path

from torch.utils.cpp_extension import load_inline

folder = Path(tempfile.mkdtemp(), "fused_adam")
folder.mkdir()
(folder / "lock").touch()
os.environ["TORCH_EXTENSIONS_DIR"] = str(folder.parent)

faulthandler.dump_traceback_later(5, exit=True)
load_inline("fused_adam", cpp_sources="int one() { return 1; }", functions=["one"], build_directory=str(folder), verbose=True)
