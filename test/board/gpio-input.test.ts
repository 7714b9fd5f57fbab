/**
 * The kind `gpio-input` on a PL061, over both interfaces of the kernel. Voltages are put on the pin outside the guest.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Voltage } from "./harness/board.ts";
import { type BoardNound, forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const offset = 4;

function drive(voltage: Voltage): Promise<void> {
  return board().pins.drive(offset, voltage);
}

/** Drives the pin, and waits until nound has seen so many edges. */
async function driveAndCount(nound: BoardNound, voltage: Voltage, edges: number): Promise<void> {
  await drive(voltage);
  await eventually(`nound has seen edge ${edges}`, async () => {
    const { edges: seen } = (await nound.get("/button")).state;
    return seen === edges;
  });
}

beforeEach(() => drive(0));

describe.each(["gpiod", "sysfs"] as const)("by %s, an input", (backend) => {
  const nouns = (options: object) => ({
    gpioBackend: backend,
    nouns: { button: { kind: "gpio-input", chip: "gpiochip0", offset, key: "pressed", ...options } },
  });

  test("is read by GET", async () => {
    const nound = await board().startNound(nouns({}));
    for (const voltage of [0, 1, 0, 1] as const) {
      await drive(voltage);
      expect(await nound.get("/button")).toEqual({ status: 200, state: { pressed: voltage } });
    }
  });

  test("that is active-low reads the low voltage as 1", async () => {
    const nound = await board().startNound(nouns({ activeLow: true }));
    expect((await nound.get("/button")).state).toEqual({ pressed: 1 });
    await drive(1);
    expect((await nound.get("/button")).state).toEqual({ pressed: 0 });
  });

  test("refuses PUT and POST", async () => {
    const nound = await board().startNound(nouns({}));
    expect((await nound.put("/button", { pressed: 1 })).status).toBe(405);
    expect((await nound.post("/button")).status).toBe(405);
    expect((await nound.get("/button")).state).toEqual({ pressed: 0 });
  });

  test("counts every edge once, until DELETE begins again", async () => {
    const nound = await board().startNound(nouns({ edges: "both" }));
    expect((await nound.get("/button")).state).toEqual({ pressed: 0, edges: 0, missed: 0, sinceEdge: null });
    for (let edge = 1; edge <= 10; edge++) {
      await driveAndCount(nound, edge % 2 === 1 ? 1 : 0, edge);
    }
    const { pressed, edges, missed, sinceEdge } = (await nound.get("/button")).state;
    expect({ pressed, edges, missed }).toEqual({ pressed: 0, edges: 10, missed: 0 });
    expect(sinceEdge).toBeTypeOf("number");
    // The kernel's clock and nound's are one: an edge of this moment is not hours old.
    expect(sinceEdge).toBeGreaterThanOrEqual(0);
    expect(sinceEdge).toBeLessThan(3_600_000);
    expect((await nound.delete("/button")).state).toEqual({ pressed: 0, edges: 0, missed: 0, sinceEdge: null });
    await driveAndCount(nound, 1, 1);
  });

  test("counts the edges of the direction asked for", async () => {
    const nound = await board().startNound(nouns({ edges: "rising" }));
    await driveAndCount(nound, 1, 1);
    await drive(0);
    await driveAndCount(nound, 1, 2);
    expect((await nound.get("/button")).state).toMatchObject({ pressed: 1, edges: 2, missed: 0 });
  });

  test("that is active-low rises when the voltage falls", async () => {
    await drive(1);
    const nound = await board().startNound(nouns({ edges: "rising", activeLow: true }));
    await driveAndCount(nound, 0, 1);
    await drive(1);
    await driveAndCount(nound, 0, 2);
    expect((await nound.get("/button")).state).toMatchObject({ pressed: 1, edges: 2, missed: 0 });
  });
});
