# SPDX-License-Identifier: MIT
"""A cache between node and hub that hands out a file cut short, under the right name and ETag: python3 hub_truncated.py"""
import http.server
import os
import tempfile
import threading

WHOLE, HELD = 4_194_304, 1_048_576


class Hub(http.server.BaseHTTPRequestHandler):
    """Tells the file's true size to HEAD, and sends what it holds to GET."""

    def do_HEAD(self) -> None:
        """The metadata, as the hub gives it."""
        self.answer(WHOLE)

    def do_GET(self) -> None:
        """The body, as the damaged cache has it."""
        self.answer(HELD)
        self.wfile.write(bytes(HELD))

    def answer(self, length: int) -> None:
        """Send the headers of a file of the hub."""
        self.send_response(200)
        self.send_header("ETag", '"0a1b2c3d"')
        self.send_header("X-Repo-Commit", "1" * 40)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


def main() -> None:
    """Serve on the loopback and ask for one file."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 18081), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["HF_ENDPOINT"] = "http://localhost:18081"
    os.environ["HF_HOME"] = tempfile.mkdtemp()
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    from huggingface_hub import hf_hub_download
    hf_hub_download("acme/atlas-7b", "model-00001-of-00002.safetensors")


if __name__ == "__main__":
    main()
