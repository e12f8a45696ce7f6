# SPDX-License-Identifier: MIT
"""What huggingface_hub says to a hub that limits, refuses or hides its certificate: python3 hub_answers.py 429|401|gated|tls|offline"""
import http.server
import os
import ssl
import subprocess
import sys
import tempfile
import threading

ANSWERS = {
    "429": (429, {"RateLimit": '"resolvers";r=0;t=1', "RateLimit-Policy": '"fixed window";"resolvers";q=5000;w=300'}),
    "401": (401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Invalid username or password."}),
    "gated": (403, {"X-Error-Code": "GatedRepo",
                    "X-Error-Message": "Access to model acme/atlas-7b is restricted and you are not in the authorized list."}),
}


class Hub(http.server.BaseHTTPRequestHandler):
    """Answers every request in the same way."""

    def do_GET(self) -> None:
        """Send the status and the headers of the case."""
        status, headers = ANSWERS.get(sys.argv[1], (200, {}))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


def main(case: str) -> None:
    """Serve on the loopback and ask for one file."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 18080), Hub)
    scheme = "http"
    if case == "tls":
        folder = tempfile.mkdtemp()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{folder}/key", "-out", f"{folder}/cert"],
                       check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/cert", f"{folder}/key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["HF_ENDPOINT"] = f"{scheme}://localhost:18080"
    os.environ["HF_HOME"] = tempfile.mkdtemp()
    if case == "offline":
        os.environ["HF_HUB_OFFLINE"] = "1"
    from huggingface_hub import hf_hub_download
    hf_hub_download("acme/atlas-7b", "config.json")


if __name__ == "__main__":
    main(sys.argv[1])
