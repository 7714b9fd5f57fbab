import { beforeEach, expect, test } from "vitest";
import { defineNoun, gpioInputNoun, gpioOutputNoun, Server, sensorNoun, sleep, switchNoun } from "../../../ts/nound.ts";
import { advance, pin, request, reset, setAdc, watch } from "../../../ts/testing.ts";

beforeEach(reset);

test("a test watches a noun without a socket, in fake time, and counts its events", async () => {
  const server = new Server();
  server.register("door", gpioInputNoun({ line: "GPIO27", key: "open", edges: "both" }));
  const stream = await watch(server, { path: "/door" });
  expect(stream.events).toEqual([{ open: 0, edges: 0, missed: 0, sinceEdge: null }]);
  await advance(100);
  pin("GPIO27").press();
  await advance(0);
  expect(stream.events.at(-1)).toMatchObject({ open: 1, edges: 1 });
  await advance(60_000);
  expect(stream.events.length).toBe(2);
});

test("an input with nothing but line and key is told of each edge, and not read in between", async () => {
  const server = new Server();
  server.register("door", gpioInputNoun({ line: "GPIO27", key: "open" }));
  const stream = await watch(server, { path: "/door" });
  await advance(100);
  for (let press = 0; press < 10; press++) {
    pin("GPIO27").press();
    await advance(20);
    pin("GPIO27").release();
    await advance(500);
  }
  expect(stream.events).toEqual([{ open: 0 }, ...Array.from({ length: 20 }, (_, n) => ({ open: (n + 1) % 2 }))]);
});

test("the end of a pulse and of a lease is told", async () => {
  const server = new Server();
  server.register("bell", gpioOutputNoun({ line: "GPIO17", key: "bell", pulse: 500 }));
  const stream = await watch(server, { path: "/bell" });
  await request(server, { method: "POST", path: "/bell", body: {} });
  await advance(1_000);
  expect(stream.events).toEqual([{ bell: 0 }, { bell: 1 }, { bell: 0 }]);
});

test("a sensor is read while it is watched, every `poll` ms, and neither before nor after", async () => {
  const server = new Server();
  let reads = 0;
  const celsius = { celsius: { type: "number" } } as const;
  const sensor = defineNoun({
    shape: celsius,
    poll: 5_000,
    async get() {
      reads += 1;
      await sleep(750);
      return { celsius: reads };
    },
  });
  server.register("sensor", sensor);
  await advance(60_000);
  expect(reads).toBe(0);
  const watching = watch(server, { path: "/sensor" });
  await advance(750);
  const stream = await watching;
  await advance(19_900);
  expect(reads).toBe(5);
  expect(stream.events).toEqual([1, 2, 3, 4].map((count) => ({ celsius: count })));
  stream.close();
  await advance(60_000);
  expect(reads).toBe(5);
});

test("a converter's option says how often it is read", async () => {
  const server = new Server();
  server.register("battery", sensorNoun({ device: "iio:device0", channel: "voltage0", raw: true, poll: 100 }));
  setAdc("iio:device0", "voltage0", 500);
  const stream = await watch(server, { path: "/battery" });
  setAdc("iio:device0", "voltage0", 1_000);
  await advance(99);
  expect(stream.events.length).toBe(1);
  await advance(1);
  expect(stream.events.at(-1)).toMatchObject({ raw: 1_000 });
});

test("a failing noun is null in its events until it recovers; a failing first reading rejects", async () => {
  const server = new Server();
  server.register("door", gpioInputNoun({ line: "GPIO27", key: "open", edges: "both" }));
  const stream = await watch(server, { path: "/door" });
  pin("GPIO27").fail(new Error("no"));
  await request(server, { method: "DELETE", path: "/door" });
  await advance(20);
  await expect(watch(server, { path: "/door" })).rejects.toThrow("there is no stream: 500 The noun failed.");
  pin("GPIO27").fail(undefined);
  await advance(1_000);
  expect(stream.events.map((event) => event?.["open"])).toEqual([0, undefined, 0]);
});

test("a stream tells when the server has ended it", async () => {
  const server = new Server();
  server.register("led", switchNoun({ key: "led" }));
  const stream = await watch(server, { path: "/led" });
  expect(stream.hasEnded).toBe(false);
  await server.close();
  expect(stream.hasEnded).toBe(true);
});

test("text beyond ASCII is read as it is", async () => {
  const server = new Server();
  server.register("door", switchNoun({ key: "Tür", values: ["zu", "öffnet 🙂"] }));
  await request(server, { method: "POST", path: "/door", body: {} });
  expect((await watch(server, { path: "/door" })).events).toEqual([{ Tür: "öffnet 🙂" }]);
});
