/** The kind `input` on the keyboard of a board: each press is counted once, as what it is; and unplugged. */
import { expect, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { eventually } from "../harness/eventually.ts";
import { type BoardNound, forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const f1 = { kind: "input", device: "QEMU Virtio Keyboard", channel: "KEY_F1" };

/** Moves the key as often as there are entries, without a pause. */
async function move(...downs: readonly boolean[]): Promise<void> {
  await Promise.all(downs.map((isDown) => board().pins.key("f1", isDown)));
}

/** Waits for a state. @throws Error at once when a count is above it. */
async function expectSoon(nound: BoardNound, expected: State): Promise<void> {
  let state: State = {};
  const isAbove = ([name, value]: readonly [string, unknown]) =>
    name !== "pressed" && Number(state[name]) > Number(value);
  const isSeen = async () => {
    ({ state } = await nound.get("/key"));
    return (
      Object.entries(expected).some(isAbove) || Object.entries(expected).every(([name, value]) => state[name] === value)
    );
  };
  await eventually(`the key has the state ${JSON.stringify(expected)}`, isSeen);
  expect(state).toMatchObject(expected);
}

// The times leave room for an emulator that stops for a moment.
test("of 1,000 presses each is counted once, as a short, a long or half of a double one", {
  timeout: 600_000,
}, async () => {
  const nouns = { key: { ...f1, presses: "long 1000 double 300" } };
  const nound = await board().startNound({ nouns });
  const counts = { short: 0, long: 0, double: 0 };
  for (let presses = 0; presses < 1_000; presses += 50) {
    for (let time = 0; time < 9; time += 1) {
      await move(true, false);
      counts.short += 1;
      await expectSoon(nound, counts);
    }
    for (let time = 0; time < 20; time += 1) {
      await move(true, false, true, false);
      counts.double += 1;
      await expectSoon(nound, counts);
    }
    await move(true);
    counts.long += 1;
    await expectSoon(nound, { pressed: 1, ...counts });
    await move(false);
    await expectSoon(nound, { pressed: 0, ...counts });
  }
  expect((await nound.get("/key")).state).toEqual({ pressed: 0, short: 180, long: 20, double: 400 });
});

test("a key that is held shows it, and others do not move it", async () => {
  const nound = await board().startNound({ nouns: { key: f1 } });
  await board().pins.key("f2", true);
  await move(true);
  await expectSoon(nound, { pressed: 1 });
  await board().pins.key("f2", false);
  await move(false);
  await expectSoon(nound, { pressed: 0 });
});

test("the counts go on after a reload", async () => {
  const nouns = { key: { ...f1, presses: true } };
  const nound = await board().startNound({ nouns });
  for (let press = 1; press <= 3; press += 1) {
    await move(true, false);
    await expectSoon(nound, { short: press });
  }
  await nound.reload({ nouns: { key: { ...nouns.key, title: "Key" } } });
  expect((await nound.get("/key")).state).toEqual({ pressed: 0, short: 3, long: 0, double: 0 });
  await move(true, false);
  await expectSoon(nound, { short: 4 });
});

/** @returns the kernel's name of the keyboard on its bus. */
async function keyboard(): Promise<string> {
  for (let index = 0; index < 32; index += 1) {
    const uevent = await board()
      .guest.read(`/sys/bus/virtio/devices/virtio${index}/uevent`)
      .catch(() => "");
    if (uevent.includes("DRIVER=virtio_input")) return `virtio${index}`;
  }
  throw new Error("The board has no keyboard.");
}

test("a keyboard that is unplugged fails, and goes on when it is plugged in again, 5 times", async () => {
  const nound = await board().startNound({ nouns: { key: { ...f1, presses: true } } });
  const name = await keyboard();
  for (let time = 1; time <= 5; time += 1) {
    await move(true, false);
    await expectSoon(nound, { pressed: 0, short: time });
    await board().guest.write("/sys/bus/virtio/drivers/virtio_input/unbind", name);
    await eventually("it fails", async () => (await nound.get("/key")).status === 500);
    expect((await nound.get("/")).state).toEqual({ key: null });
    await board().guest.write("/sys/bus/virtio/drivers/virtio_input/bind", name);
    await expectSoon(nound, { pressed: 0, short: time });
  }
});
