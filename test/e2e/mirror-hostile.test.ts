/** A mirror of a device that is hostile, through real sockets: every response that the strict reader refuses, and sizes. */
import { expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { eventually } from "../harness/eventually.ts";
import { descriptionOf, events, HostileDevice, type Part, says, type Trick, whole } from "../harness/hostile-device.ts";
import { hostileHouse } from "../harness/hostile-house.ts";
import { Device, mirrorOf } from "../harness/mirror-device.ts";
import { malformedResponses } from "../wire/response.ts";

/** A hostile device that goes with the test. */
async function hostile(): Promise<HostileDevice> {
  const device = await HostileDevice.start();
  onTestFinished(() => device.close());
  return device;
}

/** @returns bytes that the script of a device uses. */
async function memoryOf(device: Device): Promise<number> {
  const metrics = await (await fetch(`http://${device.address}/metrics`)).text();
  return Number(/^nound_memory_bytes (\d+)$/m.exec(metrics)?.[1]);
}

/** A hall that mirrors the bells of hostile devices. @param limits of the hall. */
async function hallOf(others: readonly HostileDevice[], limits: object = {}): Promise<Device> {
  const mirrors = others.map((other, index) => [`bell${index}`, { ...mirrorOf(other, "bell"), keepAlive: 60_000 }]);
  const hall = await Device.start({ nouns: Object.fromEntries(mirrors), limits: { maxQueued: 256, ...limits } });
  for (const index of others.keys()) await hall.has(`/bell${index}`, { on: 1 });
  return hall;
}

/** Plays a trick in the device's next answer. @returns why the mirror was lost then; it is right again by now. */
async function lostBy(trick: Trick, part: Part, other: HostileDevice, hall: Device): Promise<string> {
  other.tricksOnce(part, trick);
  other.endStreams();
  const reason = await eventually("the mirror is lost", async () => {
    const { status, detail } = await hall.ask("GET", "/bell0");
    return status === 503 && detail;
  });
  other.goOn();
  await hall.has("/bell0", { on: 1 });
  return reason;
}

/** Every so many of the responses that the reader refuses: test:hostile has them all. */
const chosen = malformedResponses.filter((_, at) => at % 72 === 0);

for (const part of ["description", "stream", "command"] as const) {
  test(`no ${part} that the reader refuses has an effect, and the mirror is right again behind it`, async () => {
    const other = await hostile();
    const hall = await hallOf([other]);
    for (const { name, bytes } of chosen) {
      if (part === "command") {
        other.answersOnce(part, bytes);
        expect([name, (await hall.ask("PUT", "/bell0", { on: 3 })).status]).toEqual([name, 503]);
        await hall.has("/bell0", { on: 1 });
      } else expect(await lostBy(says(bytes), part, other, hall)).toMatch(/^The other device cannot be followed\./);
    }
  });
}

test("what is too large is refused before it is held, by events, answers, descriptions and shapes", async () => {
  const other = await hostile();
  const hall = await hallOf([other]);
  const memory = await memoryOf(hall);
  const lost = async (part: Part, bytes: string): Promise<string> => lostBy(says(bytes), part, other, hall);
  const long = events('{"on":1}', `{"on":"${"x".repeat(1_000_000)}"}`);
  expect(await lost("stream", long)).toContain("more than 65536 bytes");
  other.answersOnce("command", whole(`{"on":"${"x".repeat(1_000_000)}"}`));
  expect((await hall.ask("PUT", "/bell0", { on: 3 })).status).toBe(503);
  await hall.has("/bell0", { on: 1 });
  expect(await lost("description", whole(`{"x":"${"y".repeat(9_000_000)}"}`))).toContain("cannot be followed");
  const keysOf = (keys: number) => {
    const properties = Array.from({ length: keys }, (_, index) => [`k${index}`, { type: "integer" }]);
    return descriptionOf({ type: "object", properties: Object.fromEntries(properties) });
  };
  other.answersOnce("description", whole(keysOf(10_000)));
  other.endStreams();
  await eventually("the noun is refused", async () => (await hall.ask("GET", "/bell0")).detail.includes("too long"));
  expect((await memoryOf(hall)) - memory).toBeLessThan(262_144);
});

test("a state is as large as the limits of this device allow", async () => {
  const other = await hostile();
  const text = "x".repeat(80_000);
  const property = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  // It may be asked as soon as the mirror starts.
  other.answersOnce("description", whole(descriptionOf(property)));
  other.answersOnce("stream", events(JSON.stringify({ text })));
  const hall = await Device.start({
    nouns: { bell: { ...mirrorOf(other, "bell"), keepAlive: 60_000 } },
    limits: { bodyBytes: 90_000, stateBytes: 90_000 },
  });
  await hall.has("/bell", { text } as State);
  other.answersOnce("command", whole(JSON.stringify({ text: `${text}!` })));
  expect(await hall.ask("PUT", "/bell", { text: "y" } as State)).toMatchObject({
    status: 200,
    state: { text: `${text}!` },
  });
});

test("titles with HTML, controls and 4 KB are texts, and everything that has them is well-formed", async () => {
  const other = await Device.start({ title: "House", nouns: hostileHouse.nouns });
  const names = Object.keys(hostileHouse.nouns);
  const hall = await Device.start({ nouns: Object.fromEntries(names.map((name) => [name, mirrorOf(other, name)])) });
  // The last one has a title, a label and a choice of 4 KB each.
  const long = "evil5";
  await eventually("all are mirrored", async () => {
    const { state } = await hall.ask("GET", "/");
    return Object.entries(state).every(([name, value]) => name === long || value !== null);
  });
  expect((await hall.ask("GET", `/${long}`)).detail).toContain("too long");
  const { properties } = (await hall.ask("GET", "/.well-known/wot")).state as unknown as {
    properties: { [name: string]: { title?: string } };
  };
  for (const name of names) {
    expect(properties[name]?.title ?? "").not.toMatch(/\p{Cc}/u);
    expect((properties[name]?.title ?? "").length).toBeLessThanOrEqual(200);
  }
  await hall.ask("GET", "/openapi.json");
  const metrics = await (await fetch(`http://${hall.address}/metrics`)).text();
  for (const line of metrics.trim().split("\n"))
    expect(line).toMatch(/^(?:# .*|\w+(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? \S+)$/);
});

test("a device that sends events without end takes no more time than its share", async () => {
  const other = await hostile();
  const hall = await hallOf([other]);
  other.answersOnce("stream", events([...Array(200_000).keys()].map((on) => `{"on":${on}}`).join("\n\ndata: ")));
  other.endStreams();
  await eventually("events come", async () => Number((await hall.ask("GET", "/bell0")).state["on"]) > 5);
  const times: number[] = [];
  for (let asked = 0; asked < 10; asked++) {
    const begin = performance.now();
    await fetch(`http://${hall.address}/bell0`, { method: "OPTIONS" });
    times.push(performance.now() - begin);
  }
  // A figure for people: a clock judges no test here.
  console.info(`slowest of 10 requests beside 200,000 events: ${Math.max(...times).toFixed(1)} ms`);
  expect(await memoryOf(hall)).toBeLessThan(4_000_000);
});
