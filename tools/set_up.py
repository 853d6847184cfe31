"""Set up what `make play` and `make test` need, show how long it will take, and say what was done.

    python3 tools/set_up.py python            the virtual environment with everything in it
    python3 tools/set_up.py python page       the page of the browser as well
    python3 tools/set_up.py system python page kernels

It needs nothing but Python's own library. What is there and still current is left alone, so that the second time costs
nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PINS = ROOT / "requirements" / "dev.txt"
WEB = ROOT / "web"
PAGE = ROOT / "sandtable" / "server" / "page" / "index.html"
PIP = (str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check")
COMPILER = (str(PYTHON), "-m", "sandtable.table.compiled")
LAST_LINES = 30  # of what a failed command printed
FIRST_SHARE = 0.1  # from here on a step's own pace tells more than what it took elsewhere


class CannotSetUp(Exception):
    """Something is missing that only the person at the machine can add."""


@dataclass(frozen=True)
class Step:
    """One thing to make: how to see whether it is current, what makes it, and about how long that takes."""

    doing: str
    done: str
    seconds: float  # on a quiet machine with two cores
    due: Callable[[], bool]
    commands: Callable[[], Iterable[Sequence[str]]]
    stamp: Path | None = None
    folder: Path = ROOT
    share: Callable[[str], float] = lambda line: 0.0
    """What part of the step is done, as far as the lines of its output tell."""


# What is current, and what is not.


def older(made: Path, sources: Iterable[Path]) -> bool:
    """Is something not there, or older than what it is made from?"""
    if not made.exists():
        return True
    when = made.stat().st_mtime
    return any(source.stat().st_mtime > when for source in sources)


def page_sources() -> list[Path]:
    folders = [each for name in ("src", "public") for each in (WEB / name).rglob("*")]
    files = [*folders, WEB / "index.html", *WEB.glob("*.ts"), *WEB.glob("*.js")]
    return [path for path in files if path.is_file()]


# What only the system's packages can give.

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def missing_packages() -> list[str]:
    missing = []
    if not os.environ.get("CHROMIUM") and not any(map(shutil.which, BROWSERS)):
        missing.append("chromium")
    if shutil.which("initdb") is None and not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        missing.append("postgresql")
    return missing


def as_root() -> list[str] | None:
    """The words before a command that only root may run, or None if we may not run it."""
    if os.getuid() == 0:
        return []
    if (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    ):
        return ["sudo", "-n"]
    return None


def install_packages() -> list[list[str]]:
    missing, before = missing_packages(), as_root()
    install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if before is None or shutil.which("apt-get") is None:
        raise CannotSetUp(
            f"The tests start {' and '.join(missing)}, which this machine lacks and we may not install. "
            f"On Debian or Ubuntu: sudo {' '.join(install)}"
        )
    return [[*before, "apt-get", "update"], [*before, "env", "DEBIAN_FRONTEND=noninteractive", *install]]


# Python and Node themselves.


def make_environment() -> list[Sequence[str]]:
    return [
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        [*PIP, "--require-hashes", "-r", str(PINS)],
    ]


def check_machine(wanted: Sequence[str]) -> None:
    """Say at once, in one sentence, what nobody but the person at the machine can add."""
    if "page" in wanted:
        node = shutil.which("node")
        version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout if node else ""
        found = re.match(r"v(\d+)\.(\d+)", version)
        if shutil.which("npm") is None or found is None or (int(found[1]), int(found[2])) < (20, 19):
            has = f"this machine has {version.strip()}" if found else "none was found"
            raise CannotSetUp(f"The page is built with Node 20.19 or newer and its npm; {has}.")


def pip_share() -> Callable[[str], float]:
    """Fetching is three quarters of the work, and pip names each package that it fetches."""
    pins = len(re.findall(r"^[\w.-]+(\[.*\])?==", PINS.read_text(), re.MULTILINE))
    fetched = 0

    def share(line: str) -> float:
        nonlocal fetched
        fetched += line.startswith("Collecting ")
        if line.startswith("Installing collected packages"):
            return 0.75
        return 0.75 * min(1.0, fetched / pins)

    return share


PINNED, INSTALLED = VENV / ".pinned", VENV / ".installed"
FETCHED = WEB / "node_modules" / ".fetched"

# Each is due when what it is made from has changed, or when that is due itself.


def pinning_due() -> bool:
    return older(PINNED, [PINS])


def installing_due() -> bool:
    return pinning_due() or older(INSTALLED, [PINNED, ROOT / "pyproject.toml"])


def compiling_due() -> bool:
    """The compiler itself knows what it has compiled, and from which text."""
    return installing_due() or subprocess.run([*COMPILER, "--check"], capture_output=True).returncode != 0


def compiled_share(line: str) -> float:
    """It says after each kernel which share of the work is done."""
    return float(line) if re.fullmatch(r"[01]\.\d+\s*", line) else 0.0


def fetching_due() -> bool:
    return older(FETCHED, [WEB / "package-lock.json"])


def building_due() -> bool:
    return fetching_due() or older(PAGE, [FETCHED, *page_sources()])


STEPS = {
    "system": [
        Step(
            "Installing Chromium and PostgreSQL for the tests",
            "Chromium and PostgreSQL are installed",
            60.0,
            lambda: bool(missing_packages()),
            install_packages,
        )
    ],
    "python": [
        Step(
            "Fetching the Python packages",
            "the Python packages are in .venv",
            50.0,
            pinning_due,
            make_environment,
            PINNED,
            share=pip_share(),
        ),
        Step(
            "Installing Sandtable itself",
            "the command is .venv/bin/sandtable",
            4.0,
            installing_due,
            # Built with the pinned tools that were just installed, not with whatever is newest today.
            lambda: [[*PIP, "--no-deps", "--no-build-isolation", "-e", str(ROOT)]],
            INSTALLED,
        ),
    ],
    "page": [
        Step(
            "Fetching what the page is built with",
            "the page's tools are in web/node_modules",
            12.0,
            fetching_due,
            lambda: [["npm", "ci", "--no-fund", "--no-audit"]],
            FETCHED,
            WEB,
        ),
        Step(
            "Building the page",
            "the page is built",
            4.0,
            building_due,
            lambda: [["npm", "run", "build"]],
            PAGE,
            WEB,
        ),
    ],
    "kernels": [
        Step(
            "Compiling the geometry for this machine",
            "the geometry is compiled",
            45.0,
            compiling_due,
            lambda: [COMPILER],
            share=compiled_share,
        )
    ],
}


# Doing it, and saying how long it will take.


def spoken(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


class Progress:
    """One line that tells what is being done and about how long all of it will still take."""

    def __init__(self, todo: list[Step]) -> None:
        self.todo = todo
        self.number = 0
        self.share = 0.0
        self.taken = 0.0  # by the steps that are done
        self.begun = time.monotonic()
        self.live = sys.stderr.isatty()

    def pace(self) -> float:
        """How much slower this machine is, so far, than the one that the seconds were measured on."""
        expected = sum(step.seconds for step in self.todo[: self.number])
        return self.taken / expected if expected else 1.0

    def left(self) -> float:
        step, gone = self.todo[self.number], time.monotonic() - self.begun
        rest = sum(each.seconds for each in self.todo[self.number + 1 :]) * self.pace()
        if self.share > FIRST_SHARE:
            return gone / self.share - gone + rest
        return max(step.seconds * self.pace() - gone, 1.0) + rest

    def line(self) -> str:
        return f"[{self.number + 1}/{len(self.todo)}] {self.todo[self.number].doing}: about {spoken(self.left())} left"

    def show(self) -> None:
        if self.live:
            print(f"\r\033[K{self.line()}", end="", file=sys.stderr, flush=True)

    def begin(self, number: int) -> None:
        self.number, self.share, self.begun = number, 0.0, time.monotonic()
        if not self.live:
            print(self.line(), file=sys.stderr, flush=True)

    def end(self) -> None:
        step, gone = self.todo[self.number], time.monotonic() - self.begun
        self.taken += gone
        clear = "\r\033[K" if self.live else ""
        print(f"{clear}[{self.number + 1}/{len(self.todo)}] {step.done} ({spoken(gone)})", file=sys.stderr, flush=True)


def run(step: Step, progress: Progress) -> None:
    for command in step.commands():
        process = subprocess.Popen(
            command, cwd=step.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        said: list[str] = []

        def read(process: subprocess.Popen[str] = process, said: list[str] = said) -> None:
            assert process.stdout is not None
            for line in process.stdout:
                said.append(line)
                progress.share = step.share(line)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        while process.poll() is None:
            progress.show()
            time.sleep(0.2)
        reader.join()
        if process.returncode != 0:
            print("\n" + "".join(said[-LAST_LINES:]), file=sys.stderr)
            raise CannotSetUp(f"{step.doing} failed; the command was: {' '.join(command)}")
    if step.stamp is not None:
        step.stamp.touch()


def main(wanted: Sequence[str]) -> int:
    if not wanted or not set(wanted) <= set(STEPS):
        print(f"Name what to set up, among: {', '.join(STEPS)}.", file=sys.stderr)
        return 2
    try:
        check_machine(wanted)
        todo = [step for name, parts in STEPS.items() if name in wanted for step in parts if step.due()]
        if not todo:
            print("Everything is set up already.", file=sys.stderr)
        progress = Progress(todo)
        for number, step in enumerate(todo):
            progress.begin(number)
            run(step, progress)
            progress.end()
    except CannotSetUp as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
