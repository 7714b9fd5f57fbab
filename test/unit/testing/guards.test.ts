/** Guards and covers in an author's tests: they act as on a device. */
import { beforeEach, expect, test } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { coverNoun, gpioInputNoun, gpioOutputNoun, Server } from "../../../ts/nound.ts";
import { advance, pin, request, reset } from "../../../ts/testing.ts";

beforeEach(reset);

const put = async (server: Server, noun: string, body: State) =>
  await request(server, { method: "PUT", path: `/${noun}`, body });

test("a guarded noun is refused, and goes to its default before the noun that its guard names", async () => {
  const server = new Server();
  server.register("pump", gpioOutputNoun({ line: "GPIO18", key: "on" }));
  server.register("heater", gpioOutputNoun({ line: "GPIO17", key: "on", guard: { pump: { on: 1 } } }));
  expect((await put(server, "heater", { on: 1 })).status).toBe(409);
  await put(server, "pump", { on: 1 });
  expect((await put(server, "heater", { on: 1 })).status).toBe(200);
  expect(pin("GPIO17").voltage).toBe(1);
  await put(server, "pump", { on: 0 });
  expect(pin("GPIO17").voltage).toBe(0);
});

test("a guarded noun follows an input, and a cover its end switch", async () => {
  const server = new Server();
  server.register("full", gpioInputNoun({ line: "GPIO22", key: "on", edges: "both" }));
  server.register("valve", gpioOutputNoun({ line: "GPIO17", key: "on", guard: { full: { on: 1 } } }));
  const lines = { open: { line: "GPIO23" }, close: { line: "GPIO24" }, openTime: 20_000, closeTime: 20_000 };
  server.register("gate", coverNoun({ ...lines, stopAt: { open: { full: { on: 0 } } } }));
  pin("GPIO22").drive(1);
  await put(server, "gate", { moving: "opening" });
  await advance(5_000);
  await put(server, "valve", { on: 1 });
  expect(pin("GPIO17").voltage).toBe(1);
  pin("GPIO22").drive(0);
  await advance(0);
  expect(pin("GPIO17").voltage).toBe(0);
  expect((await request(server, { path: "/gate" })).body).toEqual({ position: 100, moving: "stopped", failure: null });
});
