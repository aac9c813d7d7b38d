"""The parser of the command line, and the options that several commands share."""

import argparse
from typing import Final, NoReturn, Protocol

from referee.cli.failures import EXIT_CODES_HELP, CommandError, ExitCode

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 7878


class Commands(Protocol):
    """Describes what `add_subparsers` returns, as far as the commands need it."""

    def add_parser(self, name: str, *, help: str, description: str, epilog: str) -> "Parser":
        """Returns the parser of a new command."""
        ...


class Parser(argparse.ArgumentParser):
    """Parses arguments; a mistake is a CommandError of one line instead of a page of usage."""

    def __init__(self, *, epilog: str = "", **options: object) -> None:
        epilog = f"{epilog}\n\n{EXIT_CODES_HELP}" if epilog else EXIT_CODES_HELP
        super().__init__(
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,  # type: ignore[arg-type]
        )

    def error(self, message: str) -> NoReturn:
        """Raises a CommandError that names the help of this command."""
        raise CommandError(f"{message} (see {self.prog} --help)", ExitCode.USAGE)


def add_output_options(parser: argparse.ArgumentParser, json_form: str) -> None:
    """Adds `--json` and `--quiet`; `json_form` tells in a few words what the JSON is."""
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help=f"print {json_form}")
    output.add_argument("--quiet", action="store_true", help="print nothing but errors")
