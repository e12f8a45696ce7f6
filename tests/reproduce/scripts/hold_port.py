# SPDX-License-Identifier: MIT
"""Hold the rendezvous port that is named in the first argument, as a job that is still alive does, then run the rest as a command."""
import socket
import subprocess
import sys

server = socket.create_server(("", int(sys.argv[1])))
sys.exit(subprocess.run(sys.argv[2:]).returncode)
