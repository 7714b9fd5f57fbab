/** The bounds of the list of changes, and what it takes over from another process. */
import { expect, test } from "vitest";
import { ChangeRing, longestState, mostBytes } from "../../../ts/parts/changes/change-ring.ts";

/** The moment by the clock of the loop, in ms, and for how long its turn has lasted then. */
let moment = 0;
let turnTime = 0;

/** A ring to which each change is added, whatever state the noun had before. */
class Ring extends ChangeRing {
  add(name: string, json: string, by: string): void {
    this.onResult({ name, queue: {} }, { json }, by, undefined);
  }
}

function newRing(most = 64): Ring {
  moment = turnTime = 0;
  return new Ring({ most, clock: { now: () => moment, turnTime: () => turnTime }, begin: () => true });
}

function linesOf(ring: ChangeRing): readonly { noun: string; state: unknown; by: string; time: string }[] {
  moment = 1_000;
  return ring.lines(1_000, undefined).map((line) => JSON.parse(line));
}

test("of 10,000 changes the last 64 are held, in their order", () => {
  const ring = newRing();
  for (let n = 0; n < 10_000; n++) ring.add("led", `{"n":${n}}`, "client 192.0.2.7");
  expect(linesOf(ring).map(({ state }) => state)).toEqual(Array.from({ length: 64 }, (_, n) => ({ n: 9_936 + n })));
});

test("large states leave the list earlier, so that all of it has at most 16 KB", () => {
  const ring = newRing();
  const text = JSON.stringify({ text: "x".repeat(longestState - 11) });
  for (let n = 0; n < 200; n++) ring.add("note", text, "broker");
  const held = linesOf(ring).length;
  expect(held * text.length).toBeLessThanOrEqual(mostBytes);
  expect((held + 1) * (text.length + 10)).toBeGreaterThan(mostBytes);
});

test("short states beside large ones count, too", () => {
  const ring = newRing();
  const short = JSON.stringify({ text: "€".repeat(35) });
  const large = JSON.stringify({ text: "x".repeat(longestState - 11) });
  const bytesOf = (text: string) => (text === large ? text.length : 2 * text.length);
  for (let n = 0; n < 300; n++) {
    ring.add("note", n % 5 === 0 ? large : short, "broker");
    const held = linesOf(ring).map(({ state }) => bytesOf(JSON.stringify(state)));
    expect(held.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(mostBytes);
  }
  for (let n = 0; n < 64; n++) ring.add("led", `{"n":${n}}`, "broker");
  expect(linesOf(ring)).toHaveLength(64);
});

test("a text of two bytes for each character counts twice", () => {
  const ring = newRing();
  for (let n = 0; n < 200; n++) ring.add("note", JSON.stringify({ text: "€".repeat(330) }), "broker");
  expect(linesOf(ring).length).toBeLessThanOrEqual(mostBytes / (2 * 330));
});

test("of a longer state, only the change is noted", () => {
  const ring = newRing();
  ring.add("note", JSON.stringify({ text: "x".repeat(longestState) }), "broker");
  expect(linesOf(ring)).toMatchObject([{ noun: "note", state: null, by: "broker" }]);
});

test("a clock that is set moves the times of earlier changes; a late reading and a long turn do not", () => {
  const ring = newRing(2);
  moment = 500;
  ring.add("led", "{}", "boot");
  moment = 1_000;
  const timeOf = (wall: number) => (JSON.parse(ring.lines(wall, undefined)[0] ?? "") as { time: string }).time;
  expect(timeOf(1_000)).toBe("1970-01-01T00:00:00.500Z");
  expect(timeOf(1_060)).toBe("1970-01-01T00:00:00.500Z");
  turnTime = 300.4;
  expect(timeOf(1_300)).toBe("1970-01-01T00:00:00.500Z");
  turnTime = 0;
  expect(timeOf(1_782_000_001_000)).toBe(new Date(1_782_000_000_500).toISOString());
});

test("the next process goes on with the changes of the last one", () => {
  const before = newRing();
  before.add("led", '{"on":1}', "token panel");
  before.add("pump", '{"on":0}', "lease");
  const after = newRing();
  after.resume(before.leave());
  expect(linesOf(after)).toEqual(linesOf(before));
});

test.each([
  ["no list", "{}"],
  ["a name that is none", '[[1,"a b","{}","boot"]]'],
  ["a state that is no JSON", '[[1,"led","{","boot"]]'],
  ["half a text", '[[1,"led","{}"'],
])("what another process has left is refused when it has %s", (_, left) => {
  expect(() => newRing().resume(left)).toThrow(/./);
});

test("a reader learns no name of a noun or token that its token may not read", () => {
  const ring = newRing();
  const causes = ["rule frost", "guard pump", "guard Led", "token panel", "token guest", "client 192.0.2.7", "lease"];
  for (const [n, by] of causes.entries()) ring.add("led", `{"n":${n}}`, by);
  ring.add("pump", '{"on":1}', "broker");
  const seen = (nouns: readonly string[]) => {
    const scope = { name: "guest", allows: (_: string, noun: string) => nouns.includes(noun) };
    return ring.lines(1_000, scope).map((line) => (JSON.parse(line) as { by: string }).by);
  };
  expect(seen(["led"])).toEqual(["rule", "guard", "guard Led", "token", "token guest", "client", "lease"]);
  expect(seen(["led", "pump", "frost", "*"])).toEqual([...causes, "broker"]);
});

test("refused tokens are in the list in their turn, and over a reload", () => {
  const ring = newRing();
  ring.add("led", '{"on":1}', "client 192.0.2.7");
  ring.refused(499, "192.0.2.8 and 2 other addresses");
  const expected = [
    { time: expect.any(String), noun: "led", state: { on: 1 }, by: "client 192.0.2.7" },
    { time: expect.any(String), refusedTokens: 499, from: "192.0.2.8 and 2 other addresses" },
  ];
  expect(linesOf(ring)).toEqual(expected);
  const next = newRing();
  next.resume(ring.leave());
  expect(linesOf(next)).toEqual(expected);
});
