"""Client library for bots that play at an UNO Duo referee."""
