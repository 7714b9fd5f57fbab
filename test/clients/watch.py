"""Watches a noun with httpx-sse: `python watch.py URL TOKEN`. Prints the data of each event as a line of JSON."""
import json, sys
import httpx
from httpx_sse import connect_sse

with httpx.Client(timeout=40) as client:
    with connect_sse(client, "GET", sys.argv[1], headers={"Authorization": f"Bearer {sys.argv[2]}"}) as source:
        for event in source.iter_sse():
            print(json.dumps(event.data), flush=True)
