import { Server } from "nound";
import { request, reset, storedTexts } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { settings } from "../src/settings.ts";

const folder = "/var/lib/my-device";
beforeEach(reset);

/** Starts the program, as after a restart. */
function start(): Server {
  const server = new Server();
  server.register("settings", settings(folder));
  return server;
}

const get = async (server: Server) => (await request(server, { path: "/settings" })).body;

test("there is a default at first", async () => {
  expect(await get(start())).toEqual({ name: "my device", volume: 30 });
});

test("a change survives a restart", async () => {
  await request(start(), { method: "POST", path: "/settings", body: { volume: 70 } });
  expect(await get(start())).toEqual({ name: "my device", volume: 70 });
});

test("what is answered is in the file already", async () => {
  await request(start(), { method: "PUT", path: "/settings", body: { name: "Küche", volume: 5 } });
  expect(storedTexts(folder).get("settings.json")).toBe('{"name":"Küche","volume":5}');
});

test.each(["", "{", "null", '{"name":1,"volume":2}'])("a file that holds %j is ignored", async (text) => {
  storedTexts(folder).set("settings.json", text);
  expect(await get(start())).toEqual({ name: "my device", volume: 30 });
});

test("a refused state is not written", async () => {
  const { status } = await request(start(), { method: "POST", path: "/settings", body: { volume: 101 } });
  expect(status).toBe(422);
  expect(storedTexts(folder).size).toBe(0);
});
