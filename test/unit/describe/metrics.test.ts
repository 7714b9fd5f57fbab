import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { type Counts, type MeasuredNoun, metrics } from "../../../ts/parts/documents/describe/metrics.ts";
import { brokerMeasures } from "../../../ts/parts/mqtt/broker-measures.ts";
import { relayBoard, wholeOf } from "./devices.ts";
import { anyShape } from "./shapes.ts";

const counts: Counts = {
  requests: { 404: 2, 200: 17, 204: 0 },
  connections: 3,
  streams: 1,
  failures: 3,
  memoryBytes: 812_345,
  version: "0.2.0+a52e1cc",
  model: "Raspberry Pi 4 Model B Rev 1.4",
  kernel: "6.1.0-50-armmp",
  boot: "5f2c",
  startTime: 1_764_000_000.25,
};

function samples(nouns: readonly MeasuredNoun[], name: string): string[] {
  return wholeOf(metrics(nouns, counts))
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

function check(text: string) {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test.skipIf(!hasPromtool)("promtool has nothing to say of the relay board", () => {
  const nouns = relayBoard().map(({ noun, state }) => ({ ...noun, state: state as never }));
  expect(check(wholeOf(metrics(nouns, counts)))).toEqual({ status: 0, said: "" });
  expect(check(`${wholeOf(metrics(nouns, counts))}lamp{\n`).status).not.toBe(0);
});

test.skipIf(!hasPromtool)("promtool reads every name and every string, whatever they hold", () => {
  const noun = fc
    .record({ name: fc.stringMatching(/^[a-z0-9._~-]{1,12}$/), shape: anyShape })
    .map(({ name, shape }): MeasuredNoun => {
      const value = (key: Shape[string]) => (key.type === "choice" ? (key.values[0] ?? null) : 1);
      return { name, shape, state: Object.fromEntries(Object.entries(shape).map(([key, one]) => [key, value(one)])) };
    });
  const nouns = fc.uniqueArray(noun, { selector: ({ name }) => name, maxLength: 4 });
  fc.assert(
    fc.property(nouns, (some) => {
      expect(check(wholeOf(metrics(some, counts)))).toEqual({ status: 0, said: "" });
    }),
    { numRuns: 20 },
  );
});

test("no series is there twice", () => {
  const nouns = relayBoard().map(({ noun, state }) => ({ ...noun, state: state as never }));
  const text = wholeOf(metrics(nouns, counts));
  const series = text.split("\n").filter((line) => !line.startsWith("#"));
  expect(series.length).toBeGreaterThan(nouns.length);
  expect(new Set(series.map((line) => line.replace(/ [^ ]*$/, ""))).size).toBe(series.length);
});

test("numbers are values, truth values are 0 and 1, null and free strings are left out", () => {
  const state = { level: 20.5, lit: true, dark: false, text: "hello", since: null, small: 1e-7 };
  expect(samples([{ name: "hall.lamp-1~", state }], "nound_noun_value")).toEqual([
    'nound_noun_value{noun="hall.lamp-1~",key="level"} 20.5',
    'nound_noun_value{noun="hall.lamp-1~",key="lit"} 1',
    'nound_noun_value{noun="hall.lamp-1~",key="dark"} 0',
    'nound_noun_value{noun="hall.lamp-1~",key="small"} 1e-7',
  ]);
});

test("a choice of strings has a sample for each, 1 for the one that is chosen", () => {
  const shape: Shape = { mode: { type: "choice", values: ["auto", "off", 1, "1", null] } };
  const nouns = [{ name: "heater", shape, state: { mode: "off" } }];
  expect(samples(nouns, "nound_noun_choice")).toEqual([
    'nound_noun_choice{noun="heater",key="mode",value="auto"} 0',
    'nound_noun_choice{noun="heater",key="mode",value="off"} 1',
    'nound_noun_choice{noun="heater",key="mode",value="1"} 0',
    'nound_noun_choice{noun="heater",key="mode",value="null"} 0',
  ]);
  expect(samples(nouns, "nound_noun_value")).toEqual([]);
});

test("a choice of numbers is a value", () => {
  const shape: Shape = { lamp: { type: "choice", values: [0, 1] } };
  const nouns = [{ name: "lamp", shape, state: { lamp: 1 } }];
  expect(samples(nouns, "nound_noun_value")).toEqual(['nound_noun_value{noun="lamp",key="lamp"} 1']);
  expect(wholeOf(metrics(nouns, counts))).not.toContain("nound_noun_choice");
});

test("each value has its unit, which may be none", () => {
  const shape: Shape = { celsius: { type: "number", unit: 'a "\\\n' } };
  expect(samples([{ name: "room", shape, state: { celsius: 21, other: 1 } }], "nound_noun_info")).toEqual([
    'nound_noun_info{noun="room",key="celsius",unit="a \\"\\\\\\n"} 1',
    'nound_noun_info{noun="room",key="other",unit=""} 1',
  ]);
});

test("a noun that failed is down and has no values", () => {
  const nouns = [
    { name: "good", state: { level: 1 } },
    { name: "bad", state: undefined },
  ];
  expect(samples(nouns, "nound_noun_up")).toEqual(['nound_noun_up{noun="good"} 1', 'nound_noun_up{noun="bad"} 0']);
  expect(samples(nouns, "nound_noun_value")).toHaveLength(1);
});

test("the server's own counts follow, requests by code", () => {
  expect(wholeOf(metrics([], counts))).toMatch(/^# HELP nound_requests_total /);
  expect(
    wholeOf(metrics([], counts))
      .split("\n")
      .filter((line) => !line.startsWith("#")),
  ).toEqual([
    'nound_requests_total{code="200"} 17',
    'nound_requests_total{code="404"} 2',
    "nound_connections 3",
    "nound_streams 1",
    "nound_failures_total 3",
    "nound_memory_bytes 812345",
    'nound_build_info{version="0.2.0",commit="a52e1cc"} 1',
    'nound_device_info{model="Raspberry Pi 4 Model B Rev 1.4",kernel="6.1.0-50-armmp",boot="5f2c"} 1',
    "process_start_time_seconds 1764000000.25",
    "",
  ]);
});

test("what a part measures is there, with the counts of the client of a broker for instance", () => {
  const broker = brokerMeasures({ isConnected: true, connects: 2, received: 5, sent: 70 });
  const text = wholeOf(metrics([], counts, broker));
  expect(text).toContain("# HELP nound_mqtt_connected 1 while the broker has accepted the device.\n");
  expect(text.split("\n").filter((line) => line.startsWith("nound_mqtt"))).toEqual([
    "nound_mqtt_connected 1",
    "nound_mqtt_connects_total 2",
    'nound_mqtt_messages_total{direction="in"} 5',
    'nound_mqtt_messages_total{direction="out"} 70',
  ]);
});
