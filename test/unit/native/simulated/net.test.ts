import { expect, test } from "vitest";
import type { Socket, SocketHandler } from "../../../../ts/native/net.ts";
import { SimulatedNet, type SimulatedPeer } from "../../../../ts/native/simulated/net.ts";

/** A handler that writes down what it is told. */
function recorder(events: string[]): SocketHandler {
  return {
    onBytes: (bytes) => void events.push(`bytes ${bytes.length > 20 ? bytes.length : bytes}`),
    onEnd: () => void events.push("end"),
    onDrain: () => void events.push("drain"),
    onGone: () => void events.push("gone"),
  };
}

function connected(): { socket: Socket; peer: SimulatedPeer; events: string[] } {
  const net = new SimulatedNet();
  const events: string[] = [];
  const sockets: Socket[] = [];
  net.listen("127.0.0.1:1", (socket) => {
    socket.handler = recorder(events);
    sockets.push(socket);
  });
  const peer = net.connect("127.0.0.1:1");
  return { socket: sockets[0] as Socket, peer, events };
}

test("bytes arrive in order, no more than 16 KiB at a time, then the FIN", () => {
  const { peer, events } = connected();
  peer.send("abc");
  peer.send("x".repeat(16_385));
  peer.end();
  expect(events).toEqual(["bytes abc", "bytes 16384", "bytes x", "end"]);
});

test("while reading is stopped nothing arrives, and everything does afterwards", () => {
  const { socket, peer, events } = connected();
  socket.setReading(false);
  peer.send("abc");
  peer.end();
  expect(events).toEqual([]);
  expect(peer.beingRead).toBe(false);
  socket.setReading(true);
  peer.deliver();
  expect(events).toEqual(["bytes abc", "end"]);
});

test("text arrives at the peer as UTF-8", () => {
  const { socket, peer } = connected();
  expect(socket.write("é%")).toBe(true);
  expect(peer.take()).toBe("\xc3\xa9%");
  expect(peer.received).toBe("");
});

test("bytes without room wait, and a callback reports the last one", () => {
  const { socket, peer, events } = connected();
  peer.setRoom(2);
  expect(socket.write("abc")).toBe(false);
  expect(socket.write("d")).toBe(false);
  expect(peer.received).toBe("ab");
  peer.setRoom(1);
  expect(peer.received).toBe("abc");
  expect(events).toEqual([]);
  peer.setRoom(1);
  expect(peer.received).toBe("abcd");
  expect(events).toEqual(["drain"]);
});

test("FIN follows what waits", () => {
  const { socket, peer } = connected();
  peer.setRoom(1);
  socket.write("ab");
  socket.finish();
  expect(peer.closed).toBe(false);
  peer.setRoom(1);
  expect(peer.closed).toBe(true);
  expect(peer.released).toBe(false);
});

test("after a close nothing is written, read or told any more", () => {
  const { socket, peer, events } = connected();
  socket.close();
  expect(socket.write("abc")).toBe(true);
  peer.send("abc");
  peer.end();
  peer.reset();
  expect(peer.received).toBe("");
  expect(peer.released).toBe(true);
  expect(events).toEqual([]);
});

test("a peer that vanishes is reported once", () => {
  const { peer, events } = connected();
  peer.reset();
  peer.reset();
  expect(events).toEqual(["gone"]);
});

test("an address is in use until its listener is closed", () => {
  const net = new SimulatedNet();
  const listener = net.listen("127.0.0.1:1", () => undefined);
  expect(listener.address).toBe("127.0.0.1:1");
  expect(() => net.listen("127.0.0.1:1", () => undefined)).toThrow(/in use/);
  listener.close();
  expect(() => net.connect("127.0.0.1:1")).toThrow(/nobody listens/);
  net.listen("127.0.0.1:1", () => undefined);
});
