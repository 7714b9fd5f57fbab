"""Asks a server with aiohttp: the steps of standard input, one after the other, in one session.

A step is a method, a path and more arguments of `ClientSession.request`: `bytes` becomes `data` as bytes, and `chunks`
an asynchronous generator, which aiohttp sends as chunks. Prints a list: of each answer its status, its fields and its
text.
"""
import asyncio
import json
import sys

import aiohttp


async def generate(chunks):
    for chunk in chunks:
        yield chunk.encode()


async def main():
    base = sys.argv[1]
    answers = []
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20)) as session:
        for method, path, more in json.load(sys.stdin):
            if "bytes" in more:
                more["data"] = more.pop("bytes").encode()
            if "chunks" in more:
                more["data"] = generate(more.pop("chunks"))
            async with session.request(method, base + path, **more) as answer:
                fields = {name.lower(): value for name, value in answer.headers.items()}
                answers.append([answer.status, fields, await answer.text()])
    print(json.dumps(answers))


asyncio.run(main())
