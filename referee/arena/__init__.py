"""Tournaments that run: local bots in lanes, matches at a referee of their own, results that survive any end."""
