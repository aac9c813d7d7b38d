"""The starter bot in Java against a real referee."""

from tests.clients_java.client import JAVA
from tests.clients_shared.contract import StarterContract


class TestJavaStarter(StarterContract):
    client = JAVA
