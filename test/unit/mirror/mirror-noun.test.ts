/** A mirror on a simulated network: the other device is played by the test. */
import { beforeEach, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedConnector } from "../../../ts/native/simulated/connector.ts";
import type { SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { Dialer } from "../../../ts/parts/client/dialer.ts";
import { MirrorNoun } from "../../../ts/parts/mirror/mirror-noun.ts";
import { OtherDevice } from "../../../ts/parts/mirror/other-device.ts";

let clock: SimulatedClock;
let connector: SimulatedConnector;
let device: OtherDevice;
let noun: MirrorNoun;
/** When the noun got another shape. */
let reshaped: number[];

const description = JSON.stringify({
  properties: { bell: { type: "object", properties: { on: { type: "integer", enum: [0, 1] } }, required: ["on"] } },
  actions: {},
});

beforeEach(() => {
  clock = new SimulatedClock();
  reshaped = [];
  connector = new SimulatedConnector();
  connector.start(["porch:80"], () => {});
  const context = {
    clock,
    connector: new Dialer(clock, connector),
    agent: "nound/1",
    random: () => 1,
    report: () => {},
    reshaped: () => reshaped.push(clock.now()),
    onClosed: () => {},
  };
  const url = { target: "porch:80", host: "porch", path: "/" };
  const limits = { stateBytes: 1_000, statePairs: 64 };
  device = new OtherDevice(context, {
    url,
    target: 0,
    isEncrypted: false,
    token: undefined,
    keepAlive: 10_000,
    stateLimits: () => limits,
  });
  noun = new MirrorNoun(device, "bell", {});
  device.add(noun);
  clock.advance(1);
});

function answer(peer: SimulatedPeer, text: string): void {
  peer.send(text);
}

function describe(text = description): void {
  answer(connector.accept(), `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
}

/** Opens the stream. */
function open(): SimulatedPeer {
  describe();
  const peer = connector.accept();
  answer(peer, 'HTTP/1.1 200 OK\r\n\r\nid: 1\ndata: {"on":1}\n\n');
  return peer;
}

function reason(): string {
  try {
    return JSON.stringify(noun.getState());
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

test("has the state of the stream, with the shape of the description", () => {
  expect(reason()).toContain("has not been reached yet");
  open();
  expect(noun.getState()).toEqual({ on: 1 });
  expect(noun.shape).toEqual({ on: { type: "choice", values: [0, 1] } });
});

test.each([
  ["a state that does not fit", '{"on":7}', "does not fit its description"],
  ["a list", "[1]", "does not fit its description"],
  ["a noun that fails", "null", "cannot read the noun"],
  ["a state of a megabyte", `{"on":"${"x".repeat(1_000_000)}"}`, "more than 65536 bytes"],
  ["no JSON", "{", "cannot be followed"],
])("cannot be read after %s, and can after a state", (_, data, expected) => {
  const peer = open();
  answer(peer, `data: ${data}\n\n`);
  expect(reason()).toContain(expected);
  if (expected.includes("followed") || expected.includes("bytes")) {
    clock.advance(300);
    open();
  } else answer(peer, 'data: {"on":0}\n\n');
  expect(reason()).toMatch(/^\{"on":[01]\}$/);
});

test("is followed again by the connector that starts after one that has ended", () => {
  open().reset();
  const asks = connector.connect;
  connector.connect = () => {
    throw new Error("the connector has ended");
  };
  clock.advance(60_000);
  expect(reason()).toContain("It cannot be reached: the connector has ended.");
  connector.connect = asks;
  clock.advance(3_000);
  open();
  expect(noun.getState()).toEqual({ on: 1 });
});

test("asks a device that has been silent, and counts it as gone when it does not answer", () => {
  const peer = open();
  clock.advance(6_100);
  answer(connector.accept(), "HTTP/1.1 204 No Content\r\n\r\n");
  clock.advance(5_900);
  expect(noun.getState()).toEqual({ on: 1 });
  answer(peer, ":\n");
  clock.advance(6_100);
  connector.accept();
  clock.advance(4_000);
  expect(reason()).toContain("silent for too long");
});

test("sends the body of a command only to a device that reads it, and never again", async () => {
  open();
  const command = Promise.resolve(noun.setState({ on: 0 })).catch((error: Error) => error.message);
  const peer = connector.accept();
  expect(peer.received).toContain("Expect: 100-continue\r\n");
  expect(peer.received).not.toContain('{"on":0}');
  clock.advance(4_600);
  expect(await command).toContain("the command was not sent");
  const next = Promise.resolve(noun.setState({ on: 0 })).catch((error: Error) => error.message);
  const second = connector.accept();
  answer(second, "HTTP/1.1 100 Continue\r\n\r\n");
  expect(second.received).toContain('\r\n\r\n{"on":0}');
  second.reset();
  expect(await next).toContain("nobody knows whether the command was executed");
  expect(connector.questions).toEqual([]);
});

test("passes a refusal on with its status and its sentence", async () => {
  open();
  const command = Promise.resolve(noun.deleteState()).catch((error: unknown) => error);
  const peer = connector.accept();
  const text = '{"status":409,"title":"Conflict","detail":"bell is guarded."}';
  answer(peer, `HTTP/1.1 409 Conflict\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  expect(await command).toMatchObject({ status: 409, message: "bell is guarded." });
});

test("is refused in a ring, before it is followed", () => {
  describe(description.replace('"type":"object"', '"nound:hops":4,"type":"object"'));
  expect(reason()).toContain("in a ring");
  expect(connector.questions).toEqual([]);
});

test("is right within ten seconds of the noun's return to a device that was there without it", () => {
  describe('{"properties":{"lamp":{"type":"object"}},"actions":{}}');
  expect(reason()).toContain("has no noun of this name");
  clock.advance(5_000);
  open();
  expect(noun.getState()).toEqual({ on: 1 });
});

/** Lets the device answer by itself. @param stream what it answers to each request for its events, and whether it ends. */
function serve(stream: string, ends: boolean): { attempts: number } {
  const counts = { attempts: 0 };
  connector.servers.set("porch:80", (peer) => {
    const isStream = counts.attempts++ % 2 === 1;
    const text = `HTTP/1.1 200 OK\r\nContent-Length: ${description.length}\r\n\r\n${description}`;
    peer.send(isStream ? stream : text);
    if (isStream && ends) peer.end();
  });
  return counts;
}

test.each([
  ["ends each stream behind its first event", 'HTTP/1.1 200 OK\r\n\r\ndata: {"on":1}\n\n', true],
  ["sends rubbish behind each first event", 'HTTP/1.1 200 OK\r\n\r\ndata: {"on":1}\n\ndata: {\n\n', false],
])("a device that %s is asked four times a second at most", async (_, stream, ends) => {
  open().end();
  clock.advance(1_000);
  while (connector.questions.length > 0) connector.refuse("away");
  const counts = serve(stream, ends);
  for (let passed = 0; passed < 10_000; passed += 10) {
    clock.advance(10);
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  }
  expect(counts.attempts).toBeGreaterThan(4);
  expect(counts.attempts).toBeLessThanOrEqual(2 * 42);
});

test("a stream whose length is over has ended, though its connection has not", () => {
  describe();
  answer(connector.accept(), 'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\ndata: {"on":1}\n\n');
  expect(noun.getState()).toEqual({ on: 1 });
  clock.advance(1_000);
  // It connects again.
  open();
});

test("takes another shape once in a time that doubles, and the last one in the end", () => {
  const shaped = (most: number): string => {
    const on = { type: "integer", minimum: 0, maximum: most };
    return JSON.stringify({
      properties: { bell: { type: "object", properties: { on }, required: ["on"] } },
      actions: {},
    });
  };
  /** Plays a device for a time. @param most of its shape, at each description. @param isSteady keeps the stream open. */
  const play = (time: number, most: () => number, isSteady: boolean): void => {
    let stream: SimulatedPeer | undefined;
    for (const end = clock.now() + time; clock.now() < end; clock.advance(50)) {
      if (stream?.released === false) stream.send(":\n\n");
      if (connector.questions.length === 0) continue;
      describe(shaped(most()));
      const peer = connector.accept();
      answer(peer, 'HTTP/1.1 200 OK\r\n\r\nid: 1\ndata: {"on":1}\n\n');
      if (isSteady) stream = peer;
      else peer.end();
    }
  };
  let most = 1;
  play(600_000, () => ++most, false);
  // The first one, another one at once, and then after 1, 2, 4, 8, ... s.
  const waits = reshaped.slice(1).map((moment, index) => Math.round((moment - (reshaped[index] ?? 0)) / 1_000));
  expect(waits.slice(1)).toEqual(waits.slice(1).map((_, index) => 2 ** index));
  expect(reshaped).toHaveLength(11);
  play(1_200_000, () => 7_777, true);
  expect(noun.shape).toEqual({ on: { type: "integer", minimum: 0, maximum: 7_777 } });
  expect(noun.getState()).toEqual({ on: 1 });
});
