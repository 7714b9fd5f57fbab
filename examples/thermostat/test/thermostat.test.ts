import { gpioOutputNoun, Server } from "nound";
import { advance, pin, request, reset } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { thermostat } from "../src/thermostat.ts";

let server: Server;
let celsius: number | Error;

beforeEach(() => {
  reset();
  celsius = 20;
  const heater = gpioOutputNoun({ line: "GPIO17", key: "heater", lease: 30_000 });
  const measure = async () => {
    if (celsius instanceof Error) throw celsius;
    return celsius;
  };
  server = new Server();
  server.register("heater", heater);
  server.register("thermostat", thermostat({ measure, heater, tolerance: 0.5, interval: 5_000 }));
});

/** Lets the rule look once at a temperature. @returns the level of the heater's line. */
async function heaterAt(temperature: number | Error): Promise<number> {
  celsius = temperature;
  await advance(5_000);
  return pin("GPIO17").level;
}

test("it heats below the target and stops above it, with nothing in between", async () => {
  expect(await heaterAt(20)).toBe(0);
  expect(await heaterAt(19.6)).toBe(0);
  expect(await heaterAt(19.5)).toBe(1);
  expect(await heaterAt(20.4)).toBe(1);
  expect(await heaterAt(20.5)).toBe(0);
});

test("a new target counts at once", async () => {
  const { body } = await request(server, { method: "PUT", path: "/thermostat", body: { target: 22 } });
  expect(body).toEqual({ target: 22, celsius: 20, heating: true });
  expect(pin("GPIO17").level).toBe(1);
});

test("without a measurement it does not heat", async () => {
  expect(await heaterAt(15)).toBe(1);
  expect(await heaterAt(new Error("the cable is broken"))).toBe(0);
  const { body } = await request(server, { path: "/thermostat" });
  expect(body).toEqual({ target: 20, celsius: null, heating: false });
});

test("the heater stays on past its lease while the rule says so", async () => {
  expect(await heaterAt(15)).toBe(1);
  await advance(120_000);
  expect(pin("GPIO17").level).toBe(1);
});

test("the heater falls off when the rule is gone", async () => {
  expect(await heaterAt(15)).toBe(1);
  await server.close();
  expect(pin("GPIO17").voltage).toBe(0);
});

test("what is measured can be read and not set", async () => {
  const { status, body } = await request(server, {
    method: "PUT",
    path: "/thermostat",
    body: { target: 20, celsius: 30 },
  });
  expect(status).toBe(422);
  expect(body["detail"]).toBe('The key "celsius" is read-only; leave it out.');
});
