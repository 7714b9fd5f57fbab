import { Server } from "nound";
import { advance, pwmSignal, request, reset } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { fadingLight } from "../src/fading-light.ts";

let server: Server;

beforeEach(() => {
  reset();
  const { light, progress } = fadingLight({ chip: "pwmchip0", channel: 0, fadeTime: 2_000 });
  server = new Server();
  server.register("light", light);
  server.register("light.progress", progress);
});

const put = (level: number) => request(server, { method: "PUT", path: "/light", body: { level } });
const progress = async () => (await request(server, { path: "/light.progress" })).body;

test("PUT is answered when the fade is over", async () => {
  let isAnswered = false;
  const answer = put(100).finally(() => {
    isAnswered = true;
  });
  await advance(1_999);
  expect(isAnswered).toBe(false);
  await advance(1);
  expect(await answer).toMatchObject({ status: 200, body: { level: 100 } });
  expect(pwmSignal("pwmchip0", 0)).toEqual({ period: 1_000_000, duty: 1_000_000, enabled: true });
});

test("meanwhile the other noun tells where the light is, and where it is to go", async () => {
  const answer = put(80);
  await advance(1_000);
  expect(await progress()).toEqual({ desired: 80, current: 50 });
  await advance(1_000);
  expect(await progress()).toEqual({ desired: 80, current: 80 });
  await answer;
});

test("a second fade begins where the first has ended", async () => {
  const first = put(10);
  const second = put(0);
  await advance(200);
  expect((await first).body).toEqual({ level: 10 });
  await advance(200);
  expect((await second).body).toEqual({ level: 0 });
  expect(pwmSignal("pwmchip0", 0).enabled).toBe(false);
});

test("who waits too long is told so, and the light goes its way", async () => {
  const answers = [put(100), put(0), put(100)];
  await advance(6_000);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 503]);
  expect(await progress()).toEqual({ desired: 100, current: 100 });
});

test("POST fades up, and down again", async () => {
  const up = request(server, { method: "POST", path: "/light", body: {} });
  await advance(2_000);
  expect((await up).body).toEqual({ level: 100 });
  const down = request(server, { method: "POST", path: "/light", body: {} });
  await advance(2_000);
  expect((await down).body).toEqual({ level: 0 });
});
