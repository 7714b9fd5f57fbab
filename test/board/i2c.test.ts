/**
 * Thermometers on the I2C bus of a board: by the kernel's driver, and without one by the example. What they measure is
 * set from outside.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { bundleApplication } from "../harness/bundled-application.ts";
import { eventually } from "../harness/eventually.ts";
import { ast2600, thermometerBus, thermometers } from "./harness/ast2600.ts";
import { forAllTests } from "./harness/running-board.ts";

const board = forAllTests(ast2600);
const bus = `/sys/bus/i2c/devices/i2c-${thermometerBus}`;

/** Thousandths of a degree. The driver has the sensor give steps of a sixteenth. */
const temperatures = [23_500, -40_000, -62.5, 0, 100_125, 124_937.5].map(Math.round);

/** As it starts, the emulated sensor gives steps of a half; a real TMP102 gives sixteenths from the start. */
const halves = [23_500, -40_000, -500, 0, 100_000, 124_500];

/** What a sensor of 12 bits gives for a temperature: the kernel's driver rounds to thousandths. */
const isNear = (celsius: unknown, thousandths: number) =>
  typeof celsius === "number" && Math.abs(celsius * 1_000 - thousandths) <= 63;

describe("by the kernel's driver", () => {
  const nouns = { probe: { kind: "sensor", device: "tmp105", channel: "temp1" } };

  test("a sensor is absent until its driver has it, is read right, and goes and comes back", async () => {
    const nound = await board().startNound({ nouns });
    expect((await nound.get("/probe")).status).toBe(500);
    expect((await nound.get("/")).state).toEqual({ probe: null });
    await board().guest.write(`${bus}/new_device`, `tmp105 0x${thermometers.driven.toString(16)}`);
    for (const thousandths of temperatures) {
      await board().pins.setTemperature("driven", thousandths);
      await eventually(`${thousandths} thousandths are read`, async () => {
        return isNear((await nound.get("/probe")).state["celsius"], thousandths);
      });
    }
    await board().guest.write(`${bus}/delete_device`, `0x${thermometers.driven.toString(16)}`);
    expect((await nound.get("/probe")).status).toBe(500);
    expect((await nound.get("/")).state).toEqual({ probe: null });
    await board().guest.write(`${bus}/new_device`, `tmp105 0x${thermometers.driven.toString(16)}`);
    await board().pins.setTemperature("driven", 20_000);
    await eventually("it is back", async () => isNear((await nound.get("/probe")).state["celsius"], 20_000));
  });
});

describe("by the example, without a driver", () => {
  let bundle: string;
  beforeAll(async () => {
    bundle = await bundleApplication("examples/tmp102/src/main.ts");
  });

  test("a sensor is read right", async () => {
    const nound = await board().startApplication(bundle, String(thermometerBus), `${thermometers.raw}`);
    for (const thousandths of halves) {
      await board().pins.setTemperature("raw", thousandths);
      await eventually(`${thousandths} thousandths are read`, async () => {
        return isNear((await nound.get("/temperature")).state["celsius"], thousandths);
      });
    }
  });

  test("an address where no device answers reads as null", async () => {
    const nound = await board().startApplication(bundle, String(thermometerBus), "0x10");
    expect((await nound.get("/temperature")).state).toEqual({ celsius: null });
  });

  test("an address that a kernel driver has, and a bus that is absent, are refused with a sentence", async () => {
    // The driver of the test before may have been taken away; the board's own device tree has one on bus 8.
    const busy = await board().runApplication(bundle, "127.0.0.1:9", "8", "0x4d");
    expect(busy.output).toContain(
      "address 0x4d of /dev/i2c-8 belongs to the kernel's driver lm75: read what the driver gives, such as " +
        "by sensorNoun, or unbind it",
    );
    const absent = await board().runApplication(bundle, "127.0.0.1:9", "77");
    expect(absent.output).toMatch(
      /cannot open \/dev\/i2c-77: there is no such bus; the kernel's module i2c-dev may not be loaded; available: .*\/dev\/i2c-3/,
    );
  });
});
