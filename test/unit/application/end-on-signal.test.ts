import { expect, test } from "vitest";
import { endOnSignal } from "../../../ts/program/application/end-on-signal.ts";
import { promisesKept } from "../server/recording-noun.ts";

type SignalName = "SIGTERM" | "SIGINT" | "SIGHUP";

/** @returns what happened, in order, and how to send a signal. @param closeServer what closing the server comes to. */
function serving(closeServer: () => Promise<void>) {
  const events: string[] = [];
  let handler: ((name: SignalName) => void) | undefined;
  const loop = {
    onSignal: (given: (name: SignalName) => void) => {
      handler = given;
    },
    exit: (status: number) => void events.push(`exit ${status}`),
  };
  endOnSignal(loop, {
    closeServer,
    closeNouns: () => void events.push("nouns"),
    reload: undefined,
    log: (line) => void events.push(line),
  });
  return { events, signal: (name: SignalName) => handler?.(name) };
}

test("the nouns are closed once the server is, and the status is 0", async () => {
  const { events, signal } = serving(() => Promise.resolve());
  signal("SIGTERM");
  expect(events).toEqual(["SIGTERM: ending"]);
  await promisesKept();
  expect(events).toEqual(["SIGTERM: ending", "nouns", "exit 0"]);
});

test("a second signal does not wait for the server", () => {
  const { events, signal } = serving(() => new Promise(() => {}));
  signal("SIGTERM");
  signal("SIGINT");
  expect(events).toEqual(["SIGTERM: ending", "nouns", "exit 130"]);
});

test("a server that cannot be closed, because memory is short, does not keep the program from its end", async () => {
  const { events, signal } = serving(() => Promise.reject(new RangeError("out of\nmemory")));
  signal("SIGTERM");
  await promisesKept();
  expect(events.slice(0, 1)).toEqual(["SIGTERM: ending"]);
  expect(events[1]).toMatch(/^ending: RangeError: out of\\x0amemory/);
  expect(events.slice(2)).toEqual(["nouns", "exit 70"]);
});

test("SIGHUP is ignored", () => {
  const { events, signal } = serving(() => Promise.resolve());
  signal("SIGHUP");
  expect(events).toEqual(["SIGHUP: ignored"]);
});
