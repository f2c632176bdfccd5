"""Checks that there are no tokens outside the keyring and the memory of the programs."""

import pathlib
import re
import sys

# The tokens of trunk-server: a JWT, and a session's name with a counter and a secret.
ACCESS = re.compile(rb"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}")
# Matches begin at the dot. If they began at the name, each letter of a text of a million letters would start a new search.
REFRESH = re.compile(rb"(?<=[\w-]{16})\.\d{1,10}\.[\w-]{43}")


def check_text(where, text):
    """Fails if the text contains a token."""
    data = text.encode() if isinstance(text, str) else text
    for form in (ACCESS, REFRESH):
        if found := form.search(data):
            raise AssertionError(f"a token in {where}, after {data[max(found.start() - 80, 0):found.start()]!r}")


def check_folder(folder):
    """Fails if a file in the folder, or its name, contains a token."""
    for path in pathlib.Path(folder).rglob("*"):
        check_text("the name of a file", str(path))
        if path.is_file():
            check_text(path, path.read_bytes())


def check_process(pid):
    """Fails if a token is visible to other programs in the process's environment or arguments. A process that has ended
    shows nothing."""
    for name in ("environ", "cmdline"):
        try:
            check_text(f"its {name}", pathlib.Path(f"/proc/{pid}/{name}").read_bytes())
        except (FileNotFoundError, ProcessLookupError):
            pass


if __name__ == "__main__":
    check_folder(sys.argv[1])
