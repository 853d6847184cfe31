"""The table: shapes, distances, terrain, sight, moves, templates and placement. Geometry only, no rules.

Inches throughout. x runs east, y north, the origin is the table's south-west corner; a facing is in compass
degrees (0 north, 90 east, clockwise). Import the module you need: `sandtable.table.shapes` and
`sandtable.table.terrain` are light; the others load the compiled kernels.
"""
