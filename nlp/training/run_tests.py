"""`python run_tests.py`: every test_*.py of this folder and its packages. A file that needs a package or weights that are
not installed is skipped with a line that says so; ends with 1 when a test fails."""

import importlib
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent


def missing(error: ModuleNotFoundError) -> bool:
    """Whether what could not be imported is somebody else's: a module of this folder is missing by mistake."""
    package = (error.name or "").split(".")[0]
    return package != "" and not (HERE / package).exists() and not (HERE / f"{package}.py").exists()


def load(files: list[Path]) -> tuple[unittest.TestSuite, int]:
    suite, skipped = unittest.TestSuite(), 0
    for file in files:
        name = ".".join(file.relative_to(HERE).with_suffix("").parts)
        try:
            suite.addTest(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name)))
        except ModuleNotFoundError as error:
            if not missing(error):
                raise
            skipped += 1
            print(f"skipped: {name} needs {error.name}, which is not installed")
    return suite, skipped


def main() -> int:
    sys.path.insert(0, str(HERE))
    files = sorted(HERE.rglob("test_*.py"))
    suite, skipped = load(files)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0, buffer=True).run(suite)
    print(f"{len(files) - skipped} of {len(files)} test files ran")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
