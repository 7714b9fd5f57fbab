/** A guard on a mirror: the output is at its default as soon as the other device cannot be heard. */
import { expect, test } from "vitest";
import { Cable, Device, mirrorOf, relay } from "../harness/mirror-device.ts";

test.each<[string, (pumps: Device, cable: Cable) => void]>([
  ["killed", (pumps) => pumps.process.signal("SIGKILL")],
  ["frozen", (pumps) => process.kill(pumps.process.pid, "SIGSTOP")],
  ["cut off", (_, cable) => cable.pull()],
])("a heater goes off, and stays off, when the device of its pump is %s", async (_, lose) => {
  const pumps = await Device.start({ nouns: { pump: relay } });
  const cable = await Cable.to(pumps);
  const heater = { ...relay, guard: { pump: { on: 1 } } };
  const boiler = await Device.start({ nouns: { pump: mirrorOf(cable, "pump"), heater } });
  expect((await boiler.ask("PUT", "/heater", { on: 1 })).status).toBe(409);
  await pumps.ask("PUT", "/pump", { on: 1 });
  await boiler.has("/pump", { on: 1 });
  expect((await boiler.ask("PUT", "/heater", { on: 1 })).status).toBe(200);
  const { pid } = pumps.process;
  lose(pumps, cable);
  try {
    await boiler.has("/heater", { on: 0 });
    expect((await boiler.ask("PUT", "/heater", { on: 1 })).status).toBe(409);
  } finally {
    if (_ === "frozen") process.kill(pid, "SIGCONT");
  }
});
