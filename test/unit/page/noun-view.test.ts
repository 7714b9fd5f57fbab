import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerTime, NounView } from "../../../ts/page/noun-view.ts";
import type { State } from "../../../ts/page/scalar.ts";
import { type Key, keysOf, type Noun, undescribedNoun } from "../../../ts/page/thing.ts";

interface Lamp {
  readonly lamp: number;
  readonly level: number;
}

interface Request {
  readonly method: string;
  readonly body: Partial<Lamp>;
  readonly answer: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

const dark: Lamp = { lamp: 0, level: 0 };

/** Does to a lamp what a request says. */
function changed(lamp: Lamp, method: string, body: Partial<Lamp>): Lamp {
  if (method === "DELETE") return dark;
  return method === "POST" ? { ...lamp, lamp: 1 - lamp.lamp } : { ...lamp, ...body };
}

/** A device with one lamp, and the network to the page: each message arrives when the test lets it. */
class DeviceOfTest {
  state = dark;
  /** The most requests of changes that were under way at once. */
  mostAtOnce = 0;
  private told = dark;
  private readonly view: NounView;
  private readonly requests: Request[] = [];
  private readonly answers: (() => void)[] = [];
  private readonly events: Lamp[] = [];
  private readonly polls: { readonly asked: number; state: Lamp | undefined }[] = [];
  private underWay = 0;

  constructor(view: NounView) {
    this.view = view;
    view.take({ ...dark });
    vi.stubGlobal("location", { pathname: "/" });
    vi.stubGlobal("fetch", (_path: string, { method = "GET", body = "{}" }: RequestInit) => {
      if (method !== "GET") this.mostAtOnce = Math.max(this.mostAtOnce, ++this.underWay);
      const answered = new Promise<Response>((answer, fail) =>
        this.requests.push({ method, body: JSON.parse(String(body)), answer, fail }),
      );
      const end = () => {
        if (method !== "GET") this.underWay -= 1;
      };
      answered.then(end, end);
      return answered;
    });
  }

  /** Handles a request of the page. */
  handle(): void {
    const request = this.requests.shift();
    if (request === undefined) return;
    const { method, body, answer } = request;
    if (method !== "GET") this.state = changed(this.state, method, body);
    const { state } = this;
    this.answers.push(() => answer(Response.json(state)));
  }

  /** Handles a request whose answer is lost. */
  handleUnheard(): void {
    const request = this.requests.shift();
    if (request === undefined) return;
    if (request.method !== "GET") this.state = changed(this.state, request.method, request.body);
    this.answers.push(() => request.fail(new Error("gone")));
  }

  /** Refuses a request of the page. */
  refuse(): void {
    const request = this.requests.shift();
    this.answers.push(() => request?.answer(Response.json({ detail: "Not now." }, { status: 503 })));
  }

  /** Sends the state as an event if it differs from the last one. */
  tell(): void {
    if (JSON.stringify(this.state) === JSON.stringify(this.told)) return;
    this.told = this.state;
    this.events.push(this.state);
  }

  deliverEvent(): void {
    const event = this.events.shift();
    if (event !== undefined) this.view.take({ ...event });
  }

  async deliverAnswer(): Promise<void> {
    this.answers.shift()?.();
    await vi.advanceTimersByTimeAsync(1);
  }

  /** The page asks for all states, the device answers, the answer arrives. */
  poll(): void {
    this.polls.push({ asked: performance.now(), state: undefined });
  }

  handlePoll(): void {
    for (const poll of this.polls) poll.state ??= this.state;
  }

  deliverPoll(): void {
    const poll = this.polls.shift();
    if (poll !== undefined) this.view.take({ ...(poll.state ?? this.state) }, poll.asked);
  }

  /** Lets everything happen that still can. */
  async settle(): Promise<void> {
    for (let round = 0; round < 60; round++) {
      this.handle();
      this.tell();
      this.deliverEvent();
      await this.deliverAnswer();
    }
    await vi.advanceTimersByTimeAsync(answerTime);
    this.handle();
    await this.deliverAnswer();
  }
}

/** `npm run test:orders` tries more. */
const numRuns = Number(process.env["NOUND_ORDERS"] ?? 500);
const timeout = 5_000 + numRuns * 100;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function newView(noun: Partial<Noun> = {}): NounView {
  return new NounView(
    { ...undescribedNoun("lamp"), ...noun },
    () => {},
    () => {},
  );
}

/** What the page shows. */
function shown(view: NounView): object {
  return Object.fromEntries(keysOf(dark as unknown as State, view.noun).map((key) => [key.name, view.valueOf(key)]));
}

/** A change of the lamp. */
type Doing = {
  readonly method: "PUT" | "POST" | "DELETE" | "UNDO";
  readonly key: "lamp" | "level";
  readonly value: number;
};

const doing: fc.Arbitrary<Doing> = fc.record({
  method: fc.constantFrom("PUT", "PUT", "PUT", "POST", "DELETE", "UNDO"),
  key: fc.constantFrom("lamp", "level"),
  value: fc.constantFrom(0, 1),
});

/** @returns what a person has made of the lamp. */
function done(state: Lamp, { method, key, value }: Doing): Lamp {
  return method === "UNDO" ? { lamp: value, level: 1 - value } : changed(state, method, { [key]: value });
}

function doOnPage(view: NounView, { method, key, value }: Doing): void {
  if (method === "DELETE") view.reset();
  else if (method === "POST") view.update();
  else if (method === "UNDO") view.putBack({ lamp: value, level: 1 - value });
  else view.set(key, value);
}

const settling = ["handle", "deliverAnswer"] as const;
const streaming = [...settling, "tell", "deliverEvent"] as const;
const failing = ["handleUnheard", "refuse"] as const;
const polling = ["poll", "handlePoll", "deliverPoll"] as const;
type Step = (typeof streaming | typeof failing | typeof polling)[number];

function steps(...names: readonly Step[]) {
  const step = fc.oneof(
    fc.record({ person: doing }),
    fc.record({ other: doing }),
    { arbitrary: fc.constantFrom(...names), weight: 4 },
    fc.record({ time: fc.constantFrom(1, 700, 3_000) }),
  );
  return fc.array(step, { maxLength: 40 });
}

/** Plays steps. @returns the device and the page as they are then. */
async function play(played: readonly (Step | object)[], noun: Partial<Noun> = {}) {
  const view = newView(noun);
  const device = new DeviceOfTest(view);
  for (const one of played as readonly (Step | { person?: Doing; other?: Doing; time?: number })[]) {
    if (typeof one === "string") await device[one]();
    else if (one.person !== undefined) doOnPage(view, one.person);
    else if (one.other !== undefined) device.state = done(device.state, one.other);
    else await vi.advanceTimersByTimeAsync(one.time ?? 0);
  }
  return { device, view };
}

test("the page ends with the device's state, whatever the order of changes, events and answers", {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps(...streaming, ...failing), async (played) => {
      const { device, view } = await play(played);
      await device.settle();
      expect(shown(view)).toEqual(device.state);
    }),
    { numRuns },
  );
});

test("a page that polls ends with the device's state, whatever the order of changes, polls and answers", {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps(...settling, ...failing, ...polling), async (played) => {
      const { device, view } = await play(played);
      await device.settle();
      for (let round = 0; round < 40; round++) device.deliverPoll();
      device.poll();
      device.handlePoll();
      device.deliverPoll();
      expect(shown(view)).toEqual(device.state);
    }),
    { numRuns },
  );
});

test("the device gets the changes of a person one after another, in the person's order", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.record({ person: doing }), fc.constantFrom(...streaming)), { maxLength: 40 }),
      async (played) => {
        const { device, view } = await play(played);
        await device.settle();
        const expected = played.reduce(
          (state, one) => (typeof one === "string" ? state : done(state, one.person)),
          dark,
        );
        expect(device.state).toEqual(expected);
        expect(shown(view)).toEqual(expected);
        expect(device.mostAtOnce).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns },
  );
});

test("no poll that was asked before the answer to a change brings back an older state", async () => {
  const { device, view } = await play(["poll", "handlePoll", { time: 5 }]);
  view.set("lamp", 1);
  device.handle();
  await device.deliverAnswer();
  device.deliverPoll();
  expect(shown(view)).toEqual({ lamp: 1, level: 0 });
});

test("the answer to a change shows until the device tells the next state", async () => {
  const { device, view } = await play([]);
  view.set("lamp", 1);
  device.handle();
  await device.deliverAnswer();
  expect(shown(view)).toEqual({ lamp: 1, level: 0 });
  device.state = { lamp: 0, level: 5 };
  device.tell();
  device.deliverEvent();
  expect(shown(view)).toEqual({ lamp: 0, level: 5 });
});

test("the answer stays while no event comes and the device does not say otherwise", async () => {
  const { device, view } = await play([]);
  view.set("lamp", 1);
  device.handle();
  await device.deliverAnswer();
  await vi.advanceTimersByTimeAsync(answerTime);
  device.handle();
  await device.deliverAnswer();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown(view)).toEqual({ lamp: 1, level: 0 });
});

test("what was said of one key stays when the change of another succeeds, until a change of its own does", async () => {
  const { device, view } = await play([]);
  view.set("lamp", 1);
  view.say({ key: "level", sentence: "Enter a number." });
  device.handle();
  await device.deliverAnswer();
  expect(view.failure).toEqual({ key: "level", sentence: "Enter a number." });
  view.set("level", 1);
  device.handle();
  await device.deliverAnswer();
  expect(view.failure).toBeUndefined();
});

test("a noun that fails keeps its keys, without values", async () => {
  const { view } = await play([]);
  view.take(null);
  expect(view.keys.map(({ name }) => name)).toEqual(["lamp", "level"]);
  expect(shown(view)).toEqual({ lamp: undefined, level: undefined });
});

test("the answer of a noun that cannot be read stays", async () => {
  const view = newView({ isRead: false });
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ lamp: 1, level: 0 })));
  view.set("lamp", 1);
  await vi.advanceTimersByTimeAsync(answerTime);
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("fetch", () => Promise.reject(new Error("unexpected")));
  await vi.advanceTimersByTimeAsync(answerTime);
  expect(shown(view)).toEqual({ lamp: 1, level: 0 });
});

test("an age that the answer has reset goes on from there", async () => {
  const [ms] = keysOf({ ms: 0 }, { ...undescribedNoun("clock"), isPut: false, isPosted: false });
  const keys = ms === undefined ? [] : [{ ...ms, isTimeDependent: true }];
  const view = newView({ keys });
  view.take({ ms: 50_000 });
  const reset = performance.now();
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ ms: performance.now() - reset })));
  view.reset();
  await vi.advanceTimersByTimeAsync(answerTime + 990);
  expect(keys.map((key) => view.valueOf(key))).toEqual([answerTime + 990]);
});

test.each([
  ["adds nothing to what the page says of its guard", 409, "Guarded until \u201cPump\u201d is On.", undefined],
  ["is told if the page does not know what it waits for", 409, undefined, "The pump is off."],
  ["is told if it has another reason", 400, "Guarded until \u201cPump\u201d is On.", "The pump is off."],
])("a refusal of a guarded noun %s", async (_, status, guarded, sentence) => {
  const view = new NounView(
    undescribedNoun("heater"),
    () => {},
    () => {},
  );
  view.take({ on: 0 });
  view.guarded = guarded;
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ detail: "The pump is off." }, { status })));
  view.set("on", 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(view.failure?.sentence).toBe(sentence);
  expect(view.valueOf(view.keys[0] as Key)).toBe(0);
});

/** The page's requests of changes, each with its answer. */
function asked(): { readonly method: string; readonly body: object; readonly answer: (state: State) => void }[] {
  const requests: ReturnType<typeof asked> = [];
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("fetch", (_path: string, { method = "GET", body = "{}" }: RequestInit) => {
    return new Promise<Response>((resolve) =>
      requests.push({ method, body: JSON.parse(String(body)), answer: (state) => resolve(Response.json(state)) }),
    );
  });
  return requests;
}

test.each([
  ["accepts its keys alone, too", true],
  ["only sets its whole state", false],
])("an undo is one PUT of its own, before and behind what waits, of a noun that %s", async (_, isPosted) => {
  const keys = keysOf({ lamp: 0, level: 0 }, undescribedNoun("lamp")).map((key): Key => ({ ...key, isPosted }));
  const view = newView({ keys, isPosted });
  view.take({ lamp: 0, level: 0 });
  const requests = asked();
  view.set("level", 1);
  view.set("level", 2);
  view.putBack({ lamp: 1, level: 7 });
  view.set("level", 8);
  for (const state of [
    { lamp: 0, level: 1 },
    { lamp: 0, level: 2 },
    { lamp: 1, level: 7 },
    { lamp: 1, level: 8 },
  ]) {
    requests.at(-1)?.answer(state);
    await vi.advanceTimersByTimeAsync(1);
  }
  const bodies = [{ level: 1 }, { level: 2 }, { lamp: 1, level: 7 }, { level: 8 }];
  expect(requests.map(({ body }) => body)).toMatchObject(bodies);
  const usual = isPosted ? "POST" : "PUT";
  expect(requests.map(({ method }) => method)).toEqual([usual, usual, "PUT", usual]);
});

test("an undo of a noun that asks first waits for the answer", () => {
  const view = newView({ isConfirmed: true });
  view.take({ lamp: 0, level: 0 });
  const requests = asked();
  view.putBack({ lamp: 1, level: 7 });
  expect(requests).toEqual([]);
  view.answer(true);
  expect(requests.map(({ method, body }) => [method, body])).toEqual([["PUT", { lamp: 1, level: 7 }]]);
});
