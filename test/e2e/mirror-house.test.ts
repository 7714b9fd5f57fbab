/** Mirrors among other parts of a device: guards, and two devices that mirror each other. */
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { EventClient } from "../harness/event-client.ts";
import { Device, keepAlive, mirrorOf, relay } from "../harness/mirror-device.ts";

test("a guard holds for a mirror, and by a mirror", async () => {
  const porch = await Device.start({ nouns: { heater: relay, window: relay } });
  const hall = await Device.start({
    nouns: {
      pump: relay,
      heater: { ...mirrorOf(porch, "heater"), guard: { pump: { on: 1 } } },
      window: mirrorOf(porch, "window"),
      fan: { ...relay, guard: { window: { on: 0 } } },
    },
  });
  await hall.has("/window", { on: 0 });
  await hall.has("/heater", { on: 0 });
  expect(await hall.ask("PUT", "/heater", { on: 1 })).toMatchObject({
    status: 409,
    detail: 'heater is guarded: pump must be {"on":1}; it is {"on":0}.',
  });
  await hall.ask("PUT", "/pump", { on: 1 });
  expect(await hall.ask("PUT", "/heater", { on: 1 })).toMatchObject({ status: 200 });
  await porch.has("/heater", { on: 1 });
  expect(await hall.ask("PUT", "/fan", { on: 1 })).toMatchObject({ status: 200 });
  // First the other device's heater, then this one's pump.
  expect(await hall.ask("PUT", "/pump", { on: 0 })).toMatchObject({ status: 200 });
  expect((await porch.ask("GET", "/heater")).state).toEqual({ on: 0 });
  // A mirror that cannot be read breaks a guard, and a heater that cannot be reached keeps the pump on.
  await hall.ask("PUT", "/pump", { on: 1 });
  await hall.ask("PUT", "/heater", { on: 1 });
  porch.process.signal("SIGKILL");
  await hall.loses("/window");
  await hall.has("/fan", { on: 0 });
  expect(await hall.ask("PUT", "/fan", { on: 1 })).toMatchObject({ status: 409 });
  expect(await hall.ask("PUT", "/pump", { on: 0 })).toMatchObject({ status: 409 });
  expect((await hall.ask("GET", "/pump")).state).toEqual({ on: 1 });
  await porch.again();
  await hall.has("/heater", { on: 0 });
  expect(await hall.ask("PUT", "/pump", { on: 0 })).toMatchObject({ status: 200 });
  expect(await hall.ask("PUT", "/fan", { on: 1 })).toMatchObject({ status: 200 });
});

test("two devices that mirror each other's nouns tell each other of a change once", async () => {
  const addresses = [await freeAddress(), await freeAddress()] as const;
  const of = (address: string, noun: string) => ({ kind: "mirror", url: `http://${address}/${noun}`, keepAlive });
  const [one, other] = addresses;
  const here = await Device.start(
    { nouns: { a: relay, b: relay, c: of(other, "c"), d: of(other, "d") }, limits: { maxEventsPerSecond: 1000 } },
    one,
  );
  const there = await Device.start(
    { nouns: { a: of(one, "a"), b: of(one, "b"), c: relay, d: relay }, limits: { maxEventsPerSecond: 1000 } },
    other,
  );
  const off = { a: { on: 0 }, b: { on: 0 }, c: { on: 0 }, d: { on: 0 } };
  for (const device of [here, there]) await device.has("/", off as never);
  const streams = [new EventClient(here.address, "/"), new EventClient(there.address, "/")];
  for (const stream of streams) await stream.count(1);
  for (let count = 1; count <= 20; count++) {
    const on = count % 2;
    await here.ask("PUT", "/a", { on });
    await there.has("/a", { on });
    await there.ask("PUT", "/d", { on });
    await here.has("/d", { on });
  }
  // What a loop sent would come before these.
  await here.ask("PUT", "/b", { on: 1 });
  await there.ask("PUT", "/c", { on: 1 });
  for (const device of [here, there]) await device.has("/", { ...off, b: { on: 1 }, c: { on: 1 } } as never);
  for (const stream of streams) {
    await stream.count(2);
    expect(stream.events.length).toBeLessThanOrEqual(1 + 42);
  }
});
