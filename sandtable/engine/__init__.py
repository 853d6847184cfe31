"""The engine: dice, questions, events, the game loop, saving, replay, undo, views. Any turn-based game."""
