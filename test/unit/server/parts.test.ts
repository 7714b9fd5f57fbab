/** The parts of a server: which are opened when, and in which order they are asked. */
import { describe, expect, test } from "vitest";
import type { RequestHead } from "../../../ts/core/http/request-head.ts";
import type { RegisteredNoun } from "../../../ts/core/operations/noun-route.ts";
import type { Host } from "../../../ts/core/server/host.ts";
import { type Part, type PartKey, type PartPlan, Parts } from "../../../ts/core/server/part.ts";

const host = {} as Host;
const noun = { name: "lamp" } as RegisteredNoun;
const head = { target: "/lamp" } as RequestHead;

/** @returns a plan of a part that notes what it is asked. */
function plan(name: string, log: string[], more: Partial<PartPlan> = {}): PartPlan {
  const open = (): Part => {
    log.push(`${name} opens`);
    return {
      replaced: () => void log.push(`${name} replaced`),
      close: () => void log.push(`${name} closes`),
      relieve: () => log.push(`${name} relieves`) > 0 && name !== "a",
    };
  };
  return { name, open, ...more };
}

describe("parts", () => {
  test("are opened once, with the server, for a noun that needs them, or for another part that opens them", () => {
    const log: string[] = [];
    const parts = new Parts(
      [plan("a", log), plan("b", log, { opens: "with the server" }), plan("c", log, { isFor: () => true })],
      () => host,
    );
    parts.openAt("with the server");
    expect(log).toEqual(["b opens"]);
    parts.replaced("lamp", undefined);
    expect(log.splice(0)).toEqual(["b opens", "b replaced"]);
    parts.replaced("lamp", noun);
    expect(log.splice(0)).toEqual(["b replaced", "c opens", "c replaced"]);
    const key: PartKey<Part> = { name: "a" };
    expect(parts.find(key)).toBeUndefined();
    expect(parts.open(key)).toBe(parts.open(key));
    expect(parts.open({ name: "other" })).toBeUndefined();
    expect(log).toEqual(["a opens"]);
  });

  test("are asked in the order of their plans, whichever was opened first", () => {
    const log: string[] = [];
    const parts = new Parts(
      ["a", "b", "c"].map((name) => plan(name, log)),
      () => host,
    );
    for (const name of ["c", "a", "b"]) parts.open({ name });
    log.splice(0);
    parts.replaced("lamp", noun);
    expect(log.splice(0)).toEqual(["a replaced", "b replaced", "c replaced"]);
    expect(parts.any("relieve")).toBe(true);
    expect(log.splice(0)).toEqual(["a relieves", "b relieves"]);
    expect(parts.any("endLargest")).toBe(false);
  });

  test("a request is for the first part that finds it, and nothing is opened for that", () => {
    const log: string[] = [];
    const found = (part: string) => ({
      route: () => undefined,
      needed: part === "b" ? ("any" as const) : ("none" as const),
    });
    const parts = new Parts(
      [plan("a", log), plan("b", log, { find: () => found("b") }), plan("c", log, { find: () => found("c") })],
      () => host,
    );
    expect(parts.foundFor(head, "http")?.needed).toBe("any");
    expect(log).toEqual([]);
  });

  test("are all told of a noun that one of them refuses", () => {
    const log: string[] = [];
    const refusing: Part = {
      replaced: () => {
        throw new TypeError("no");
      },
    };
    const parts = new Parts([{ name: "a", open: () => refusing, isFor: () => true }, plan("b", log)], () => host);
    parts.open({ name: "b" });
    expect(() => parts.replaced("lamp", noun)).toThrow("no");
    expect(log).toEqual(["b opens", "b replaced"]);
  });

  test("a part that is opened once the server has closed is closed at once", () => {
    const log: string[] = [];
    const parts = new Parts([plan("a", log)], () => host);
    parts.tell("close");
    parts.open({ name: "a" });
    expect(log).toEqual(["a opens", "a closes"]);
  });
});
