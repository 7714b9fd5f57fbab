/** A PL061 whose driver leaves it and takes it again, as a USB device with lines is unplugged and plugged in. */
import { expect, test } from "vitest";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { judgesTime } from "../harness/waiting-time.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const driver = "/sys/bus/amba/drivers/pl061_gpio";
const chip = "9030000.pl061";
const [relay, pump, valve, button, meter] = [0, 1, 2, 4, 5];
const times = 10;

const nouns = {
  relay: { kind: "gpio-output", line: "RELAY", key: "on" },
  pump: { kind: "gpio-output", chip, offset: pump, key: "on", default: 1 },
  valve: { kind: "gpio-output", chip: "gpiochip0", offset: valve, key: "on", lease: 60_000 },
  meter: { kind: "gpio-input", chip, offset: meter, key: "pulse", edges: "both" },
  button: { kind: "gpio-input", line: "BUTTON", key: "pressed" },
  note: { kind: "value", default: { n: 0 } },
};

/** s on the clock of the board's kernel. */
async function uptime(): Promise<number> {
  return Number((await board().guest.read("/proc/uptime")).split(" ")[0]);
}

test(`a chip that goes and comes back ${times} times is right again each time`, { timeout: 300_000 }, async () => {
  await board().pins.drive(button, 1);
  const launched = await uptime();
  const nound = await board().startNound({ nouns });
  const start = (await uptime()) - launched;
  await nound.put("/note", { n: 7 });
  const waits: number[] = [];
  for (let time = 0; time < times; time++) {
    await nound.put("/relay", { on: 1 });
    const stream = new EventClient(nound.address, "/relay");
    await stream.says({ on: 1 });
    await board().guest.write(`${driver}/unbind`, chip);
    await eventually("the stream is told", () => stream.last === null);
    expect((await nound.get("/relay")).status).toBe(500);
    expect((await nound.get("/button")).status).toBe(500);
    expect((await nound.put("/pump", { on: 0 })).status).toBe(503);
    expect((await nound.post("/pump")).status).toBe(503);
    expect((await nound.get("/")).state).toMatchObject({ relay: null, pump: null, meter: null, note: { n: 7 } });
    for (const line of [relay, pump, valve]) await board().pins.changes(line);
    await board().guest.write(`${driver}/bind`, chip);
    const since = await uptime();
    await eventually("the chip's nouns answer", async () => {
      const { status, state } = await nound.get("/");
      return status === 200 && Object.values(state).every((one) => one !== null);
    });
    waits.push((await uptime()) - since);
    // As at a start: the default, and no other level before it.
    expect((await nound.get("/")).state).toMatchObject({
      relay: { on: 0 },
      pump: { on: 1 },
      valve: { on: 0 },
      meter: { pulse: 0, edges: 2 * time },
      button: { pressed: 1 },
      note: { n: 7 },
    });
    for (const line of [relay, pump, valve]) expect((await board().pins.changes(line)).length).toBeLessThanOrEqual(1);
    expect(await board().pins.voltage(pump)).toBe(1);
    await nound.put("/pump", { on: 0 });
    expect(await board().pins.voltage(pump)).toBe(0);
    for (const level of [1, 0] as const) {
      await board().pins.drive(meter, level);
      await eventually("the meter counts", async () => (await nound.get("/meter")).state["pulse"] === level);
    }
  }
  const seconds = waits.map((wait) => wait.toFixed(2)).join(", ");
  console.log(`a start takes ${start.toFixed(2)} s; right again after ${seconds} s of the board's clock`);
  // A busy machine slows down the start as well.
  if (judgesTime) expect(Math.max(...waits)).toBeLessThan(Math.max(2, 1 + 3 * start));
  await nound.stop(expect.any(String));
});
