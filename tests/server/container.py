"""The container file read as a container engine reads it, and its steps in a clean Debian root.

No engine is needed: `debootstrap` makes what `FROM debian:…` names, `chroot` runs each step, and the server is started
as the file says, in namespaces of its own over a root that nobody can write to. It needs root, and leaves no mount.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "Containerfile"
IGNORED = ROOT / ".dockerignore"
KNOWN = ("RUN", "COPY", "WORKDIR", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT")
ALONE = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec")
"""What is mounted in such a shell is gone when it ends, and so is every process in it."""

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

CERTIFICATES = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
MIRRORS = ("PIP_INDEX_URL", "npm_config_registry", "http_proxy", "https_proxy", "no_proxy")
"""How this machine reaches PyPI and npm. Handed to the steps here: the file itself names no address."""


@dataclass
class Stage:
    """What stands between one FROM and the next."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def all(self, instruction: str) -> list[str]:
        return [text for word, text in self.steps if word == instruction]

    def one(self, instruction: str) -> str:
        (found,) = self.all(instruction)
        return found

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": PATH, **dict(pair.split("=", 1) for text in self.all("ENV") for pair in shlex.split(text))}

    @property
    def entry(self) -> list[str]:
        words: list[str] = json.loads(self.one("ENTRYPOINT"))
        return words

    @property
    def health(self) -> list[str]:
        words: list[str] = json.loads(self.one("HEALTHCHECK").split(" CMD ", 1)[1])
        return words


def copied(text: str) -> tuple[str | None, list[str], str]:
    """The stage, the sources and the target of a COPY."""
    words = text.split()
    stage = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else None
    return stage, words[:-1], words[-1]


def stages(text: str) -> list[Stage]:
    """The stages of a container file; an instruction that we do not know is an error."""
    found: list[Stage] = []
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in lines.replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        word, _, rest = line.strip().partition(" ")
        rest = " ".join(rest.split())
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name))
        elif word in KNOWN:
            found[-1].steps.append((word, rest))
        else:
            raise ValueError(f"{word} is no instruction that these tests can carry out")
    return found


def ignored(path: Path) -> bool:
    """Whether a path of the project is kept from the engine."""
    name = path.relative_to(ROOT).as_posix()
    patterns = [line.removeprefix("**/") for line in IGNORED.read_text().split()]
    return any(fnmatch(name, pattern) or fnmatch(path.name, pattern) for pattern in patterns)


def mirror() -> str:
    """Where this machine gets Debian's packages from."""
    for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        if path.suffix in (".list", ".sources") and path.exists():
            address = re.search(r"^(?:URIs:|deb(?: \[.*?\])?)\s+(\S+/debian/?)(?:\s|$)", path.read_text(), re.MULTILINE)
            if address is not None:
                return address[1]
    raise RuntimeError("no mirror of Debian is named in /etc/apt")


def suite(base: str) -> str:
    """The release of Debian that an image is made of."""
    name = re.fullmatch(r"debian:(\w+)-slim", base)
    assert name is not None, f"{base} is no image of Debian alone"
    return name[1]


class Clean:
    """A Debian root for each stage, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.machine = folder / "machine"
        self.machine.mkdir(parents=True)
        self.stages = stages(FILE.read_text())

    def build(self) -> Path:
        """Carry out every step, and give the root of the last stage."""
        bases: dict[str, Path] = {}
        for number, stage in enumerate(self.stages):
            if stage.base not in bases:
                bases[stage.base] = self.folder / "base"
                command = ["debootstrap", "--variant=minbase", suite(stage.base), str(bases[stage.base]), mirror()]
                logged(command, self.folder / "debootstrap.log")
            subprocess.run(["cp", "-a", str(bases[stage.base]), str(self.root(number))], check=True)
            self._carry_out(number, stage)
        return self.root(len(self.stages) - 1)

    def root(self, number: int) -> Path:
        return self.folder / f"stage{number}"

    def _carry_out(self, number: int, stage: Stage) -> None:
        root, place = self.root(number), "/"
        names = [each.name for each in self.stages]
        for word, text in stage.steps:
            print(f"[{number}] {word} {text}", flush=True)
            if word == "WORKDIR":
                place = text
                (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
            elif word == "COPY":
                name, sources, target = copied(text)
                origin = ROOT if name is None else self.root(names.index(name))
                aim = root / (target if target.startswith("/") else f"{place}/{target}").lstrip("/")
                for source in sources:
                    copy(origin / source.lstrip("/"), aim / source if target.endswith("/") else aim)
            elif word == "RUN":
                self._run(root, place, text, stage.environment)

    def _run(self, root: Path, place: str, command: str, environment: dict[str, str]) -> None:
        """One step, with this machine's way to the mirrors and nothing else of it."""
        given = {name: os.environ[name] for name in MIRRORS if name in os.environ}
        for name in CERTIFICATES:
            if name in os.environ:
                shutil.copy(os.environ[name], self.machine / name)
                given[name] = f"/mnt/{name}"
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        script = f"""
            mount --bind {self.machine} {root}/mnt
            mount -t proc proc {root}/proc
            mount --rbind /dev {root}/dev
            exec chroot {root} env -i {words({**environment, **given, "DEBIAN_FRONTEND": "noninteractive"})} \\
                sh -ec {shlex.quote(f"cd {place}; {command}")}
        """
        logged([*ALONE, script], self.folder / "steps.log")

    def start(self, root: Path, data: Path, *options: str) -> subprocess.Popen[bytes]:
        """The server as the file starts it: process 1, nobody, a root that is read-only, the volume, and /tmp."""
        stage = self.stages[-1]
        volume, user = stage.one("VOLUME"), stage.one("USER")
        script = f"""
            mount --bind {root} {root}
            mount --bind {data} {root}{volume}
            mount -o remount,ro,bind {root}
            mount -t proc proc {root}/proc
            mount -t tmpfs tmpfs {root}/tmp
            mount --rbind /dev {root}/dev
            exec chroot --userspec={user}:nogroup {root} env -i {words(stage.environment)} \\
                {shlex.join([*stage.entry, *options])}
        """
        with (self.folder / "server.log").open("ab") as log:
            return subprocess.Popen([*ALONE, script], stderr=log)


def logged(command: list[str], log: Path) -> None:
    """Run a command; what it says is shown if it fails."""
    with log.open("ab") as said:
        ended = subprocess.run(command, stdout=said, stderr=said)
    assert ended.returncode == 0, log.read_text()[-5000:]


def words(environment: dict[str, str]) -> str:
    return shlex.join(f"{name}={value}" for name, value in environment.items())


def copy(source: Path, target: Path) -> None:
    """A file, or a folder without what is kept from the engine."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        skip = leaving_out if source.is_relative_to(ROOT) else None
        shutil.copytree(source, target, symlinks=True, ignore=skip, dirs_exist_ok=True)
    else:
        shutil.copy2(source, target)


def leaving_out(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if ignored(Path(folder) / name)]


def children(process: int) -> Iterator[int]:
    yield from map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
