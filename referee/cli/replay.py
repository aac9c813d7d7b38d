"""`unoduo replay ...`: looks at replay files."""

from referee.cli import replay_html, replay_json, replay_show, replay_stats
from referee.cli.arguments import Commands, Parser


def add_to(commands: Commands) -> None:
    """Adds the command with those below it."""
    description = "Works with replay files."
    parser = commands.add_parser("replay", help="look at a replay", description=description, epilog="")
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    for command in (replay_show, replay_html, replay_stats, replay_json):
        command.add_to(actions)
