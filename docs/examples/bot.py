"""A bot as a program of its own: it reads questions and writes answers, one JSON document a line."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "question" in message:
        answers = message["candidates"]
        # Fire when there is something to fire at, otherwise do what the ruleset thinks best.
        aggressive = [answer for answer in answers if answer in ("aimed-fire", "fire", "assault")]
        print(json.dumps({"answer": (aggressive or answers)[0]}), flush=True)
    elif "refused" in message:
        print(json.dumps({"answer": answers[0]}), flush=True)
    elif "over" in message:
        break
