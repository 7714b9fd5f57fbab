import { Server } from "nound";
import { advance, exitStatus, pin, request, reset, sendSignal } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { blinkingLed } from "../src/blinking-led.ts";

let server: Server;

beforeEach(() => {
  reset();
  server = new Server();
  server.register("led", blinkingLed("GPIO17"));
});

/** Looks at the LED each 50 ms. @param time ms. @returns how often it was turned on. */
async function countBlinks(time: number): Promise<number> {
  let count = 0;
  for (let passed = 0; passed < time; passed += 50) {
    const before = pin("GPIO17").level;
    await advance(50);
    if (before === 0 && pin("GPIO17").level === 1) count += 1;
  }
  return count;
}

test("the LED blinks once a second at first", async () => {
  expect(await countBlinks(5_000)).toBe(5);
});

test("PUT changes the rate", async () => {
  const { body } = await request(server, { method: "PUT", path: "/led", body: { rate: 4 } });
  expect(body).toEqual({ rate: 4, lit: false });
  expect(await countBlinks(5_000)).toBe(20);
});

test("a rate of 0 leaves the LED dark", async () => {
  await advance(500);
  expect((await request(server, { path: "/led" })).body).toEqual({ rate: 1, lit: true });
  await request(server, { method: "PUT", path: "/led", body: { rate: 0 } });
  expect(await countBlinks(5_000)).toBe(0);
});

test("DELETE goes back to once a second", async () => {
  await request(server, { method: "PUT", path: "/led", body: { rate: 10 } });
  await request(server, { method: "DELETE", path: "/led" });
  expect(await countBlinks(5_000)).toBe(5);
});

test("a rate that no eye could follow is refused, naming the key", async () => {
  const { status, body } = await request(server, { method: "PUT", path: "/led", body: { rate: 50 } });
  expect(status).toBe(422);
  expect(body["detail"]).toBe('The value of "rate" must be a number from 0 to 20.');
});

test("the program leaves the LED dark", async () => {
  server.listen("127.0.0.1:8080");
  await advance(500);
  sendSignal("SIGTERM");
  await advance(5_000);
  expect(pin("GPIO17").voltage).toBe(0);
  expect(exitStatus()).toBe(0);
});
