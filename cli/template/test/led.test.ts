/** The noun on simulated hardware: no board, no socket, no waiting. */
import { pin, request } from "nound/testing";
import { expect, test } from "vitest";
import { server } from "../src/main.ts";

test("PUT turns the line on, and DELETE turns it off", async () => {
  const answer = await request(server, { method: "PUT", path: "/led", body: { led: 1 } });
  expect(answer).toMatchObject({ status: 200, body: { led: 1 } });
  expect(pin("GPIO17").level).toBe(1);
  await request(server, { method: "DELETE", path: "/led" });
  expect(pin("GPIO17").level).toBe(0);
});

test("POST toggles", async () => {
  const toggle = { method: "POST", path: "/led", body: {} };
  expect((await request(server, toggle)).body).toEqual({ led: 1 });
  expect((await request(server, toggle)).body).toEqual({ led: 0 });
});

test("a state that is not of the shape is refused, and changes nothing", async () => {
  const { status } = await request(server, { method: "PUT", path: "/led", body: { led: 2 } });
  expect(status).toBe(422);
  expect(pin("GPIO17").level).toBe(0);
});
