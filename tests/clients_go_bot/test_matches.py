"""The starter bot in Go against a real referee."""

from tests.clients_go_bot.client import GO
from tests.clients_shared.contract import StarterContract


class TestGoStarter(StarterContract):
    client = GO
