"""Play in bulk: benchmarks, and later simulation, odds and reports."""
