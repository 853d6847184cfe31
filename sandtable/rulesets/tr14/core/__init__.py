"""What every chapter stands on: the arsenal, kinds of ground, the state, the table as arrays, Training Checks."""
