"""What all pages are made of: templates, and a policy by which a browser loads nothing and runs nothing else."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files


def template(package: str, name: str) -> str:
    """Returns a file that stands beside the modules of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def style_of(package: str, name: str) -> str:
    """Returns a style sheet of a package behind the one that all pages share."""
    return template("referee.report.html", "base.css") + template(package, name)


def policy(style: str, script: str | None = None) -> str:
    """Returns a policy that allows this style and this script, by their digests, and nothing else from anywhere."""
    scripts = "" if script is None else f"script-src {_digest(script)}; "
    return (
        f"default-src 'none'; {scripts}style-src {_digest(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
