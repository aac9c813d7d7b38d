"""The referee of UNO Duo: rules, log, matches and the gRPC service."""
