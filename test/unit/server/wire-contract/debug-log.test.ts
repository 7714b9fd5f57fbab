/** The debug log: a line per connection, request and refusal, which no client can forge; silence without it. */
import { afterEach, expect, test, vi } from "vitest";
import { HttpServer } from "../../../../ts/core/server/server.ts";
import { SimulatedClock } from "../../../../ts/native/simulated/clock.ts";
import { SimulatedInterruption } from "../../../../ts/native/simulated/interruption.ts";
import { SimulatedMemory } from "../../../../ts/native/simulated/memory.ts";
import { SimulatedNet } from "../../../../ts/native/simulated/net.ts";
import { address, Bench, request, withBody } from "../bench.ts";
import { RecordingNoun } from "../recording-noun.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("tells of a connection, a request and a refusal, one line each, with the peer's address", () => {
  const bench = new Bench({}, true);
  bench.send(request("GET", "/led") + request("GET", "/zqx"));
  const [connected, served, refused, ...more] = bench.log;
  expect(connected).toMatch(/^192\.0\.2\.1:\d+ connected/);
  expect(served).toMatch(/^192\.0\.2\.1:\d+ GET \/led 200/);
  expect(refused).toMatch(/^192\.0\.2\.1:\d+ GET \/zqx 404/);
  expect(more).toEqual([]);
});

test("tells of a refused connection", () => {
  const bench = new Bench({ maxConnections: 1 }, true);
  bench.send(request("GET", "/slow"));
  bench.connect();
  expect(bench.log.filter((line) => line.includes(" 503 "))).toHaveLength(1);
});

test("tells why a noun failed, which the client is not told", () => {
  const bench = new Bench({}, true);
  bench.led.getState = () => {
    throw new RangeError("no such line");
  };
  expect(bench.answer(request("GET", "/led"))).not.toContain("no such line");
  expect(bench.log.join("\n")).toContain("no such line");
});

test("is printable ASCII without line ends, whatever is in a request or an error", () => {
  const bench = new Bench({}, true);
  bench.send("G\x1b[31mT\r\nforged\nline \x07\xff\xc3\xa9 / HTTP/1.1\r\n\r\n");
  bench.send("G\x1b]0; /\x9b HTTP/1.1\r\n\r\n");
  bench.led.setState = () => {
    throw new Error("first\nsecond\r\x1b[2J \u2028 é");
  };
  bench.send(withBody("PUT", "/led", "{}"));
  expect(bench.log.length).toBeGreaterThanOrEqual(6);
  for (const line of bench.log) expect(line).toMatch(/^[\x20-\x7e]+$/);
  expect(bench.log.join("\n")).toContain("\\x1b");
});

test("is not written, to the console neither, unless it is asked for", () => {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  const net = new SimulatedNet();
  const server = new HttpServer({
    net,
    clock: new SimulatedClock(),
    interruption: new SimulatedInterruption(),
    memory: new SimulatedMemory(),
  });
  const noun = new RecordingNoun();
  noun.deleteState = () => {
    throw new Error("broken");
  };
  server.register("led", noun);
  server.listen(address);
  const peer = net.connect(address);
  peer.send(`${request("GET", "/led") + request("DELETE", "/led")}zqx\r\n`);
  expect(peer.received).toContain(" 500 ");
  expect(peer.closed).toBe(true);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
