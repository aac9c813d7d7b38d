"""The conformance kit: scripted and hostile sessions with any client program, and a verdict on each."""
