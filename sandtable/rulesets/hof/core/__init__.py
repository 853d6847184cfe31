"""What every chapter stands on.

`state` is what lies on the table and `acts` what is under way; `board` keeps the table as arrays on its `ground`, and
`nearby`, `room` and `riding` ask it questions. `arsenal` and `terrain` are data, `checks` are Checks, `odds` how likely
they succeed, and `labels` what people call Units and Teams. A step of the game that other rules change keeps a `Moment`
(`moments`).
"""
