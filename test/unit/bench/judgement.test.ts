import { expect, test } from "vitest";
import { judgements } from "../../bench/judgement.ts";
import type { Results } from "../../bench/results.ts";
import { good, runs, withRuns } from "./results.ts";

function verdict(results: Results, beginning: string) {
  const found = judgements(results).filter(({ line }) => line.startsWith(beginning));
  expect(found).toHaveLength(1);
  return found[0];
}

test("every line holds with figures that are good enough", () => {
  expect(judgements(good).filter(({ held }) => held !== true)).toEqual([]);
});

test("a line says its figures", () => {
  expect(verdict(good, "GET of a switch: at most 1.25 × nginx's CPU")).toEqual({
    line: "GET of a switch: at most 1.25 × nginx's CPU",
    measured: "1.13 × (9.0 µs, 8.0 µs)",
    held: true,
  });
  expect(verdict(good, "Resident after a million")?.measured).toBe(
    "1.35 MB after 1,000,000 requests, 1.50 MB after 9,000,000 requests",
  );
});

test.each([
  ["get", "GET of a switch: at most 1.25 × nginx's CPU"],
  ["get", "GET of a switch: at most 1.2 × the floor's CPU"],
  ["get", "GET of a switch: at most 1.25 × libmicrohttpd's CPU"],
  ["get-level", "GET of a value: at most 1.25"],
  ["get-pump", "GET of a gpio-output: at most 1.25"],
  ["get-button", "GET of a gpio-input: at most 1.25"],
  ["put-chunked", "PUT in a chunk: "],
  ["all-10", "GET / with 10 nouns: "],
  ["close", "A connection each: "],
  ["browser", "A browser's GET, repeated: "],
])("a slow %s breaks the line %s", (workload, line) => {
  expect(verdict(withRuns(good, workload, "nound", runs(99, 99, 99)), line)?.held).toBe(false);
});

test.each([
  ["put", "PUT: "],
  ["post", "POST: "],
  ["get-meter", "GET of a gpio-input with edges: "],
  ["get-lamp", "GET of a led: "],
  ["get-fan", "GET of a pwm: "],
  ["get-battery", "GET of an adc: "],
  ["put-pin", "PUT of a pin: "],
  ["put-new", "PUT of an ever new value: "],
  ["nouns-each", "1,000 nouns in turn: "],
  ["browser-new", "A browser's GET, one field new: "],
  ["browser-all-new", "A browser's GET, every field new: "],
  ["nouns-1000", "1,000 nouns: "],
  ["get-guarded", "GET of a noun without a guard: "],
  ["put-guarded", "PUT of a noun without a guard: "],
  ["put-on-off-guarded", "PUT that a guard judges: "],
  ["idle-1000", "1,000 idle connections: "],
])("instructions that grow break the line of %s", (name, line) => {
  const instructions = good.instructions.map((count) =>
    count.name === name ? { ...count, perRequest: 1.1 * count.perRequest } : count,
  );
  expect(verdict({ ...good, instructions }, line)?.held).toBe(false);
});

test("too much memory breaks each of its lines", () => {
  const [nound, ...others] = good.servers;
  if (nound === undefined) throw new Error("There is no nound.");
  const memory = { ...nound.memory, idle: 1.81e6, afterLoad: 2.01e6, idleConnections: 5.01e6 };
  const broken = judgements({ ...good, servers: [{ ...nound, memory }, ...others] }).filter(
    ({ held }) => held === false,
  );
  expect(broken.map(({ line }) => line.split(":")[0])).toEqual([
    "Resident when idle",
    "Resident after a million requests",
    "Resident with 1,000 idle connections",
  ]);
});

test("a million requests that were not made are not held", () => {
  const fewer = { requests: 200_000, afterMillion: undefined };
  const servers = good.servers.map((server) => ({ ...server, memory: { ...server.memory, ...fewer } }));
  expect(verdict({ ...good, servers }, "Resident after a million")).toMatchObject({
    measured: "1.50 MB after 200,000 requests",
    held: undefined,
  });
});

test("a slow start breaks its line", () => {
  const servers = good.servers.map((server) =>
    server.name === "nound" ? { ...server, startMilliseconds: [11] } : server,
  );
  expect(judgements({ ...good, servers }).filter(({ held }) => held === false)).toHaveLength(1);
});

test("what was not measured is not judged", () => {
  const results = withRuns(good, "get", "nginx", undefined);
  expect(verdict(results, "GET of a switch: at most 1.25 × nginx's CPU")).toMatchObject({
    measured: "not measured",
    held: undefined,
  });
});

test("expensive streams break each of their lines", () => {
  const [mine, ...others] = good.streams;
  if (mine === undefined) throw new Error("There are no streams.");
  const broken = (change: Partial<typeof mine>) =>
    judgements({ ...good, streams: [{ ...mine, ...change }, ...others] })
      .filter(({ held }) => held === false)
      .map(({ line }) => line);
  expect(broken({ bytesEach: 3_100 })).toEqual(["Resident for an idle stream: at most 3 KB"]);
  expect(broken({ changeMicroseconds: [4_100] })).toEqual([
    "A change to 1,000 watchers: at most 1.3 × the floor's CPU",
  ]);
  expect(broken({ beside: runs(10.6, 10.6, 10.6) })).toEqual([
    "GET beside 1,000 idle streams: at most 1.05 × the CPU of one beside none",
  ]);
  expect(judgements({ ...good, streams: [] }).filter(({ held }) => held === undefined).length).toBe(3);
});
