"""The optional rules, one module a switch. Each is asked only where its switch is on."""
