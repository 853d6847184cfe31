"""Moving: `move_orders` and `leader_moves`, their `legality`, the `distance`, and what is met `on_the_way`.

`courses` are Teams under way; `proposals` ask where they go.
"""
