"""Programs that speak another language than English."""

import subprocess

from program import ROOT


def speaking(home, locale):
    """Makes a locale such as "de_DE" and compiles the catalogues of its language below a home folder. Returns the
    environment for a program that speaks it."""
    language = locale[:2]
    messages = home / "locale" / language / "LC_MESSAGES"
    messages.mkdir(parents=True)
    for domain, po in (("trunk", ROOT / "po"), ("trunk-questions", ROOT / "po/questions")):
        subprocess.run(["msgfmt", "-o", messages / f"{domain}.mo", po / f"{language}.po"], check=True)
    subprocess.run(["localedef", "-i", locale, "-f", "UTF-8", "--no-archive", home / f"{locale}.UTF-8"], check=True)
    return {"LC_ALL": f"{locale}.UTF-8", "LANGUAGE": language, "LOCPATH": str(home), "TRUNK_LOCALEDIR": str(home / "locale")}
