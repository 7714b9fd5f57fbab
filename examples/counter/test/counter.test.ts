import { Server } from "nound";
import { pin, request, reset } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { counter } from "../src/counter.ts";

let server: Server;

beforeEach(() => {
  reset();
  server = new Server();
  server.register("counter", counter("GPIO27"));
});

const ask = async (method: string, body?: { readonly count: number } | Record<string, never>) =>
  (await request(server, { method, path: "/counter", ...(body && { body }) })).body;

test("each press counts, however long it lasts", async () => {
  const button = pin("GPIO27");
  for (let press = 0; press < 3; press += 1) {
    button.press();
    button.release();
  }
  button.press();
  expect(await ask("GET")).toEqual({ count: 4, pressed: true });
  button.release();
  expect(await ask("GET")).toEqual({ count: 4, pressed: false });
});

test("the button is one to ground", async () => {
  expect(pin("GPIO27").voltage).toBe(1);
  pin("GPIO27").press();
  expect(pin("GPIO27").voltage).toBe(0);
});

test("POST counts as a press does", async () => {
  expect(await ask("POST", {})).toEqual({ count: 1, pressed: false });
});

test("PUT says where to count from, DELETE goes back to 0", async () => {
  await ask("PUT", { count: 41 });
  pin("GPIO27").press();
  expect(await ask("GET")).toEqual({ count: 42, pressed: true });
  expect(await ask("DELETE")).toEqual({ count: 0, pressed: true });
});

test("a count below 0 is refused", async () => {
  expect((await request(server, { method: "PUT", path: "/counter", body: { count: -1 } })).status).toBe(422);
});
