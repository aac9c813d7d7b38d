"""`unoduo index fetch -o FILE`: keeps the index of a running referee, as evidence for `unoduo verify --index`."""

import argparse
from pathlib import Path
from typing import IO, TYPE_CHECKING

from referee.cli.arguments import Commands, Parser, add_output_options
from referee.cli.calls import CALLING_EPILOG, add_calling_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import print_json, reason_of
from referee.cli.replay_arguments import replacing

if TYPE_CHECKING:
    from unoduo_client import Organiser

_EPILOG = f"""\
Writes the records of all matches, each with the head behind it, and the referee's signature of the last head if it
signs. Who keeps such a file can show later that the referee left out a match, or ran it twice: unoduo verify --index.

{CALLING_EPILOG}"""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Works with the index of a referee, the chain of all its matches."
    parser = commands.add_parser("index", help="fetch the index of a referee", description=description, epilog="")
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    description = "Fetches the index of a running referee into a file."
    fetch = actions.add_parser("fetch", help="fetch it into a file", description=description, epilog=_EPILOG)
    fetch.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="the file to write; one that is there is kept"
    )
    add_calling_options(fetch, _fetch)
    add_output_options(fetch, "an object: file, records, head, is_signed")


async def _fetch(organiser: "Organiser", options: argparse.Namespace) -> None:
    path: Path = options.output
    _require_new(path)
    try:
        with replacing(path) as file:
            records, head, is_signed = await _write(organiser, file)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {reason_of(error)}") from None
    if options.json:
        print_json({"file": str(path), "records": records, "head": head.hex(), "is_signed": is_signed})
    elif not options.quiet:
        print(f"{path}: {records} records, {'signed' if is_signed else 'not signed'}")


def _require_new(path: Path) -> None:
    if path.exists():
        raise CommandError(f"{path} is there already, and is not replaced")


async def _write(organiser: "Organiser", file: IO[bytes]) -> tuple[int, bytes, bool]:
    """Writes the file; returns how many records it has, the head behind the last and whether that is signed."""
    from referee.log.heads import INDEX_ORIGIN, index_head
    from referee.log.index_file import INDEX_FILE_HEAD, index_checkpoint, record_bytes

    records, head, signature = 0, INDEX_ORIGIN, b""
    file.write(INDEX_FILE_HEAD)
    async for page in organiser.index():
        for data in page.records:
            head = index_head(head, data)
            file.write(record_bytes(data, head))
        if page.head != head:
            raise CommandError("the referee tells heads that are not those of its records", ExitCode.FAILED)
        records, signature = records + len(page.records), page.signature
    file.write(index_checkpoint(signature))
    return records, head, bool(signature)
