"""Pure rules of UNO Duo: who decides, what is legal, what happens (RULES.md).

`decide` judges an action and returns the events it causes, `evolve` applies an event to a state, `observe` and
`view` construct what one seat may see.  Nothing here knows time, networks, storage or randomness: the order of the
cards comes from a `Shuffler` that the state carries.
"""
