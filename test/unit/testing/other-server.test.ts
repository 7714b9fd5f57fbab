/** What an application's test sees of `fetch`: the servers that it makes, and what the program may reach. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fetch, restrict, Server, serve, valueNoun } from "../../../ts/nound.ts";
import { advance, type OtherRequest, otherServer, request, reset } from "../../../ts/testing.ts";

const other = "192.0.2.10:8080";
const url = `http://${other}/cellar`;

beforeEach(() => {
  reset();
  restrict({ connect: [other] });
});

test("another server gets the whole request, and its answer comes", async () => {
  const asked: OtherRequest[] = [];
  otherServer(other, (one) => {
    asked.push(one);
    return { status: 404, headers: { "X-Why": "b" }, body: "né" };
  });
  const response = await fetch(url, { method: "PUT", headers: { Accept: "a" }, body: "é" });
  expect([response.status, response.headers.get("x-why"), await response.text()]).toEqual([404, "b", "né"]);
  expect(asked).toEqual([
    { method: "PUT", path: "/cellar", headers: expect.objectContaining({ host: other, accept: "a" }), body: "é" },
  ]);
});

test("a server of nouns answers by itself, and may refuse", async () => {
  const device = new Server();
  device.register("cellar", valueNoun({ default: { celsius: 3.5 } }));
  otherServer(other, device);
  expect(await (await fetch(url)).json()).toEqual({ celsius: 3.5 });
  const headers = { "Content-Type": "application/json" };
  expect(await (await fetch(url, { method: "PUT", headers, body: '{"celsius":4}' })).json()).toEqual({ celsius: 4 });
  expect((await request(device, { path: "/cellar" })).body).toEqual({ celsius: 4 });
  expect((await fetch(`http://${other}/nothing`)).status).toBe(404);
});

test("a server can refuse connections, keep silent, and come back", async () => {
  otherServer(other, undefined);
  await expect(fetch(url)).rejects.toThrow(`${other}: It cannot be reached: Connection refused.`);
  otherServer(other, () => undefined);
  const silent = expect(fetch(url)).rejects.toThrow(`${other}: There was no response within 5000 ms.`);
  await advance(5_000);
  await silent;
  otherServer(other, () => ({}));
  expect((await fetch(url)).status).toBe(200);
});

test("requests that a test leaves under way are not those of the next", async () => {
  for (let round = 0; round < 2; round++) {
    reset();
    restrict({ connect: [other] });
    otherServer(other, () => undefined);
    for (let count = 0; count < 8; count++) void fetch(url).catch(() => undefined);
    await expect(fetch(url)).rejects.toThrow("fetch has 8 requests under way.");
  }
});

describe("the reach", () => {
  const sentence = `${other} is outside the program's reach: add reach: { connect: ["${other}"] }`;

  test("holds no server that the program does not name, even if a test makes it", async () => {
    reset();
    otherServer(other, () => ({}));
    await expect(fetch(url)).rejects.toThrow(sentence);
    restrict({ connect: ["192.0.2.11:80"] });
    await expect(fetch(url)).rejects.toThrow(sentence);
  });

  test("of restrict has its servers, whenever the test makes them", async () => {
    restrict({ connect: [other] });
    otherServer(other, () => ({}));
    expect((await fetch(url)).status).toBe(200);
  });

  test("of serve has its servers, for nouns that ask while they are made", async () => {
    otherServer(other, () => ({ status: 204 }));
    const statuses: number[] = [];
    const nouns = () => {
      void fetch(url).then(({ status }) => statuses.push(status));
      return {};
    };
    serve({ name: "a", version: "1", listen: "127.0.0.1:8080", nouns, reach: { connect: [other] } });
    await advance(0);
    expect(statuses).toEqual([204]);
  });

  test("does not name a server that the program asks without", async () => {
    otherServer(other, () => ({}));
    const failed = vi.fn();
    const nouns = () => {
      void fetch(url).catch(failed);
      return {};
    };
    serve({ name: "a", version: "1", listen: "127.0.0.1:8080", nouns });
    await advance(0);
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ message: sentence }));
  });
});
