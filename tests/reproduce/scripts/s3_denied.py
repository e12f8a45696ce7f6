# SPDX-License-Identifier: MIT
"""A checkpoint is uploaded with a role that may not write; a server of our own answers as S3 does."""
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import boto3

ANSWER = b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>1</RequestId></Error>'


class Denying(BaseHTTPRequestHandler):
    """Reads the request and denies it."""

    def do_PUT(self) -> None:
        """Answer 403 with S3's error document."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(403)
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


server = HTTPServer(("127.0.0.1", 0), Denying)
threading.Thread(target=server.serve_forever, daemon=True).start()
store = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{server.server_port}", aws_access_key_id="test", aws_secret_access_key="test", region_name="us-east-1")
print("step 500 saved, uploading", flush=True)
store.put_object(Bucket="team-checkpoints", Key="run-7/step-500/model.safetensors", Body=b"weights")
