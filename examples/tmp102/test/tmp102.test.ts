import { Server } from "nound";
import { i2cDevice, request, reset } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { celsiusOf, tmp102 } from "../src/tmp102.ts";

let server: Server;

beforeEach(() => {
  reset();
  server = new Server();
  server.register("temperature", tmp102(1, 0x48));
});

/** What the sensor has in its register for a temperature. */
function measure(celsius: number): void {
  const word = (Math.round(celsius * 16) << 4) & 0xffff;
  i2cDevice(1, 0x48).registers.set(0, Uint8Array.of(word >> 8, word & 0xff));
}

test.each([0, 0.0625, 25, 127.9375, -0.25, -25, -55])("%d °C is read as the datasheet has it", async (celsius) => {
  measure(celsius);
  expect(await request(server, { path: "/temperature" })).toMatchObject({ status: 200, body: { celsius } });
});

test("the datasheet's own table is understood", () => {
  expect([0x7ff0, 0x6400, 0x1900, 0x0040, 0x0000, 0xffc0, 0xe700, 0xc900].map(celsiusOf)).toEqual([
    127.9375, 100, 25, 0.25, 0, -0.25, -25, -55,
  ]);
});

test("a sensor that does not answer reads as null, and comes back by itself", async () => {
  i2cDevice(1, 0x48).isAbsent = true;
  expect((await request(server, { path: "/temperature" })).body).toEqual({ celsius: null });
  i2cDevice(1, 0x48).isAbsent = false;
  measure(21.5);
  expect((await request(server, { path: "/temperature" })).body).toEqual({ celsius: 21.5 });
});

test("it cannot be set", async () => {
  expect((await request(server, { method: "PUT", path: "/temperature", body: { celsius: 1 } })).status).not.toBe(200);
});
