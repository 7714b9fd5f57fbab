import { restrict, Server, valueNoun } from "nound";
import { advance, otherServer, request, reset, watch } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { remoteSensor } from "../src/remote-sensor.ts";

const other = "192.0.2.10:8080";
let server: Server;

beforeEach(() => {
  reset();
  // As the reach of src/main.ts does on the device.
  restrict({ connect: [other] });
  server = new Server();
});

/** Makes the noun, which asks at once. */
async function start(): Promise<void> {
  server.register("cellar", remoteSensor({ url: `http://${other}/cellar`, interval: 10_000 }));
  await advance(0);
}

async function celsius(): Promise<unknown> {
  return (await request(server, { path: "/cellar" })).body["celsius"];
}

test("it shows what a device with nouns measures, and tells who watches of a change", async () => {
  const device = new Server();
  device.register("cellar", valueNoun({ default: { celsius: 3.5 } }));
  otherServer(other, device);
  await start();
  const stream = await watch(server, { path: "/cellar" });
  await request(device, { method: "PUT", path: "/cellar", body: { celsius: 4 } });
  await advance(10_000);
  expect(stream.events).toEqual([{ celsius: 3.5 }, { celsius: 4 }]);
});

test.each([
  ["refuses connections", undefined],
  ["fails", () => ({ status: 500 })],
  ["has no measurement", () => ({ body: { celsius: null } })],
  ["is another program", () => ({ body: "<html>" })],
  ["does not answer", () => undefined],
])("it shows null while the other device %s, and a measurement again afterwards", async (_, answer) => {
  otherServer(other, () => ({ body: { celsius: 3.5 } }));
  await start();
  otherServer(other, answer);
  await advance(15_000); // the longest wait for an answer is 5 s
  expect(await celsius()).toBe(null);
  otherServer(other, () => ({ body: { celsius: 3.5 } }));
  await advance(10_000);
  expect(await celsius()).toBe(3.5);
});

test("it cannot be set", async () => {
  otherServer(other, undefined);
  await start();
  const { status } = await request(server, { method: "PUT", path: "/cellar", body: { celsius: 20 } });
  expect(status).toBe(405);
});
