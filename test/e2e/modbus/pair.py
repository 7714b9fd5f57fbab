"""Two pseudoterminals, joined: prints both paths, and passes bytes on until its input ends.

A line of its input disturbs: "noise HEX" sends bytes to the first one; "cut" and "join" the line. "asked" prints the
lengths and functions of the questions from the first one, as 8:3 for eight bytes with the function 3: each has eight
bytes, and one reading may hold several, where nobody answered. "silence" prints the
shortest time in ms from an answer to the next frame of the first one, and how many such times there were.
"""

import os
import pty
import sys
import threading
import time
import tty

ends = [pty.openpty() for _ in range(2)]
for _, slave in ends:
    tty.setraw(slave)
joined = True
asked = set()
answered = None
silences = []


def copy(source, target, is_first):
    global answered
    while True:
        try:
            data = os.read(source, 4096)
        except OSError:
            time.sleep(0.01)
            continue
        if not is_first:
            answered = time.monotonic()
        elif answered is not None:
            silences.append(1000 * (time.monotonic() - answered))
            answered = None
        if is_first:
            for question in (data[at : at + 8] for at in range(0, len(data), 8)):
                asked.add(f"{len(question)}:{question[1]}" if len(question) > 1 else "1")
        if joined:
            os.write(target, data)


for one, other in ((0, 1), (1, 0)):
    threading.Thread(target=copy, args=(ends[one][0], ends[other][0], one == 0), daemon=True).start()
print(*(os.ttyname(slave) for _, slave in ends), flush=True)
for line in sys.stdin:
    word, *rest = line.split()
    if word == "noise":
        os.write(ends[0][0], bytes.fromhex(rest[0]))
    elif word in ("cut", "join"):
        joined = word == "join"
    told = {"asked": sorted(asked), "silence": [min(silences, default=0), len(silences)]}
    print(*told.get(word, [word]), flush=True)
