/** The kinds of nouns on a second board, with another controller, many lines, and a converter. */
import { describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { configurationFile } from "../harness/nound-process.ts";
import { ast2600 } from "./harness/ast2600.ts";
import { forAllTests } from "./harness/running-board.ts";

const board = forAllTests(ast2600);

const lines = { relay: 40, pump: 41, button: 42, led: 48 } as const;

describe.each(["gpiod", "sysfs"] as const)("by %s, on the ast2600", (gpioBackend) => {
  const nouns = (name: keyof typeof lines, options: object) => ({
    gpioBackend,
    nouns: { [name]: { chip: "1e780000.gpio", offset: lines[name], key: "on", ...options } },
  });

  test("an output is moved", async () => {
    const nound = await board().startNound(nouns("relay", { kind: "gpio-output" }));
    expect(await board().pins.voltage(lines.relay)).toBe(0);
    expect((await nound.put("/relay", { on: 1 })).state).toEqual({ on: 1 });
    expect(await board().pins.voltage(lines.relay)).toBe(1);
    expect((await nound.post("/relay")).state).toEqual({ on: 0 });
    expect(await board().pins.voltage(lines.relay)).toBe(0);
  });

  test("an active-low output has the high voltage for 0", async () => {
    const nound = await board().startNound(nouns("pump", { kind: "gpio-output", activeLow: true }));
    await nound.put("/pump", { on: 1 });
    expect(await board().pins.voltage(lines.pump)).toBe(0);
    await nound.put("/pump", { on: 0 });
    expect(await board().pins.voltage(lines.pump)).toBe(1);
  });

  test("an input is read and its edges are counted", async () => {
    await board().pins.drive(lines.button, 0);
    const nound = await board().startNound(nouns("button", { kind: "gpio-input", edges: "both" }));
    for (let edge = 1; edge <= 6; edge++) {
      const voltage = edge % 2 === 1 ? 1 : 0;
      await board().pins.drive(lines.button, voltage);
      await eventually(`nound has seen edge ${edge}`, async () => {
        const { edges, on } = (await nound.get("/button")).state;
        return edges === edge && on === voltage;
      });
    }
    expect((await nound.get("/button")).state).toMatchObject({ edges: 6, missed: 0 });
  });

  test("a pin that the board uses for something else is refused", async () => {
    const nound = await board().startNound({
      gpioBackend,
      nouns: { relay: { kind: "gpio-output", chip: "gpiochip0", offset: 0, key: "on" } },
    });
    expect((await nound.get("/relay")).status).toBe(500);
    await nound.stop(expect.stringMatching(/^[^\n]*\bgpiochip\d+ 0\b[^\n]*\n$/));
  });
});

test("a line is found by its name among those of all chips", async () => {
  const relay = { kind: "gpio-output", line: "RELAY", key: "on" };
  const nound = await board().startNound({ gpioBackend: "gpiod", nouns: { relay } });
  await nound.put("/relay", { on: 1 });
  expect(await board().pins.voltage(lines.relay)).toBe(1);
});

test("a LED lights its pin", async () => {
  const nound = await board().startNound({ nouns: { alarm: { kind: "led", device: "amber:alarm" } } });
  await nound.put("/alarm", { brightness: 1, trigger: "none" });
  expect(await board().pins.voltage(lines.led)).toBe(1);
  await nound.delete("/alarm");
  expect(await board().pins.voltage(lines.led)).toBe(0);
});

async function attribute(name: string): Promise<number> {
  return Number(await board().guest.read(`/sys/bus/iio/devices/iio:device0/${name}`));
}

test("a converter gives the value it measures, and the voltage that it means", async () => {
  const nound = await board().startNound({
    nouns: { battery: { kind: "sensor", device: "ast2600-adc0", channel: "voltage0", raw: true } },
  });
  const [scale, offset] = [await attribute("in_voltage_scale"), await attribute("in_voltage_offset")];
  expect(scale).toBeGreaterThan(0);
  for (const raw of [0, 1, 512, 1023]) {
    await board().pins.setChannel0(raw);
    const { raw: measured, volts } = (await nound.get("/battery")).state;
    expect(measured).toBe(raw);
    expect(volts).toBeCloseTo(((raw + offset) * scale) / 1_000, 5);
  }
  expect((await nound.put("/battery", { raw: 1 })).status).toBe(405);
});

/** Restricts itself and says how. */
const restricted = `
  import { exit } from "nound:loop";
  import { restrict } from "nound:privileges";
  import { printOutput } from "nound:system";
  printOutput(restrict());
  exit(0);
`;

test("the board's kernel takes the filter of system calls, with which all of this ran", async () => {
  const { ending, output } = await board().runApplication(configurationFile(restricted));
  expect({ ending, output }).toEqual({
    ending: "exit 0",
    output: expect.stringContaining("system calls restricted by seccomp"),
  });
});
