/** A reload on a PL061, over both interfaces of the kernel. Each change of a pin is heard outside the guest. */
import { describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { judgesTime } from "../harness/waiting-time.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const button = 4;
const led = 7;

describe.each([
  { backend: "gpiod", first: 0, second: 1 },
  { backend: "sysfs", first: 1, second: 2 },
] as const)("by $backend, a reload", ({ backend, first, second }) => {
  const output = (offset: number, options: object = {}) => ({
    kind: "gpio-output",
    chip: "gpiochip0",
    offset,
    key: "on",
    ...options,
  });
  const input = { kind: "gpio-input", chip: "gpiochip0", offset: button, key: "pressed", edges: "both" };
  const configuration = (nouns: Readonly<Record<string, object>>) => ({ gpioBackend: backend, nouns });
  const changesOf = async (...offsets: readonly number[]) =>
    (await Promise.all(offsets.map((offset) => board().pins.changes(offset)))).map((all) =>
      all.map(({ level }) => level),
    );
  const changes = () => changesOf(first, second);
  const status = { kind: "led", device: "green:status", default: { brightness: 0 } };
  /** @returns s on the clock of the board's kernel. */
  const uptime = async () => Number((await board().guest.read("/proc/uptime")).split(" ")[0]);

  test("with a changed title and a new noun moves no line and no LED, 20 times", async () => {
    const nouns = { lamp: output(first), pump: output(second), status };
    const nound = await board().startNound(configuration(nouns));
    await nound.put("/lamp", { on: 1 });
    await nound.put("/status", { brightness: 1, trigger: "none" });
    await changesOf(first, second, led);
    for (let i = 0; i < 20; i += 1) {
      const more = i % 2 === 0 ? { more: { kind: "switch", key: "on" } } : {};
      await nound.reload(configuration({ ...nouns, lamp: output(first, { title: `Lamp ${i}` }), ...more }));
      expect(await nound.get("/lamp")).toEqual({ status: 200, state: { on: 1 } });
    }
    expect(await changesOf(first, second, led)).toEqual([[], [], []]);
    // One that is removed is left as its exit says.
    await nound.reload(configuration({ lamp: nouns.lamp, pump: nouns.pump }));
    expect(await changesOf(first, second, led)).toEqual([[], [], [0]]);
  });

  test("with a changed default moves that line alone", async () => {
    const nouns = { lamp: output(first), pump: output(second) };
    const nound = await board().startNound(configuration(nouns));
    await nound.put("/pump", { on: 1 });
    await changes();
    await nound.reload(configuration({ ...nouns, lamp: output(first, { default: 1 }) }));
    expect(await changes()).toEqual([[1], []]);
  });

  test("without an output sets it as its exit says, and no other", async () => {
    const nouns = { lamp: output(first), pump: output(second) };
    const nound = await board().startNound(configuration(nouns));
    await nound.put("/lamp", { on: 1 });
    await nound.put("/pump", { on: 1 });
    await changes();
    await nound.reload(configuration({ pump: nouns.pump }));
    await eventually("the line is set", async () => (await board().pins.voltage(first)) === 0);
    expect(await changes()).toEqual([[0], []]);
  });

  test("moves no line if the process with the nouns is killed meanwhile, at 20 moments", async () => {
    const nouns = { lamp: output(first), pump: output(second) };
    const nound = await board().startNound(configuration(nouns));
    await nound.put("/lamp", { on: 1 });
    await changes();
    for (let i = 0; i < 20; i += 1) {
      await nound.reload(
        configuration({ lamp: output(first, { title: `Lamp ${i}` }), pump: nouns.pump }),
        async (kill) => {
          await new Promise((resolve) => setTimeout(resolve, 20 * i));
          await kill();
        },
      );
      expect(await nound.get("/lamp")).toEqual({ status: 200, state: { on: 1 } });
    }
    expect(await changes()).toEqual([[], []]);
    await nound.stop(expect.any(String));
  });

  test("ends a pulse of 5 s when it would have ended", async () => {
    const nouns = { lamp: output(first, { pulse: 5_000 }) };
    const nound = await board().startNound(configuration(nouns));
    // Each moment lies between two readings of the board's clock, because a reading takes up to 0.2 s itself.
    const beforeBegin = await uptime();
    await nound.post("/lamp");
    const afterBegin = await uptime();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const beforeReload = await uptime();
    await nound.reload(configuration(nouns));
    const reloaded = await uptime();
    let beforeEnd = reloaded;
    await eventually("the pulse is over", async () => {
      const moment = await uptime();
      if ((await board().pins.voltage(first)) === 0) return true;
      beforeEnd = moment;
      return false;
    });
    const afterEnd = await uptime();
    const [shortest, longest] = [beforeEnd - afterBegin, afterEnd - beforeBegin];
    console.log(`a pulse of 5 s took ${shortest.toFixed(2)} to ${longest.toFixed(2)} s with a reload`);
    // One that began again takes 5 s from the reload on, or longer.
    expect(beforeEnd).toBeLessThan(beforeReload + 5);
    // If a busy machine takes longer to reload, the pulse ends right after that.
    if (judgesTime) expect(shortest).toBeLessThan(Math.max(5.2, reloaded - beforeBegin + 2));
    expect(longest).toBeGreaterThan(4.8);
  });

  test("configures an input again whose settings have changed", async () => {
    await board().pins.drive(button, 0);
    const nound = await board().startNound(configuration({ button: input }));
    expect((await nound.get("/button")).state).toMatchObject({ pressed: 0 });
    await nound.reload(configuration({ button: { ...input, activeLow: true } }));
    expect((await nound.get("/button")).state).toMatchObject({ pressed: 1 });
  });

  test("keeps the counts of edges, and counts on", async () => {
    await board().pins.drive(button, 0);
    const nound = await board().startNound(configuration({ button: input }));
    const drive = async (voltage: 0 | 1, edges: number): Promise<void> => {
      await board().pins.drive(button, voltage);
      await eventually(`edge ${edges} is seen`, async () => {
        const { edges: seen } = (await nound.get("/button")).state;
        return seen === edges;
      });
    };
    for (let edge = 1; edge <= 12; edge += 1) await drive(edge % 2 === 1 ? 1 : 0, edge);
    await nound.reload(configuration({ button: { ...input, title: "Button" } }));
    expect((await nound.get("/button")).state).toMatchObject({ edges: 12, missed: 0 });
    await drive(1, 13);
    expect((await nound.get("/button")).state).toMatchObject({ edges: 13, missed: 0 });
  });
});
