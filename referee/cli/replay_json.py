"""`unoduo replay export` and `unoduo replay import`: a replay file as JSON, and back to the identical bytes."""

import argparse
import sys
from collections.abc import Iterator
from typing import BinaryIO, Final

from referee.cli.arguments import Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import opened
from referee.cli.replay_arguments import written

# A part has up to a megabyte, of which a byte takes at most the name of a card.
_LONGEST_LINE: Final = 32 << 20
_EXPORT_EPILOG = """\
Each line is an object with one part of the file: header, entry (one after the other), seal, reveal. Their fields are
those of log.proto in protobuf's JSON, with the names of the proto files. Heads and digests are left out, because they
follow from the rest. `unoduo replay import` makes the identical file of it; a part that would not come back with the
same bytes is refused. Heads are checked on the way, rules are not (`unoduo verify` does that)."""
_IMPORT_EPILOG = """\
Reads what `unoduo replay export` wrote, computes the heads and digests, and writes the file. A line in any other form
than an export gives its content is refused, and then nothing is written."""


def add_to(commands: Commands) -> None:
    """Adds both commands."""
    description = "Writes a replay file as JSON, a line a part."
    export = commands.add_parser("export", help="write as JSON", description=description, epilog=_EXPORT_EPILOG)
    export.add_argument("file", metavar="FILE", help="a replay file")
    export.add_argument("--json", action="store_true", required=True, help="write JSON, the only form there is")
    export.add_argument("-o", "--output", metavar="OUT", help="write into this file, not to the output")
    export.set_defaults(run=run_export)

    description = "Makes a replay file of its JSON."
    back = commands.add_parser("import", help="make a file of its JSON", description=description, epilog=_IMPORT_EPILOG)
    back.add_argument("file", metavar="JSON", help="what an export wrote")
    back.add_argument("-o", "--output", metavar="OUT", required=True, help="the replay file to write")
    back.set_defaults(run=run_import)


def run_export(options: argparse.Namespace) -> ExitCode:
    """Writes the lines. Raises CommandError naming the part that is damaged or would not come back."""
    from referee.log.file_format import FileFault
    from referee.report.export import export_lines

    with opened(options.file) as stream:
        try:
            if options.output is None:
                for line in export_lines(stream):
                    sys.stdout.buffer.write(f"{line}\n".encode())
            else:
                with written(options.output, options.file) as output:
                    output.writelines(f"{line}\n".encode() for line in export_lines(stream))
        except FileFault as fault:
            raise CommandError(f"{options.file}: {fault}", ExitCode.FAILED) from None
    return ExitCode.OK


def run_import(options: argparse.Namespace) -> ExitCode:
    """Writes the file. Raises CommandError naming the line that stands for no part."""
    from referee.report.export import JsonFault, imported_bytes

    with opened(options.file) as stream:
        try:
            with written(options.output, options.file) as output:
                output.writelines(imported_bytes(_lines(stream)))
        except (JsonFault, UnicodeDecodeError) as fault:
            raise CommandError(f"{options.file}: {fault}", ExitCode.FAILED) from None
    return ExitCode.OK


def _lines(stream: BinaryIO) -> Iterator[str]:
    """Yields the lines of a file. Raises JsonFault for one that no part of a replay gives."""
    from referee.report.export import JsonFault

    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE:
            raise JsonFault(number, "it is longer than a part can be")
        yield line.decode()
