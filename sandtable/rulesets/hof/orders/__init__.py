"""Orders: `order_dice` make Order Points, which are spent like Hero Points (`points`). The turn itself is in `turn`."""
