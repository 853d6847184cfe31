"""Cover and terrain: what conceals, and what a way leads across."""
