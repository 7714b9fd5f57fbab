import { gpioOutputNoun, openInput, Server } from "nound";
import { advance, pin, request, reset, watch } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { bell } from "../src/bell.ts";

let server: Server;

beforeEach(() => {
  reset();
  const button = openInput({ line: "GPIO27", edges: "rising" });
  const chime = gpioOutputNoun({ line: "GPIO17", key: "chime", pulse: 800 });
  server = new Server();
  server.register("chime", chime);
  server.register("bell", bell({ button, chime }));
});

async function ring(): Promise<void> {
  pin("GPIO27").press();
  pin("GPIO27").release();
  await advance(1_000);
}

test("each client that watches gets each ring once, with its count", async () => {
  const stream = await watch(server, { path: "/bell" });
  await advance(5_000);
  await ring();
  await ring();
  expect(stream.events).toEqual([
    { quiet: false, rings: 0, sinceRing: null },
    { quiet: false, rings: 1, sinceRing: 0 },
    { quiet: false, rings: 2, sinceRing: 0 },
  ]);
});

test("the chime sounds for 800 ms, and a client that watches it sees it begin and end", async () => {
  const stream = await watch(server, { path: "/chime" });
  await ring();
  expect(stream.events).toEqual([{ chime: 0 }, { chime: 1 }, { chime: 0 }]);
});

test("a quiet bell counts, and does not sound", async () => {
  await request(server, { method: "PUT", path: "/bell", body: { quiet: true } });
  const stream = await watch(server, { path: "/bell" });
  pin("GPIO27").press();
  await advance(0);
  expect(pin("GPIO17").level).toBe(0);
  expect(stream.events.at(-1)).toMatchObject({ quiet: true, rings: 1 });
});

test("when the last client has gone, the bell rings on", async () => {
  const stream = await watch(server, { path: "/bell" });
  stream.close();
  await ring();
  expect((await request(server, { path: "/bell" })).body).toMatchObject({ rings: 1, sinceRing: 1_000 });
});
