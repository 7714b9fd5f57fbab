/**
 * Streams of events of a PL061's lines, over both interfaces of the kernel. Voltages are put on the pin outside the
 * guest.
 */
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { emptyPage, noChromium } from "../harness/chromium.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, OtherClient } from "../harness/mosquitto.ts";
import { judgesTime } from "../harness/waiting-time.ts";
import { forAllTests, thisMachine } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const offset = 4;
/** Another line, whose edges nobody counts. */
const plainOffset = 5;
const plain = { kind: "gpio-input", chip: "gpiochip0", offset: plainOffset, key: "open" };
const moves = 30;
const pulses = 10;
/** ms of a pulse, and between two events of a line, so that its messages are never spent. */
const pulse = 20;
const pause = 250;
const door = { kind: "gpio-input", chip: "gpiochip0", offset, key: "open", edges: "both" };

beforeEach(async () => {
  for (const one of [offset, plainOffset]) await board().pins.drive(one, 0);
});

/** @returns the middle one. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe.each(["gpiod", "sysfs"] as const)("by %s", (gpioBackend) => {
  test("each edge of a line is an event", async () => {
    const nound = await board().startNound({ gpioBackend, nouns: { door } });
    const client = new EventClient(nound.address, "/door");
    await client.says({ open: 0, edges: 0 });
    for (let edge = 1; edge <= 10; edge++) {
      await board().pins.drive(offset, edge % 2 === 1 ? 1 : 0);
      await client.says({ open: edge % 2, edges: edge });
    }
    client.drop();
  });

  // The machine's load slows down both lines alike, so one is the measure of the other.
  test("a line with nothing but its name is followed as one whose edges are counted", {
    timeout: 120_000,
  }, async () => {
    const broker = await Mosquitto.start(["set_tcp_nodelay true"]);
    onTestFinished(() => broker.stop());
    const listener = await OtherClient.connect(broker.port);
    onTestFinished(() => listener.end());
    const mqtt = { server: `${thisMachine}:${broker.port}`, id: "board" };
    const nound = await board().startNound({ gpioBackend, nouns: { door, plain }, mqtt });
    await listener.hears("nound/board", "online");
    const lines = [
      { name: "door", pin: offset, stream: [] as number[], broker: [] as number[] },
      { name: "plain", pin: plainOffset, stream: [] as number[], broker: [] as number[] },
    ];
    for (let move = 1; move <= moves; move++) {
      for (const line of lines) {
        const client = new EventClient(nound.address, `/${line.name}`);
        await client.count(1);
        await delay(pause);
        const message = listener.next(`nound/board/${line.name}`).then(() => performance.now());
        const begin = performance.now();
        await board().pins.drive(line.pin, move % 2 === 1 ? 1 : 0);
        await client.says({ open: move % 2 });
        line.stream.push((client.events.at(-1)?.moment ?? 0) - begin);
        line.broker.push((await message) - begin);
        client.drop();
      }
    }
    const [counted, followed] = lines.map((line) => [median(line.stream), median(line.broker)]);
    const texts = [followed, counted].map((times) => times?.map((time) => time.toFixed(1)).join(" and "));
    console.log(`${gpioBackend}: from a line to stream and broker in ${texts[0]} ms; counted ${texts[1]} ms`);
    if (!judgesTime) return;
    for (const [index, time] of (followed ?? []).entries()) expect(time).toBeLessThan(3 * (counted?.[index] ?? 0));
  });

  // A machine that is busy for longer than a pulse misses that one, as it would miss one that is counted.
  test("pulses of a line with nothing but its name are heard", async () => {
    const nound = await board().startNound({ gpioBackend, nouns: { door, plain } });
    const clients = ["/door", "/plain"].map((target) => new EventClient(nound.address, target));
    for (const client of clients) await client.count(1);
    for (let count = 0; count < pulses; count++) {
      for (const one of [offset, plainOffset]) {
        await delay(pause);
        await board().pins.drive(one, 1);
        await delay(pulse);
        await board().pins.drive(one, 0);
      }
    }
    for (const client of clients) await client.says({ open: 0 });
    const [counted = 0, followed = 0] = clients.map(
      ({ events }) =>
        events.filter(({ data }, index) => data?.["open"] === 1 && events[index - 1]?.data?.["open"] === 0).length,
    );
    console.log(`${gpioBackend}: ${followed} of ${pulses} pulses of ${pulse} ms; counted ${counted}`);
    expect(followed).toBeGreaterThan(0);
  });
});

test.skipIf(noChromium !== undefined)(`an edge arrives at Chromium's EventSource${noChromium ?? ""}`, async () => {
  const { page, origin } = await emptyPage();
  const nound = await board().startNound({ access: { origins: [origin] }, nouns: { door } });
  await page.evaluate((url) => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    new EventSource(url).onmessage = ({ data }) => heard.push(data);
  }, `http://${nound.address}/door`);
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: readonly string[] }).heard);
  await eventually("the first event", async () => (await heard()).length === 1);
  await board().pins.drive(offset, 1);
  const [, edge = ""] = await eventually("the edge", async () => (await heard()).length === 2 && heard());
  expect(JSON.parse(edge)).toMatchObject({ open: 1, edges: 1 });
});
