"""A PostgreSQL of our own, for as long as a test runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandtable.testing.traffic import free_port

OWNER = "postgres"
"""Whom it runs as when we are root, for whom it would not run."""


def programs() -> Path | None:
    """Where initdb and pg_ctl are, if PostgreSQL is on this machine. Debian keeps them off the path."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    return next((each.parent for each in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)


@contextmanager
def postgres(where: Path) -> Iterator[str]:
    """Start it; the address of its first database."""
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    data, port = folder / "data", free_port()
    alone = ["runuser", "-u", OWNER, "--"] if os.getuid() == 0 else []
    if alone:
        shutil.chown(folder, OWNER)

    def run(program: str, *arguments: str) -> None:
        subprocess.run([*alone, str(where / program), *arguments], check=True, stdout=subprocess.DEVNULL, cwd=folder)

    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    run("initdb", "-D", str(data), "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync")
    run("pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql://{OWNER}@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder)
