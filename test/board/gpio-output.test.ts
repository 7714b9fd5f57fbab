/**
 * The kind `gpio-output` on a PL061, over both interfaces of the kernel. Levels are measured at the pins, outside the
 * guest.
 */
import { describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);

/** A line for each backend: the first tests want one that nobody has used since the board's start. */
describe.each([
  { backend: "gpiod", offset: 0 },
  { backend: "sysfs", offset: 1 },
] as const)("by $backend, an output", ({ backend, offset }) => {
  const nouns = (options: object) => ({
    gpioBackend: backend,
    stateDirectory: `/tmp/${backend}`,
    nouns: { pump: { kind: "gpio-output", chip: "gpiochip0", offset, key: "on", ...options } },
  });
  const levels = async () => (await board().pins.changes(offset)).map(({ level }) => level);

  test("with the default 1 rises once at the first start and does nothing else", async () => {
    await board().startNound(nouns({ default: 1 }));
    expect(await levels()).toEqual([1]);
  });

  test("keeps its level through a start that wants the same, and returns to the default at the end", async () => {
    const nound = await board().startNound(nouns({ default: 1 }));
    expect(await levels()).toEqual([]);
    await nound.put("/pump", { on: 0 });
    expect(await levels()).toEqual([0]);
    await nound.stop();
    expect(await levels()).toEqual([1]);
  });

  test("follows PUT, toggles at POST and returns at DELETE", async () => {
    const nound = await board().startNound(nouns({}));
    expect(await board().pins.voltage(offset)).toBe(0);
    expect(await nound.put("/pump", { on: 1 })).toEqual({ status: 200, state: { on: 1 } });
    expect(await board().pins.voltage(offset)).toBe(1);
    expect(await nound.post("/pump")).toEqual({ status: 200, state: { on: 0 } });
    expect(await board().pins.voltage(offset)).toBe(0);
    expect(await nound.post("/pump")).toEqual({ status: 200, state: { on: 1 } });
    expect(await board().pins.voltage(offset)).toBe(1);
    expect(await nound.delete("/pump")).toEqual({ status: 200, state: { on: 0 } });
    expect(await board().pins.voltage(offset)).toBe(0);
  });

  test("is not moved by a state it refuses", async () => {
    const nound = await board().startNound(nouns({}));
    await levels();
    for (const state of [{ on: 2 }, { on: true }, { off: 1 }, { on: 1, off: 0 }]) {
      expect((await nound.put("/pump", state)).status).toBe(422);
    }
    expect(await levels()).toEqual([]);
  });

  test("that is active-low has the high voltage for 0 and the low one for 1", async () => {
    const nound = await board().startNound(nouns({ activeLow: true }));
    expect(await levels()).toEqual([1]);
    expect(await nound.put("/pump", { on: 1 })).toEqual({ status: 200, state: { on: 1 } });
    expect(await levels()).toEqual([0]);
    expect(await nound.get("/pump")).toEqual({ status: 200, state: { on: 1 } });
    expect(await nound.delete("/pump")).toEqual({ status: 200, state: { on: 0 } });
    expect(await levels()).toEqual([1]);
  });

  test("keeps its level through kill -9 and a start as it is", async () => {
    const first = await board().startNound(nouns({ boot: "as-is" }));
    await first.put("/pump", { on: 1 });
    await levels();
    await first.kill();
    const second = await board().startNound(nouns({ boot: "as-is" }));
    expect(await second.get("/pump")).toEqual({ status: 200, state: { on: 1 } });
    expect(await levels()).toEqual([]);
  });

  test("gets its last level back after kill -9 and a start that restores it", async () => {
    const restoring = nouns({ boot: "restore" });
    const first = await board().startNound(restoring);
    await first.put("/pump", { on: 1 });
    await first.kill();
    // What the board would be like after a loss of power: the line is low.
    await (await board().startNound(nouns({}))).stop();
    expect(await board().pins.voltage(offset)).toBe(0);
    await levels();
    const second = await board().startNound(restoring);
    expect(await levels()).toEqual([1]);
    expect(await second.get("/pump")).toEqual({ status: 200, state: { on: 1 } });
  });

  test("falls back when its lease is over", async () => {
    // Much longer than a busy machine takes from the first PUT to the second, which renews it.
    const lease = 8_000;
    const nound = await board().startNound(nouns({ lease }));
    await levels();
    await nound.put("/pump", { on: 1 });
    await nound.put("/pump", { on: 1 });
    await eventually("the lease is over", async () => (await board().pins.voltage(offset)) === 0);
    expect(await levels()).toEqual([1, 0]);
    expect(await nound.get("/pump")).toEqual({ status: 200, state: { on: 0 } });
  });

  test("holds the line for the length of a pulse", async () => {
    const nound = await board().startNound(nouns({ pulse: 200 }));
    await levels();
    expect(await nound.post("/pump")).toEqual({ status: 200, state: { on: 1 } });
    await eventually("the pulse is over", async () => (await board().pins.voltage(offset)) === 0);
    expect(await levels()).toEqual([1, 0]);
  });
});
