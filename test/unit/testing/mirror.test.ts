/** An author's test of a noun that uses another device: the other device is a server of the test. */

import { beforeEach, expect, test } from "vitest";
import { mirrorNoun, Server, switchNoun } from "../../../ts/nound.ts";
import { advance, otherServer, request, reset, watch } from "../../../ts/testing.ts";

beforeEach(reset);

test("a mirror follows another device, changes it, and cannot be read while it is away", async () => {
  const porch = new Server();
  porch.register("bell", switchNoun({ key: "on" }));
  otherServer("porch.local:8080", porch);
  const hall = new Server();
  hall.register("bell", mirrorNoun({ url: "http://porch.local:8080/bell" }));
  await advance(100);
  expect(await request(hall, { path: "/bell" })).toMatchObject({ status: 200, body: { on: 0 } });
  const stream = await watch(hall, { path: "/bell" });
  await request(porch, { method: "PUT", path: "/bell", body: { on: 1 } });
  await advance(1_000);
  expect(stream.events.at(-1)).toMatchObject({ on: 1 });
  const changing = request(hall, { method: "PUT", path: "/bell", body: { on: 0 } });
  await advance(10);
  expect(await changing).toMatchObject({ status: 200, body: { on: 0 } });
  expect(await request(porch, { path: "/bell" })).toMatchObject({ body: { on: 0 } });
  otherServer("porch.local:8080", undefined);
  await advance(60_000);
  expect(await request(hall, { path: "/bell" })).toMatchObject({ status: 503 });
  otherServer("porch.local:8080", porch);
  await advance(10_000);
  expect(await request(hall, { path: "/bell" })).toMatchObject({ status: 200, body: { on: 0 } });
});
