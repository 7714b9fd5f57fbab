/** What a test learns about a noun that fails, or that makes a mistake which no client notices. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defineNoun, Server } from "../../../ts/nound.ts";
import { request, reset, watch } from "../../../ts/testing.ts";

let shown = vi.spyOn(console, "error");

beforeEach(() => {
  reset();
  shown = vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => shown.mockRestore());

function told(): readonly unknown[] {
  return shown.mock.calls.map(([text]) => text);
}

test("an answer of 500 shows the error of the noun, and the line of the file that threw it", async () => {
  const server = new Server();
  server.register(
    "bus",
    defineNoun({
      shape: {},
      get() {
        throw new Error("the bus does not answer");
      },
    }),
  );
  expect((await request(server, { path: "/bus" })).status).toBe(500);
  expect((await request(server, { path: "/bus" })).status).toBe(500);
  expect(told()).toHaveLength(2);
  expect(told()[0]).toMatch(/^bus: Error: the bus does not answer\n {4}at .*failures\.test\.ts:26:\d+/);
});

test("a state that is not of the noun's shape gets 500, in a stream null, and its key is shown", async () => {
  const server = new Server();
  let level = 100;
  server.register("tank", defineNoun({ shape: { level: { type: "integer", maximum: 100 } }, get: () => ({ level }) }));
  expect((await request(server, { path: "/tank" })).status).toBe(200);
  level = 101;
  expect((await request(server, { path: "/tank" })).status).toBe(500);
  await expect(watch(server, { path: "/tank" })).rejects.toThrow("500");
  expect((await request(server, { path: "/" })).body).toEqual({ tank: null });
  expect(told()[0]).toContain(
    'tank: TypeError: The noun returned a state that does not fit its shape: the value of "level" must be a whole ' +
      "number of at most 100, but is 101.",
  );
});

test("a PUT that leaves the noun in a state other than the requested one is answered, and shown", async () => {
  const server = new Server();
  let speed = 0;
  server.register(
    "fan",
    defineNoun({
      shape: { speed: { type: "integer" }, rotations: { type: "integer", readOnly: true } },
      default: { speed: 0 },
      get: () => ({ speed, rotations: 10 * speed }),
      set: (state) => {
        speed = Math.max(30, state.speed);
      },
    }),
  );
  await request(server, { method: "PUT", path: "/fan", body: { speed: 40 } });
  expect(told()).toEqual([]);
  const { status, body } = await request(server, { method: "PUT", path: "/fan", body: { speed: 7 } });
  expect({ status, body }).toEqual({ status: 200, body: { speed: 30, rotations: 300 } });
  expect(told()).toEqual([
    'fan: a PUT asked for 7 in "speed", but get gives 30: set the state of the PUT, or throw a StateError',
  ]);
});
