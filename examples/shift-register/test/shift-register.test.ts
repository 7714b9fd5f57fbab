import { Server } from "nound";
import { request, reset, spiDevice } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { shiftRegister } from "../src/shift-register.ts";

const path = "/dev/spidev0.0";
const off = { q0: 0, q1: 0, q2: 0, q3: 0, q4: 0, q5: 0, q6: 0, q7: 0 };
let server: Server;

beforeEach(() => {
  reset();
  server = new Server();
  server.register("outputs", shiftRegister(path));
});

const sent = () => [...spiDevice(path).sent];

test("PUT sets all outputs by one byte, the last output first", async () => {
  const body = { ...off, q0: 1, q7: 1, q2: 1 };
  expect(await request(server, { method: "PUT", path: "/outputs", body })).toMatchObject({ status: 200, body });
  expect(sent()).toEqual([0b1000_0101]);
});

test("POST sets those that it names, and the others stay", async () => {
  await request(server, { method: "POST", path: "/outputs", body: { q1: 1 } });
  await request(server, { method: "POST", path: "/outputs", body: { q4: 1 } });
  expect(sent()).toEqual([0b0001_0010]);
  expect((await request(server, { path: "/outputs" })).body).toEqual({ ...off, q1: 1, q4: 1 });
});

test("DELETE switches all off, and so does the end", async () => {
  await request(server, { method: "PUT", path: "/outputs", body: { ...off, q3: 1 } });
  expect((await request(server, { method: "DELETE", path: "/outputs" })).body).toEqual(off);
  expect(sent()).toEqual([0]);
  await request(server, { method: "PUT", path: "/outputs", body: { ...off, q3: 1 } });
  await server.close();
  expect(sent()).toEqual([0]);
});

test("an unknown level is refused, and nothing is sent", async () => {
  expect((await request(server, { method: "POST", path: "/outputs", body: { q0: 2 } })).status).toBe(422);
  expect(sent()).toEqual([]);
});
