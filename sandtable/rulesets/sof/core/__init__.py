"""What every chapter stands on: the charts, the ground, the state, the table as arrays, checks and names."""
