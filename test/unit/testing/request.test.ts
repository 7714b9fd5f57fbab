import { beforeEach, expect, test } from "vitest";
import { defineNoun, gpioOutputNoun, Server, sleep, switchNoun } from "../../../ts/nound.ts";
import { advance, exitStatus, pin, request, reset, sendSignal } from "../../../ts/testing.ts";

beforeEach(reset);

test("asks a server that listens nowhere", async () => {
  const server = new Server();
  server.register("led", switchNoun({ key: "led" }));
  const put = await request(server, { method: "PUT", path: "/led", body: { led: 1 } });
  expect(put).toMatchObject({ status: 200, headers: { "content-type": "application/json" }, body: { led: 1 } });
  expect((await request(server, { path: "/LED" })).body).toEqual({ led: 1 });
});

test("shows the problem document of a refusal, and sends a text as it is", async () => {
  const server = new Server();
  server.register("led", switchNoun({ key: "led" }));
  const { status, body } = await request(server, { method: "PUT", path: "/led", body: "{" });
  expect(status).toBe(400);
  expect(body).toMatchObject({ status: 400, title: "Bad Request" });
});

test.each([
  ["/metrics", "*/*", "nound_"],
  ["/", "text/html", "\u001f"],
  ["/led", "text/csv", "time"],
  ["/changes", "*/*", '"led"'],
])("has the text of an answer that is not a state: %s as %s", async (path, accept, text) => {
  const server = new Server();
  server.register("led", switchNoun({ key: "led" }));
  await request(server, { method: "PUT", path: "/led", body: { led: 1 } });
  const asked = request(server, { path, headers: { accept } });
  await advance(1_000);
  const answer = await asked;
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.text.toLowerCase()).toContain(text.toLowerCase());
});

test("carries text beyond ASCII both ways", async () => {
  const server = new Server();
  let text = "";
  const shape = { text: { type: "string" } } as const;
  server.register(
    "note",
    defineNoun({
      shape,
      default: { text },
      get: () => ({ text }),
      set: (state) => {
        text = state.text;
      },
    }),
  );
  const answer = await request(server, { method: "PUT", path: "/note", body: { text: "Grüße, 100 % 🙂" } });
  expect(answer.body).toEqual({ text: "Grüße, 100 % 🙂" });
});

test("a noun that takes its time answers when the time has passed", async () => {
  const server = new Server();
  let open = false;
  const valve = defineNoun({
    shape: { open: { type: "boolean" } },
    default: { open: false },
    get: () => ({ open }),
    set: async (state) => {
      await sleep(1_000);
      await sleep(1_000);
      ({ open } = state);
    },
  });
  server.register("valve", valve);
  let answered = false;
  const answer = request(server, { method: "PUT", path: "/valve", body: { open: true } }).finally(() => {
    answered = true;
  });
  await advance(1_999);
  expect(answered).toBe(false);
  await advance(1);
  expect((await answer).body).toEqual({ open: true });
});

test("a pump's lease runs out in fake time", async () => {
  const server = new Server();
  server.register("pump", gpioOutputNoun({ line: "GPIO17", key: "pump", lease: 30_000 }));
  await request(server, { method: "PUT", path: "/pump", body: { pump: 1 } });
  await advance(29_999);
  expect(pin("GPIO17").level).toBe(1);
  await advance(1);
  expect(pin("GPIO17").level).toBe(0);
});

test("SIGTERM leaves outputs at their default and ends the program with status 0", async () => {
  const server = new Server();
  server.register("pump", gpioOutputNoun({ line: "GPIO17", key: "pump" }));
  await request(server, { method: "PUT", path: "/pump", body: { pump: 1 } });
  sendSignal("SIGTERM");
  await advance(0);
  expect(pin("GPIO17").voltage).toBe(0);
  expect(exitStatus()).toBe(0);
});

test("a request that is not answered before the server gives up fails", async () => {
  const server = new Server({ limits: { nounTimeout: 60_000, shutdownTimeout: 1_000 } });
  server.register("never", defineNoun({ shape: {}, get: () => new Promise<never>(() => {}) }));
  const failure = expect(request(server, { path: "/never" })).rejects.toThrow(
    "the server closed the connection without an answer to /never",
  );
  void server.close();
  await advance(1_001);
  await failure;
});

test("a noun that closes the server after it has waited is answered when shutdownTimeout is over", async () => {
  const server = new Server({ limits: { nounTimeout: 60_000, shutdownTimeout: 1_000 } });
  const get = async () => {
    await sleep(10);
    await server.close();
    return {};
  };
  server.register("off", defineNoun({ shape: {}, get }));
  const answer = request(server, { path: "/off" });
  await advance(10);
  await advance(1_000);
  expect((await answer).status).toBe(200);
});
