import { describe, expect, test } from "vitest";
import { Fields } from "../../../ts/core/http/fields.ts";
import type { RequestHead } from "../../../ts/core/http/request-head.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { NounCall } from "../../../ts/core/operations/noun-call.ts";
import type { NounRoute } from "../../../ts/core/operations/noun-route.ts";
import { WaitingClients } from "../../../ts/core/operations/waiting-clients.ts";
import { Router } from "../../../ts/core/server/router.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import { fieldsOf } from "../http/field-lines.ts";
import { DeferredNoun, RecordingNoun } from "./recording-noun.ts";

function routerWith(...names: readonly string[]): Router {
  const call = new NounCall(new SimulatedInterruption(), undefined, false);
  const clients = new WaitingClients({ maxConnections: 4, maxQueued: 1 });
  const router = new Router(
    {
      clock: new SimulatedClock(),
      call,
      clients,
      roomForStates: () => 0,
      relieve: () => true,
      limits: { nounTimeout: 100, stateBytes: 100 },
    },
    10,
  );
  for (const name of names) router.register(name, new RecordingNoun());
  return router;
}

function head(chosen: Partial<RequestHead>): RequestHead {
  return {
    method: "GET",
    target: "/led",
    contentLength: 0,
    chunked: false,
    expectsContinue: false,
    isOld: false,
    close: false,
    fields: new Fields(),
    bytes: 100,
    ...chosen,
  };
}

const json = { fields: fieldsOf(["Content-Type: application/json"]), contentLength: 10 };
const zipped = fieldsOf(["Content-Type: application/json", "Content-Encoding: gzip"]);

test.each([
  ["GET", {}],
  ["DELETE", {}],
  ["PUT", json],
  ["POST", json],
] as const)("%s goes to its noun", (method, chosen) => {
  const router = routerWith("other");
  const noun = new RecordingNoun();
  router.register("LED", noun);
  const route = router.route(head({ method, ...chosen }));
  expect(route).toMatchObject({ name: "led", takesBody: method === "PUT" || method === "POST" });
  route.perform({}, { onAnswer: () => expect.unreachable() });
  expect(noun.calls.map((call) => call.split(" ")[0])).toEqual([method]);
});

test("the fourth mirror in a row is served", () => {
  const route = routerWith("led").route(head({ fields: fieldsOf(["X-Nound-Hops: 4"]) }));
  expect(route).toMatchObject({ name: "led" });
});

describe("is refused:", () => {
  test.each<[string, Partial<RequestHead>, number, boolean]>([
    ["a query", { target: "/led?" }, 400, false],
    ["a mirror behind four others", { fields: fieldsOf(["X-Nound-Hops: 5"]) }, 400, false],
    ["a count of mirrors that is none", { fields: fieldsOf(["X-Nound-Hops: -1"]) }, 400, false],
    ["a content coding", { ...json, method: "PUT", fields: zipped }, 415, false],
  ])("%s", (_name, chosen, status, close) => {
    expect(() => routerWith("led").route(head(chosen))).toThrow(
      expect.objectContaining({ name: "HttpError", status, close }),
    );
  });
});

test("what a POST may hold is the noun's own declaration, or else its shape with every key optional", () => {
  const shape: Shape = { level: { type: "integer" } };
  const updateShape: Shape = { by: { type: "integer" } };
  const router = routerWith("none");
  router.register("shaped", Object.assign(new RecordingNoun(), { shape }));
  router.register("updated", Object.assign(new RecordingNoun(), { shape, updateShape }));
  const shapes = (name: string) =>
    ["PUT", "POST"].map((method) => router.route(head({ ...json, method, target: `/${name}` })).shape);
  expect(shapes("none")).toEqual([undefined, undefined]);
  expect(shapes("shaped")).toEqual([shape, { level: { type: "integer", optional: true } }]);
  expect(shapes("updated")).toEqual([shape, updateShape]);
});

test("one noun object has one queue, under however many names", () => {
  const router = routerWith();
  const noun = new DeferredNoun();
  router.register("a", noun);
  router.register("b", noun);
  router.register("c", new DeferredNoun());
  const [a, b, c] = ["/a", "/b", "/c"].map((target) => router.route(head({ target })) as NounRoute);
  const other = new DeferredNoun();
  router.register("d", other);
  const d = router.route(head({ target: "/d" }));
  for (const route of [a, b, c, d]) route?.perform({}, { onAnswer: () => undefined });
  expect([noun.begun.length, other.begun.length]).toEqual([1, 1]);
});

test("the states of all nouns have one route for each token, so that no request keeps an answer of its own", () => {
  const router = routerWith("led", "door");
  const every = { name: "every", allows: () => true };
  const limited = { name: "limited", allows: (_: string, noun: string) => noun === "led" };
  const all = head({ target: "/" });
  const routes = [undefined, every, limited].map((token) => router.route(all, token));
  expect(new Set(routes).size).toBe(3);
  for (const [index, token] of [undefined, every, limited].entries()) {
    expect(router.route(all, token)).toBe(routes[index]);
  }
  router.register("fan", new RecordingNoun());
  expect(router.route(all, every)).not.toBe(routes[1]);
});
