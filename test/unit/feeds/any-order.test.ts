/** The law of feeds and streams: it holds whatever happens, in whatever order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Feed } from "../../../ts/core/feeds/feed.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { StateAnswer } from "../../../ts/core/operations/answer.ts";
import { type TestClient, TestNoun, World } from "./world.ts";

const names = ["a", "b"] as const;
const name = fc.constantFrom(...names);
const client = fc.nat(3);

/** What happens to two nouns, and to those who follow them. */
const step = fc.oneof(
  fc.record({ what: fc.constant("become" as const), name, n: fc.nat(3) }),
  // A PUT of a client, or of the mirror, of which the noun itself tells nothing.
  fc.record({ what: fc.constantFrom("put" as const, "own put" as const), name, n: fc.nat(3) }),
  fc.record({ what: fc.constantFrom("fail", "recover", "slow", "answer", "replace", "remove"), name }),
  fc.record({ what: fc.constantFrom("stop", "resume", "leave", "ask"), client }),
  fc.record({ what: fc.constantFrom("read fails", "follower fails"), name }),
  fc.record({ what: fc.constant("broadcast fails" as const) }),
  fc.record({ what: fc.constant("wait" as const), time: fc.nat(60) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Follows both names, and keeps the state that it was told last. */
class Mirror {
  readonly states = new Map<string, State | null | undefined>();
  readonly failing = new Set<string>();

  onState({ name, json, isGone }: Feed): void {
    if (this.failing.delete(name)) throw new Error("out of memory");
    this.states.set(name, isGone ? undefined : json === undefined ? null : (JSON.parse(json) as State));
  }
}

/** Notes each state that it is told; a rule would act on it. */
class Recorder {
  readonly isPrompt: boolean;
  readonly told: string[] = [];

  constructor(isPrompt: boolean) {
    this.isPrompt = isPrompt;
  }

  onState({ name, json, isGone }: Feed): void {
    this.told.push(`${name} ${isGone ? "gone" : json}`);
  }

  toldOf(name: string): readonly string[] {
    return this.told.filter((one) => one.startsWith(`${name} `));
  }
}

/** What is asked for: a stream of `a`, one of `b`, and two of all nouns. */
const asked = ["a", "b", undefined, undefined] as const;

class Run extends World {
  readonly mirror = new Mirror();
  readonly prompt = new Recorder(true);
  readonly usual = new Recorder(false);
  readonly all: TestNoun[] = [];
  readonly clients: TestClient[] = [];
  private readonly polls: { readonly [name: string]: number | undefined };

  constructor(polls: { readonly [name: string]: number | undefined }) {
    super();
    this.polls = polls;
    for (const one of names) this.make(one, 0);
    for (const one of names)
      for (const follower of [this.mirror, this.prompt, this.usual]) this.feeds.of(one).follow(follower);
    for (const one of asked) this.clients.push(this.watch(one));
  }

  make(one: string, n: number): void {
    const noun = new TestNoun(one, { poll: this.polls[one], state: { n } });
    this.all.push(noun);
    this.register(noun);
  }

  take(one: Step): void {
    if ("time" in one) this.clock.advance(one.time);
    else if ("client" in one) this.takeOfClient(one);
    else if (!("name" in one)) this.failure = new Error("out of memory");
    else this.takeOfNoun(one, this.nouns.get(one.name));
  }

  private takeOfClient({ what, client: index }: Step & { client: number }): void {
    const one = this.clients[index] as TestClient;
    if (what === "resume") one.socket.resume();
    else if (what === "stop") one.socket.takes = false;
    else one.leave();
    if (what === "ask") this.clients[index] = this.watch(asked[index]);
  }

  private takeOfNoun(one: Step & { name: string }, noun: TestNoun | undefined): void {
    if (one.what === "remove") this.unregister(one.name);
    else if (one.what === "replace") this.make(one.name, 8);
    else if (one.what === "follower fails") this.mirror.failing.add(one.name);
    else if (noun === undefined) return;
    else if (one.what === "answer") noun.answer();
    else if (one.what === "slow") noun.isSlow = !noun.isSlow;
    else if (one.what === "read fails") noun.error = new Error("out of memory");
    else if ("n" in one) {
      noun.state = { n: one.n };
      if (one.what === "become") noun.tell();
      else noun.feed?.changed();
      if (one.what === "own put") {
        const answer = new StateAnswer(JSON.stringify(noun.state));
        this.feeds.of(one.name).setFromCommand(answer, this.mirror);
      }
    } else {
      noun.hasFailed = one.what === "fail";
      noun.tell();
    }
  }

  /** Nothing is slow or short any more, and some time passes. */
  settle(): void {
    this.failure = undefined;
    this.mirror.failing.clear();
    for (const noun of this.all) noun.isSlow = false;
    for (const { socket } of this.clients) socket.resume();
    for (const noun of this.all) noun.error = undefined;
    for (let seconds = 0; seconds < 4; seconds++) {
      for (const noun of this.all) noun.answer();
      this.clock.advance(1_000);
    }
  }
}

/** `npm run test:orders` tries more. */
const numRuns = Number(process.env["NOUND_ORDERS"] ?? 500);

/** Orders that have once broken the law. */
const foundOrders: [Step[], { a: number | undefined; b: undefined }][] = [
  [
    [
      { what: "become", name: "a", n: 1 },
      { what: "ask", client: 0 },
      { what: "ask", client: 0 },
      { what: "remove", name: "a" },
    ],
    { a: undefined, b: undefined },
  ],
];

test(
  "in any order of events, what each follower was told last is what GET answers, and ids only grow",
  () => {
    const polls = fc.record({ a: fc.constantFrom(undefined, 50), b: fc.constant(undefined) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), polls, (steps, chosen) => {
        const run = new Run(chosen);
        for (const one of steps) run.take(one);
        run.settle();
        const now = (one: string) => run.nouns.get(one)?.now;
        for (const one of names) {
          expect(run.mirror.states.get(one)).toEqual(now(one));
          // Who is told earlier is told nothing else.
          expect(run.prompt.toldOf(one)).toEqual(run.usual.toldOf(one));
        }
        for (const [index, { isOpen, socket }] of run.clients.entries()) {
          const only = asked[index];
          const numbers = socket.events.map(({ id }) => Number(id.split("-")[1]));
          expect(numbers).toEqual([...new Set(numbers)].toSorted((x, y) => x - y));
          if (!isOpen) continue;
          if (only !== undefined) expect(socket.data.at(-1)).toEqual(now(only));
          else
            expect(Object.assign({}, ...(socket.data as object[]))).toEqual(
              Object.fromEntries(Array.from(run.nouns.values(), (noun) => [noun.name, noun.now])),
            );
        }
        for (const one of run.clients) one.leave();
        for (const one of names)
          for (const follower of [run.mirror, run.prompt, run.usual]) run.feeds.of(one).unfollow(follower);
        // The deadlines of streams keep one timer for the next stream.
        run.streams.close();
        run.clock.advance(0);
        expect(run.clock.running).toBe(0);
        expect(run.all.map(({ listeners, underway }) => [listeners, underway])).toEqual(run.all.map(() => [0, 0]));
      }),
      { numRuns, examples: foundOrders },
    );
  },
  numRuns * 50,
);
