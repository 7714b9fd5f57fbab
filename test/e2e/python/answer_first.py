"""Sets a noun again and again while another connection follows it, and tells how often the event was there first.

    python3 answer_first.py HOST PORT ROUNDS

The kernel has the bytes of both connections as soon as the server has sent them. So once the event can be read, the
answer must be there.
"""
import select
import socket
import sys

host, port, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
follower = socket.create_connection((host, port))
follower.sendall(b"GET /led HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
seen = b""
while b"data:" not in seen:
    seen += follower.recv(4096)

client = socket.create_connection((host, port))
overtaken = 0
for turn in range(rounds):
    body = b'{"led":%d}' % (1 - turn % 2)
    head = b"PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    client.sendall(head + body)
    if not select.select([follower], [], [], 10)[0]:
        sys.exit(f"no event came within 10 s; {overtaken} of {turn} overtook their answers")
    answered = select.select([client], [], [], 0)[0]
    overtaken += 0 if answered else 1
    client.recv(4096)
    follower.recv(4096)
print(overtaken)
