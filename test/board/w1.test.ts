/**
 * A one-wire thermometer, by a bus of the test's own: conversions of 0.75 s by the kernel's driver, a sensor that goes
 * and comes.
 */
import { performance } from "node:perf_hooks";
import { test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { ast2600 } from "./harness/ast2600.ts";
import { forAllTests } from "./harness/running-board.ts";

const board = forAllTests(ast2600);
const parameters = "/sys/module/w1_thermometer/parameters";
const nouns = { water: { kind: "sensor", device: "28-0316a2796ee1" }, led: { kind: "switch", key: "led" } };

/** Steps of a sixteenth of a degree. */
const temperatures = [20_000, -10_125, 85_000, -55_000, 124_937.5, 0].map(Math.round);

test("a temperature is read right, 85 degrees too, reset, absent and back again", async () => {
  const nound = await board().startNound({ nouns });
  await eventually("the bus has found its sensor", async () => {
    return (await nound.get("/water")).status === 200;
  });
  for (const thousandths of temperatures) {
    await board().guest.write(`${parameters}/thousandths`, String(thousandths));
    await eventually(`${thousandths} thousandths are read`, async () => {
      const { celsius } = (await nound.get("/water")).state;
      return typeof celsius === "number" && Math.abs(celsius * 1_000 - thousandths) <= 63;
    });
  }
  await board().guest.write(`${parameters}/weak`, "Y");
  await eventually("the value of a reset is a failure", async () => (await nound.get("/water")).status === 500);
  await board().guest.write(`${parameters}/weak`, "N");
  await eventually("a temperature follows the reset", async () => (await nound.get("/water")).status === 200);
  await board().guest.write(`${parameters}/present`, "N");
  await eventually("the sensor is absent", async () => (await nound.get("/water")).status === 500);
  await board().guest.write(`${parameters}/present`, "Y");
  await eventually("the sensor is back", async () => (await nound.get("/water")).status === 200);
});

test("during a conversion, others are answered", async () => {
  const nound = await board().startNound({ nouns });
  await eventually("a reading is no longer fresh", async () => {
    const begun = performance.now();
    let converted = false;
    const water = nound.get("/water").then(() => {
      converted = true;
    });
    let answered = 0;
    while (!converted && answered < 3) {
      await nound.get("/led");
      answered += converted ? 0 : 1;
    }
    await water;
    // One that took no conversion was fresh: it is asked for again.
    return performance.now() - begun >= 700 && answered === 3;
  });
});
