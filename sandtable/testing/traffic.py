"""A server in a process of its own, for tests that kill it, load it, or listen to all that it says."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def started(port: int, database: Path | str, *options: str) -> subprocess.Popen[bytes]:
    """A server that listens already."""
    command = [sys.executable, "-m", "sandtable", "serve", "--port", str(port), "--database", str(database), *options]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.02)
    process.kill()
    raise RuntimeError(f"the server did not start on port {port}")
