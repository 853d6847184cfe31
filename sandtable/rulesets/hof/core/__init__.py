"""What every chapter stands on: the state, the board, the kinds of terrain, the arsenal, Checks."""
