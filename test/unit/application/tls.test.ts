/** Which connections are encrypted, and how; and the date that a program keeps. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { world } from "../../../ts/native/simulated/world.ts";
import { fetch, restrict } from "../../../ts/nound.ts";
import { numberOf, startConnections } from "../../../ts/parts/client/connections.ts";
import { useTls } from "../../../ts/parts/client/servers.ts";
import { hardware } from "../../../ts/platform/platform.ts";
import { reset } from "../../../ts/testing.ts";

const nothing = { authorities: "", certificate: "", key: "", name: "", alpn: "", keys: "" };

beforeEach(reset);

test("a program without encrypted servers says nothing of TLS to the connector", () => {
  numberOf("mqtt://broker.example");
  startConnections();
  expect(world().connector).toMatchObject({ targets: ["broker.example:1883"], tls: undefined, earliest: undefined });
});

test("a server is encrypted by its scheme, with the usual port, and one address may be both", () => {
  useTls({ authorities: "/a.pem" }, undefined);
  const numbers = ["mqtts://broker.example", "broker.example:8883", "mqtts://broker.example:8883", "https://[::1]"];
  expect(numbers.map((server) => numberOf(server))).toEqual([0, 1, 0, 2]);
  startConnections();
  const sealed = { ...nothing, authorities: "/a.pem" };
  expect(world().connector.targets).toEqual(["broker.example:8883", "broker.example:8883", "[::1]:443"]);
  expect(world().connector.tls).toEqual([sealed, undefined, sealed]);
});

test("settings of a server's own replace all of the usual ones", () => {
  useTls({ authorities: "/a.pem" }, undefined);
  const keys = ["AB".repeat(32), "cd".repeat(32)];
  numberOf("mqtts://a", { name: "b", alpn: ["x", "y"], keys });
  startConnections();
  expect(world().connector.tls).toEqual([
    { ...nothing, name: "b", alpn: "x,y", keys: "ab".repeat(32) + "cd".repeat(32) },
  ]);
});

test.each([
  [{ certificate: "/c.pem" }, "tls has both certificate and key, or none of them."],
  [{ authorities: `/${"a".repeat(255)}` }, "A path of a file of TLS has at most 255 bytes"],
  [{ name: "a b" }, "The name of tls"],
  [{ alpn: ["a,b"] }, "alpn has at most 3 names"],
  [{ alpn: ["a", "b", "c", "d"] }, "alpn has at most 3 names"],
  [{ keys: ["ab"] }, "keys has at most 8 SHA-256 hashes"],
])("%j is refused", (tls, sentence) => {
  expect(() => numberOf("https://a", tls)).toThrow(sentence);
});

test("a program may ask an encrypted server that its reach names, with or without the usual port", async () => {
  restrict({ connect: ["https://api.example", "https://b.example:8443"], tls: { authorities: "/a.pem" } });
  expect(world().connector.tls).toEqual([1, 2].map(() => ({ ...nothing, authorities: "/a.pem" })));
  void fetch("https://api.example/a").catch(() => undefined);
  void fetch("https://b.example:8443/a").catch(() => undefined);
  await expect(fetch("http://api.example/a")).rejects.toThrow("api.example:80 is outside the program's reach");
  expect(world().connector.questions.map(({ target }) => target)).toEqual([0, 1]);
});

describe("the date", () => {
  const folder = "/var/lib/nound";
  const now = () => Math.floor(Date.now() / 1_000);

  function start(kept: string | undefined): number | undefined {
    const store = hardware().storage.openStore(folder);
    if (kept !== undefined) store.write("tls-date", kept);
    useTls(undefined, folder);
    numberOf("https://a");
    startConnections();
    return world().connector.earliest;
  }

  test.each([
    [undefined, 0],
    ["1700000000\n", 1_700_000_000],
    ["tomorrow", 0],
    ["4102444800\n", 0],
  ])("that was kept as %j has passed: %d", (kept, earliest) => {
    expect(start(kept)).toBe(earliest);
  });

  const year = 365 * 86_400;

  test.each([
    ["an hour ago", () => now() - 3_601, true, false],
    ["a minute ago", () => now() - 60, true, false],
    ["in the future", () => now() + year, false, false],
    ["in the future, while the kernel calls the clock synchronized", () => now() + year, true, true],
    ["more than ten years after the source of the program", () => 1_767_225_600 + 10 * year + 1, false, true],
  ])("of %s is dropped or replaced", (_, kept, isSynchronized, isDropped) => {
    const before = kept();
    const isReplaced = isDropped || before < now() - 3_600;
    world().isClockSynchronized = isSynchronized;
    start(`${before}\n`);
    world().clock.advance(0);
    const after = Number(hardware().storage.openStore(folder).read("tls-date"));
    expect(after !== before).toBe(isReplaced);
    if (isReplaced) expect(Math.abs(after - now())).toBeLessThan(60);
  });

  test("is not kept of a clock that shows a year in which this program does not run any more", () => {
    vi.setSystemTime(new Date("2099-12-31T12:00:00Z"));
    onTestFinished(() => void vi.useRealTimers());
    start(undefined);
    world().clock.advance(0);
    expect(hardware().storage.openStore(folder).read("tls-date")).toBeUndefined();
  });

  test("is kept once an hour at most", () => {
    const { storage } = hardware();
    start(undefined);
    const begin = Date.now();
    onTestFinished(() => void vi.useRealTimers());
    const kept = new Set<string | undefined>();
    for (let minute = 0; minute < 180; minute++) {
      vi.setSystemTime(begin + minute * 60_000);
      world().clock.advance(minute === 0 ? 0 : 60_000);
      kept.add(storage.openStore(folder).read("tls-date"));
    }
    expect(kept.size).toBe(3);
  });
});
