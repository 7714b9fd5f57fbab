/** The kind `led` on a LED that the device tree gives to a pin. */
import { expect, test } from "vitest";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const offset = 7;
const nouns = (options: object) => ({ nouns: { status: { kind: "led", device: "green:status", ...options } } });

test("a LED follows PUT, POST and DELETE", async () => {
  const nound = await board().startNound(nouns({ default: { brightness: 0 } }));
  expect((await nound.get("/status")).state).toEqual({ brightness: 0, trigger: "none" });
  expect(await board().pins.voltage(offset)).toBe(0);
  const lit = { brightness: 1, trigger: "none" };
  expect((await nound.put("/status", lit)).state).toEqual(lit);
  expect(await board().pins.voltage(offset)).toBe(1);
  await nound.post("/status");
  expect(await board().pins.voltage(offset)).toBe(0);
  await nound.post("/status");
  expect(await board().pins.voltage(offset)).toBe(1);
  await nound.delete("/status");
  expect(await board().pins.voltage(offset)).toBe(0);
});

test("a LED blinks by a trigger of the kernel until it is taken back", async () => {
  const nound = await board().startNound(nouns({ default: { brightness: 0 } }));
  await board().pins.changes(offset);
  expect((await nound.post("/status", { trigger: "heartbeat" })).state).toMatchObject({ trigger: "heartbeat" });
  let blinks = 0;
  await eventually("the LED has blinked twice", async () => {
    blinks += (await board().pins.changes(offset)).length;
    return blinks >= 4;
  });
  expect((await nound.delete("/status")).state).toEqual({ brightness: 0, trigger: "none" });
  expect(await board().pins.voltage(offset)).toBe(0);
});

test("a LED refuses what it cannot be", async () => {
  const nound = await board().startNound(nouns({}));
  expect((await nound.put("/status", { brightness: 2, trigger: "none" })).status).toBe(422);
  expect((await nound.put("/status", { brightness: 0, trigger: "disco" })).status).toBe(422);
});

test("a LED returns to the state it was found in when nound ends", async () => {
  const nound = await board().startNound(nouns({}));
  await nound.put("/status", { brightness: 1, trigger: "none" });
  expect(await board().pins.voltage(offset)).toBe(1);
  await nound.stop();
  expect(await board().pins.voltage(offset)).toBe(0);
});

test("a LED that goes and comes back is set as at a start", async () => {
  const driver = "/sys/bus/platform/drivers/leds-gpio";
  const { nouns: led } = nouns({ default: { brightness: 1 } });
  const configuration = { log: "errors", nouns: { ...led, note: { kind: "value", default: { n: 0 } } } } as const;
  const nound = await board().startNound(configuration);
  await nound.put("/status", { brightness: 0, trigger: "none" });
  await nound.put("/note", { n: 7 });
  const stream = new EventClient(nound.address, "/status");
  await stream.says({ brightness: 0, trigger: "none" });
  await board().guest.write(`${driver}/unbind`, "leds");
  await eventually("the stream is told", () => stream.last === null);
  expect((await nound.get("/status")).status).toBe(500);
  expect((await nound.put("/status", { brightness: 1, trigger: "none" })).status).toBe(503);
  expect((await nound.delete("/status")).status).toBe(503);
  expect((await nound.get("/")).state).toEqual({ status: null, note: { n: 7 } });
  await board().guest.write(`${driver}/bind`, "leds");
  await eventually("the LED answers", async () => (await nound.get("/status")).status === 200);
  expect((await nound.get("/")).state).toEqual({ status: { brightness: 1, trigger: "none" }, note: { n: 7 } });
  expect(await board().pins.voltage(offset)).toBe(1);
  await nound.put("/status", { brightness: 0, trigger: "none" });
  expect(await board().pins.voltage(offset)).toBe(0);
  await nound.stop(expect.stringContaining("/sys/class/leds/green:status is gone"));
});

test("a LED that is not there is absent, and the start names those there are", async () => {
  const nound = await board().startNound(nouns({ device: "red:status" }));
  expect((await nound.get("/status")).status).toBe(503);
  await nound.stop(expect.stringMatching(/red:status.*green:status/));
});
