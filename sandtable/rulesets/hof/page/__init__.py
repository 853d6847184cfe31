"""What people see: views, cards, previews, and the options that they choose from."""
