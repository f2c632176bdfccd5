"""Looks for tokens where none may be: they belong in the keyring, and in the memory of the programs."""

import pathlib
import re
import sys

# What trunk-server hands out: a JWT, and the name of a session with a counter and a secret.
ACCESS = re.compile(rb"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}")
# Found by its dot: from its beginning on, a megabyte of one letter would be read again from each of them.
REFRESH = re.compile(rb"(?<=[\w-]{16})\.\d{1,10}\.[\w-]{43}")


def check_text(where, text):
    """Fails when there is a token in it."""
    data = text.encode() if isinstance(text, str) else text
    for form in (ACCESS, REFRESH):
        if found := form.search(data):
            raise AssertionError(f"a token in {where}, after {data[max(found.start() - 80, 0):found.start()]!r}")


def check_folder(folder):
    """Fails when there is a token in a file of the folder, or in the name of one."""
    for path in pathlib.Path(folder).rglob("*"):
        check_text("the name of a file", str(path))
        if path.is_file():
            check_text(path, path.read_bytes())


def check_process(pid):
    """Fails when there is a token where other programs can see it. One that has ended shows nothing."""
    for name in ("environ", "cmdline"):
        try:
            check_text(f"its {name}", pathlib.Path(f"/proc/{pid}/{name}").read_bytes())
        except (FileNotFoundError, ProcessLookupError):
            pass


if __name__ == "__main__":
    check_folder(sys.argv[1])
