"""The live matches: one actor each, with its clock, its seats and its place in the store; no grpc."""
