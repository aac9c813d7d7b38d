"""The referee on a socket: the only importer of grpc in this package."""
