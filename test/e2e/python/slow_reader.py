"""A client with a small receive buffer. It sends a request, sends one byte more when the answer begins, and then reads.

Argument: host:port. Standard input: the request. Standard output: the number of bytes received, and how it ended.
"""
import socket
import sys

host, port = sys.argv[1].rsplit(":", 1)
client = socket.socket()
client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
client.connect((host, int(port)))
client.sendall(sys.stdin.buffer.read())
received = len(client.recv(1))
client.sendall(b"\r")
ending = "FIN"
try:
    while part := client.recv(512):
        received += len(part)
except ConnectionResetError:
    ending = "RST"
print(received, ending)
