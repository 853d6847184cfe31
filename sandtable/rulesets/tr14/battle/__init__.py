"""The battle round the rules, which is ours: deployment, objectives and an end."""
