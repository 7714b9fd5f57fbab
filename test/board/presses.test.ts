/**
 * Presses of a button on a PL061, over both interfaces of the kernel: each counts once, and is one event at a broker.
 */
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, OtherClient } from "../harness/mosquitto.ts";
import type { Voltage } from "./harness/board.ts";
import { type BoardNound, forAllTests, thisMachine } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const offset = 4;

/** Events that have still to come at the listener: fewer than those that may wait for the broker. */
const mostUnderWay = 4;

/** Drives the pin, and waits until nound has seen so many edges: the kernel sees two fast ones of a PL061 as one. */
async function drive(nound: BoardNound, voltage: Voltage, edges: number): Promise<void> {
  await board().pins.drive(offset, voltage);
  await eventually(`nound has seen edge ${edges}`, async () => (await nound.get("/button")).state["edges"] === edges);
}

beforeEach(() => board().pins.drive(offset, 0));

describe.each([
  ["gpiod", 1_000],
  ["sysfs", 100],
] as const)("by %s", (backend, count) => {
  const button = { kind: "gpio-input", chip: "gpiochip0", offset, key: "pressed", edges: "both", presses: true };

  test(`of ${count} presses each one counts once, and is one event at a broker`, { timeout: 600_000 }, async () => {
    const broker = await Mosquitto.start();
    onTestFinished(() => broker.stop());
    const listener = await OtherClient.connect(broker.port);
    onTestFinished(() => listener.end());
    // A press takes as long as the emulator is slow, and it is a short one anyway.
    const nouns = { button: { ...button, presses: "long 60000" } };
    const mqtt = { server: `${thisMachine}:${broker.port}`, id: "board" };
    const nound = await board().startNound({ gpioBackend: backend, nouns, mqtt });
    await listener.hears("nound/board", "online");
    const events = (): readonly string[] => listener.all("nound/board/button/event");
    const come = (most: number) => eventually(`${most} events have come`, () => events().length >= most);
    for (let press = 1; press <= count; press++) {
      // Of more events that wait for the broker, some would be dropped, as is meant.
      await come(press - mostUnderWay);
      await drive(nound, 1, 2 * press - 1);
      await drive(nound, 0, 2 * press);
    }
    expect((await nound.get("/button")).state).toMatchObject({ short: count, long: 0, double: 0, missed: 0 });
    await come(count);
    // Nothing comes after this.
    await nound.stop();
    await listener.hears("nound/board", "offline");
    expect(events()).toEqual(new Array(count).fill('{"event_type":"short"}'));
  });

  test("a press that is held is a long one", async () => {
    const nound = await board().startNound({ gpioBackend: backend, nouns: { button } });
    await drive(nound, 1, 1);
    await eventually("it is a long one", async () => (await nound.get("/button")).state["long"] === 1);
    await drive(nound, 0, 2);
    expect((await nound.get("/button")).state).toMatchObject({ short: 0, long: 1, double: 0 });
  });
});
