/** The laws of streams: they hold whatever happens, in whatever order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeWatches, TestNoun, type TestSink } from "./test-stream.ts";

/** What happens to two nouns and three clients of them. */
type Step =
  | { readonly what: "become"; readonly noun: 0 | 1; readonly n: number }
  | { readonly what: "fail"; readonly noun: 0 | 1 }
  | { readonly what: "recover"; readonly noun: 0 | 1 }
  | { readonly what: "request"; readonly noun: 0 | 1 }
  | { readonly what: "stop" | "resume" | "leave" | "join"; readonly client: number }
  | { readonly what: "wait"; readonly time: number };

const noun = fc.constantFrom<(0 | 1)[]>(0, 1);
const client = fc.nat(2);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant("become" as const), noun, n: fc.nat(3) }),
  fc.record({ what: fc.constant("fail" as const), noun }),
  fc.record({ what: fc.constant("recover" as const), noun }),
  fc.record({ what: fc.constant("request" as const), noun }),
  fc.record({
    what: fc.constantFrom("stop" as const, "resume" as const, "leave" as const, "join" as const),
    client,
  }),
  fc.record({ what: fc.constant("wait" as const), time: fc.nat(60) }),
);

function numbersOf(sink: TestSink): number[] {
  return sink.events.map(({ id }) => Number(id.split("-")[1]));
}

/** Two nouns and what begins a stream of the first, and two streams of both. */
function makeWorld(polls: readonly [number | undefined, number | undefined]) {
  const { watch, watchAll, watches, clock } = makeWatches();
  const nouns = [new TestNoun("a", { poll: polls[0] }), new TestNoun("b", { poll: polls[1] })] as const;
  // A stream of one noun cannot begin while that fails: the client gets the refusal.
  const begin = [
    () => (nouns[0].hasFailed ? undefined : watch(nouns[0])),
    () => watchAll(nouns),
    () => watchAll(nouns),
  ];
  return { watches, clock, nouns, begin, clients: begin.map((make) => make()) };
}

function take({ watches, clock, nouns, begin, clients }: ReturnType<typeof makeWorld>, one: Step): void {
  if (one.what === "wait") {
    clock.advance(one.time);
  } else if ("client" in one) {
    const stream = clients[one.client];
    if (one.what === "resume") stream?.resume();
    else if (one.what === "stop" && stream !== undefined) stream.takes = false;
    else if (one.what === "leave" || one.what === "join") {
      stream?.watch?.end();
      clients[one.client] = one.what === "join" ? begin[one.client]?.() : undefined;
    }
  } else if (one.what === "become") {
    nouns[one.noun].become({ n: one.n });
  } else if (one.what === "request") {
    // A PUT, of which the noun itself tells nothing.
    nouns[one.noun].state = { n: 9 };
    watches.changed(nouns[one.noun].name);
  } else {
    nouns[one.noun].hasFailed = one.what === "fail";
    nouns[one.noun].tell();
  }
}

test("in any order of events, each client's ids grow, and the last it hears is what GET would say", () => {
  const polls = fc.constantFrom<[number | undefined, number | undefined][]>([undefined, undefined], [50, undefined]);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), polls, (steps, chosen) => {
      const world = makeWorld(chosen);
      const { clock, nouns, clients } = world;
      for (const one of steps) take(world, one);
      for (const stream of clients) stream?.resume();
      clock.advance(2_000);
      const [a, b] = nouns.map(({ hasFailed, state }) => (hasFailed ? null : state));
      for (const [index, stream] of clients.entries()) {
        if (stream === undefined) continue;
        if (index === 0) expect(stream.data.at(-1)).toEqual(a);
        else expect(Object.assign({}, ...(stream.data as object[]))).toEqual({ a, b });
        const numbers = numbersOf(stream);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((x, y) => x - y));
        stream.watch?.end();
      }
      expect(clock.running).toBe(0);
      expect(nouns.map(({ begun, ended }) => begun - ended)).toEqual([0, 0]);
    }),
    { numRuns: 500 },
  );
});
