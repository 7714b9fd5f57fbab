/** The order of the parts of a server: each test fails if two of them change places. */
import { beforeEach, expect, test } from "vitest";
import { gpioOutputNoun, openStore, Server, switchNoun } from "../../../ts/nound.ts";
import { partsOf } from "../../../ts/program/application/parts.ts";
import { send } from "../../../ts/program/testing/request.ts";
import { advance, request, reset, storedTexts } from "../../../ts/testing.ts";

beforeEach(reset);

function plans() {
  return partsOf({ log: "errors" }, [], () => new Server().core);
}

test("the parts have different names, and one of them notes changes", () => {
  const names = plans().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(plans().filter(({ hearsResults }) => hearsResults)).toHaveLength(1);
});

test("guards start before the list of changes notes what the nouns begin with", async () => {
  const folder = "/var/lib/my-device";
  storedTexts(folder).set("output-heat", "1");
  const server = new Server({ changes: 64 });
  server.register("pump", switchNoun({ key: "on" }));
  const guard = { pump: { on: 1 } };
  const options = { line: "GPIO17", key: "heat", boot: "restore", guard } as const;
  server.register("heater", gpioOutputNoun({ ...options, store: openStore(folder) }));
  server.listen("127.0.0.1:8080");
  await advance(100);
  const answer = request(server, { path: "/changes" });
  await advance(0);
  const { text } = await answer;
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly noun: string; readonly by: string; readonly state: unknown });
  expect(lines).toMatchObject([{ noun: "heater", state: { heat: 0 }, by: "boot" }]);
});

test.each([
  ["/changes", "text/event-stream", "text/event-stream"],
  ["/changes", "application/json", "application/x-ndjson"],
  ["/metrics", "text/event-stream", "text/plain; version=0.0.4; charset=utf-8"],
  ["/metrics", "text/csv", "text/plain; version=0.0.4; charset=utf-8"],
  ["/", "text/html", "text/html; charset=utf-8"],
  ["/", "text/event-stream", "text/event-stream"],
  ["/lamp?lastEventId=5", "text/event-stream", "text/event-stream"],
  ["/changes?lastEventId=5", "text/event-stream", "text/event-stream"],
  ["/lamp", "text/csv", "text/csv; charset=utf-8; header=present"],
])("GET %s that prefers %s gets %s", async (path, accept, type) => {
  const server = new Server();
  server.register("lamp", switchNoun({ key: "on" }));
  server.listen("127.0.0.1:8080");
  const peer = send(server, { path, headers: { Accept: accept } });
  await advance(0);
  expect(peer.received).toMatch(/^HTTP\/1\.1 200 /);
  expect(/^Content-Type: (.*)\r$/m.exec(peer.received)?.[1]).toBe(type);
});
