"""Lets a server find several things at once on a connection that it waits at: it is stopped while they arrive.

    arrivals_client.py ADDRESS PID REQUEST < STEPS

REQUEST is sent and answered first. The steps are a list of [KIND, BYTES], one character a byte: "send", "urgent" (TCP
urgent data), "pass" (with a file descriptor beside them), "finish" (FIN) and "reset" (RST). Prints what the server
sends from then on until it closes.
"""
import array
import json
import os
import signal
import socket
import struct
import sys
import time

address, pid, request = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if address.startswith("unix:"):
    client = socket.socket(socket.AF_UNIX)
    client.connect(address[len("unix:"):])
else:
    host, port = address.split(":")
    client = socket.create_connection((host, int(port)))
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
client.settimeout(50)


def stop():
    os.kill(pid, signal.SIGSTOP)
    while open(f"/proc/{pid}/stat").read().rpartition(") ")[2][0] != "T":
        time.sleep(0.001)


def perform(kind, data):
    if kind == "send":
        client.sendall(data)
    elif kind == "urgent":
        client.send(data, socket.MSG_OOB)
    elif kind == "pass":
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))
        client.sendmsg([data], [rights])
    elif kind == "finish":
        client.shutdown(socket.SHUT_WR)
    elif kind == "reset":
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()


client.sendall(request.encode())
answer = b""
while not answer.endswith(b"}"):
    answer += client.recv(65536)
stop()
try:
    for kind, text in json.load(sys.stdin):
        perform(kind, text.encode("latin1"))
finally:
    os.kill(pid, signal.SIGCONT)
received = b""
while client.fileno() >= 0 and (part := client.recv(65536)):
    received += part
sys.stdout.write(received.decode("latin1"))
