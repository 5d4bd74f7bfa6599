"""The published weights that training starts from: where they are installed, and whether they are those that are meant.

`python -m weights` checks every one that is installed against weights.sha256, and ends with 1 when one is another.
"""

import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterable
from pathlib import Path

SUMS = Path(__file__).with_name("weights.sha256")
PUBLISHED = Path(__file__).with_name("published.json")


def sums(listed: str) -> dict[str, str]:
    """SHA-256 by file, out of lines as sha256sum writes them."""
    return {name: digest for digest, name in (line.split() for line in listed.splitlines() if line.strip())}


def installed(name: str) -> Path | None:
    """A file of an installed package, named from the package on; None where the package is not installed."""
    package, _, rest = name.partition("/")
    spec = importlib.util.find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / rest


def checked(path: Path, name: str) -> Path:
    """The path, when it holds the bytes that weights.sha256 lists under this name. Ends training otherwise."""
    if digest(path) != sums(SUMS.read_text())[name]:
        raise SystemExit(f"{path} is not the {name} that the models were trained from: its SHA-256 is another")
    return path


def provenance(data_sets: Iterable[tuple[str, str, str]]) -> list[dict]:
    """For a card: where those of its data sets come from that are published weights, with their SHA-256."""
    listed = sums(SUMS.read_text())
    published = {f"{entry['name']} (weights)": entry for entry in json.loads(PUBLISHED.read_text(encoding="utf8"))}
    return [
        {**published[name], "files": {file: listed[file] for file in published[name]["files"]}}
        for name, *_ in data_sets
        if name.endswith(" (weights)")
    ]


def digest(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def report(listed: dict[str, str]) -> bool:
    """Prints a line for each file; False when one is there and is another."""
    right = True
    for name, expected in listed.items():
        path = installed(name)
        if path is None:
            print(f"skipped: {name} is not installed")
        elif not path.exists() or digest(path) != expected:
            print(f"WRONG: {path} is missing, or its SHA-256 is another")
            right = False
        else:
            print(f"as listed: {name}")
    return right


if __name__ == "__main__":
    sys.exit(0 if report(sums(SUMS.read_text())) else 1)
