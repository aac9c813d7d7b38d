"""What a tournament plays and what its results are worth (`README.md` of this folder); pure."""
