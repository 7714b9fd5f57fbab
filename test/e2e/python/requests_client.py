"""Asks a server with Python's requests: the steps of standard input, one after the other, in one session.

A step is a method, a path and more arguments of `Session.request`. Instead of `data`, `chunks` are sent as a generator,
which requests sends as chunks. Prints a list: of each answer its status, its fields and its text.
"""
import json
import os
import sys

import requests

base = sys.argv[1]
session = requests.Session()
session.trust_env = False
session.verify = os.environ.get("REQUESTS_CA_BUNDLE", True)
answers = []
for method, path, more in json.load(sys.stdin):
    if "chunks" in more:
        more["data"] = (chunk.encode() for chunk in more.pop("chunks"))
    answer = session.request(method, base + path, timeout=20, **more)
    answers.append([answer.status_code, {name.lower(): value for name, value in answer.headers.items()}, answer.text])
print(json.dumps(answers))
