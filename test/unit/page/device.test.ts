import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { arrange } from "../../../ts/page/arrange.ts";
import { Device } from "../../../ts/page/device.ts";
import { token } from "../../../ts/page/http-client.ts";
import { type Count, filteredBy } from "../../../ts/page/lit.ts";

interface NounOfTest {
  readonly title: string;
  /** Null while it fails. */
  state: { readonly [key: string]: number } | null;
}

/** The server's end of a stream. */
interface StreamOfTest {
  tell(states: object): void;
  end(): void;
  break(): void;
}

const encoder = new TextEncoder();

/** A noun with this key is on while it is above 0. */
const level = { type: "integer", minimum: 0, maximum: 100, unit: "%" };

/**
 * A server of nouns, and the network to the page. Each request is handled and each answer arrives after a time of its
 * own.
 */
class ServerOfTest {
  nouns = new Map<string, NounOfTest>();
  /** The token that it asks for; "" for none. */
  token = "";
  isDescribed = true;
  isUp = true;
  /** Whether requests are never answered. */
  isMute = false;
  /** Whether requests for a stream are never answered. */
  isMuteToStreams = false;
  places = 32;
  retryAfter = 1;
  /** Documents besides the description, by their paths. */
  readonly texts = new Map<string, string>();
  version = "1.0.0";
  readonly asked: string[] = [];
  /** ms of the messages, used again and again. */
  private readonly times: readonly number[];
  private messages = 0;
  private readonly streams = new Set<StreamOfTest>();

  constructor(times: readonly number[]) {
    this.times = times;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => this.fetch(path, init));
  }

  register(name: string, title: string): void {
    this.nouns.set(name, { title, state: { [`of${title}`]: 0 } });
    this.endStreams();
  }

  remove(name: string): void {
    if (this.nouns.delete(name)) this.endStreams();
  }

  change(name: string, value: number): void {
    const noun = this.nouns.get(name);
    if (noun === undefined) return;
    noun.state = { [`of${noun.title}`]: value };
    for (const stream of this.streams) stream.tell({ [name]: noun.state });
  }

  fail(name: string): void {
    const noun = this.nouns.get(name);
    if (noun === undefined) return;
    noun.state = null;
    for (const stream of this.streams) stream.tell({ [name]: null });
  }

  endStreams(): void {
    for (const stream of this.streams) stream.end();
  }

  breakStreams(): void {
    for (const stream of this.streams) stream.break();
  }

  /** How many streams are open. */
  get watched(): number {
    return this.streams.size;
  }

  get states(): object {
    return Object.fromEntries(Array.from(this.nouns, ([name, { state }]) => [name, state]));
  }

  private get description(): object {
    const operations = { forms: [{ op: "readproperty" }, { op: "writeproperty" }] };
    const properties = Array.from(this.nouns, ([name, { title }]) => [
      name,
      {
        title,
        ...operations,
        properties: Object.fromEntries([[`of${title}`, level]]),
      },
    ]);
    return { "nound:version": this.version, properties: Object.fromEntries(properties) };
  }

  private travel(): Promise<void> {
    const time = this.times[this.messages++ % this.times.length] ?? 0;
    return new Promise((resolve) => setTimeout(resolve, time));
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    const signal = init.signal as AbortSignal;
    const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    aborted.catch(() => {});
    return await Promise.race([aborted, this.answer(path, init, signal)]);
  }

  private async answer(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = init.headers as { Accept: string; Authorization?: string };
    signal.throwIfAborted();
    await this.travel();
    if (!this.isUp) throw new TypeError("Failed to fetch");
    if (this.isMute || (this.isMuteToStreams && headers.Accept === "text/event-stream"))
      return await new Promise(() => {});
    this.asked.push(`${init.method ?? "GET"} ${path} ${headers.Authorization ?? ""}`.trim());
    const response = this.handle(path, headers, signal);
    await this.travel();
    return response;
  }

  private handle(path: string, headers: { Accept: string; Authorization?: string }, signal: AbortSignal): Response {
    if (this.token !== "" && headers.Authorization !== `Bearer ${this.token}`)
      return Response.json({ detail: "Who are you?" }, { status: 401 });
    if (path === "/.well-known/wot") {
      if (!this.isDescribed) return Response.json({ title: "Not Found", detail: "None." }, { status: 404 });
      return Response.json(this.description);
    }
    const text = this.texts.get(path);
    if (text !== undefined) return new Response(text);
    const noun = this.nouns.get(path.slice(1));
    if (path !== "/") return noun ? Response.json(noun.state) : Response.json({}, { status: 404 });
    if (headers.Accept !== "text/event-stream") return Response.json(this.states);
    if (this.streams.size >= this.places)
      return Response.json({}, { status: 503, headers: { "Retry-After": String(this.retryAfter) } });
    return new Response(this.stream(signal), { headers: { "Content-Type": "text/event-stream" } });
  }

  private stream(signal: AbortSignal): ReadableStream<Uint8Array> {
    let last = Promise.resolve();
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const inOrder = (what: () => void) => {
          const travelled = this.travel();
          // What is sent to a page that has left is lost.
          last = last
            .then(() => travelled)
            .then(what)
            .catch(() => {});
        };
        const send = (text: string) => inOrder(() => controller.enqueue(encoder.encode(text)));
        const stream: StreamOfTest = {
          tell: (states) => send(`id: 1\ndata: ${JSON.stringify(states)}\n\n`),
          end: () => {
            leave();
            inOrder(() => controller.close());
          },
          break: () => {
            leave();
            inOrder(() => controller.error(new TypeError("network error")));
          },
        };
        const comment = setInterval(() => {
          if (!this.isMute) send(":\n");
        }, 15_000);
        const leave = () => {
          clearInterval(comment);
          this.streams.delete(stream);
        };
        signal.addEventListener("abort", () => {
          leave();
          try {
            controller.error(signal.reason);
          } catch {}
        });
        this.streams.add(stream);
        stream.tell(this.states);
      },
    });
  }
}

let ticking: ReturnType<typeof setInterval>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("late", "TimeoutError")), time);
    return controller.signal;
  });
  vi.stubGlobal("location", { host: "device.example", pathname: "/" });
  token.value = "";
});

afterEach(() => {
  clearInterval(ticking);
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens the page. @param onStatus is called after every visible change. */
function open(onStatus: (status: string) => void = () => {}): Device {
  const device = new Device(() => onStatus(device.status));
  clearInterval(ticking);
  ticking = setInterval(() => device.watch(), 1_000);
  void device.run();
  return device;
}

/** What the page shows of each noun: its title and the values of its keys. */
function shown({ views }: Device): object {
  return Object.fromEntries(
    views.map((view) => [
      view.noun.name,
      [view.noun.title, Object.fromEntries(view.keys.map((key) => [key.name, view.valueOf(key)]))],
    ]),
  );
}

function expected({ nouns, isDescribed }: ServerOfTest): object {
  return Object.fromEntries(
    Array.from(nouns, ([name, { title, state }]) => [name, [isDescribed ? title : name.toUpperCase(), { ...state }]]),
  );
}

/** The nouns that the page shows while a person has pressed a count at the top. */
function filtered({ views }: Device, count: Count | undefined): readonly string[] {
  const { groups } = filteredBy(arrange(views), count);
  return groups.flatMap(({ cards }) => cards.map(({ views: [{ noun }] }) => noun.name)).sort();
}

/** The nouns that a person would count so. */
function wanted({ nouns, isDescribed }: ServerOfTest, count: Count | undefined): readonly string[] {
  const isOf = ({ state }: NounOfTest): boolean => {
    if (count === undefined) return true;
    if (state === null) return count === "failingOnes";
    return isDescribed && count === "othersOn" && Object.values(state).some((value) => value > 0);
  };
  return Array.from(nouns)
    .filter(([, noun]) => isOf(noun))
    .map(([one]) => one)
    .sort();
}

/** `npm run test:orders` tries more. */
const numRuns = Number(process.env["NOUND_ORDERS"] ?? 100);
const timeout = 5_000 + numRuns * 100;

const name = fc.constantFrom("a", "b");
const title = fc.constantFrom("One", "Two");
const step = fc.oneof(
  fc.record({ do: fc.constant("register" as const), name, title }),
  fc.record({ do: fc.constantFrom("remove" as const, "fail" as const), name }),
  fc.record({ do: fc.constant("change" as const), name, value: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constantFrom("endStreams" as const, "breakStreams" as const, "retryNow" as const) }),
  fc.record({ do: fc.constant("isUp" as const), is: fc.boolean() }),
  fc.record({ do: fc.constant("isMute" as const), is: fc.boolean() }),
  fc.record({ do: fc.constant("see" as const), is: fc.boolean() }),
  fc.record({ do: fc.constant("isDescribed" as const), is: fc.boolean() }),
  fc.record({ do: fc.constant("places" as const), is: fc.constantFrom(0, 32) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function play(server: ServerOfTest, device: Device, one: Step): void {
  if (one.do === "register") server.register(one.name, one.title);
  else if (one.do === "remove") server.remove(one.name);
  else if (one.do === "fail") server.fail(one.name);
  else if (one.do === "change") server.change(one.name, one.value);
  else if (one.do === "retryNow") device.retryNow();
  else if (one.do === "see") device.see(one.is);
  else if (one.do === "isMute") server.isMute = one.is;
  else if (one.do === "places") server.places = one.is;
  else if (one.do === "endStreams") server.endStreams();
  else {
    if (one.do === "isUp") server.isUp = one.is;
    if (one.do === "isDescribed") server.isDescribed = one.is;
    server.breakStreams();
  }
}

test("the page ends with the nouns of the device, whatever happens in between", { timeout }, async () => {
  const time = fc.constantFrom(0, 1, 5, 40, 700, 4_900);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.constantFrom(0, 1, 3, 50, 2_000, 60_000)), { maxLength: 15 }),
      fc.array(time, { minLength: 1, maxLength: 7 }),
      async (steps, times) => {
        const server = new ServerOfTest(times);
        server.register("a", "One");
        const device = open();
        for (const [one, pause] of steps) {
          play(server, device, one);
          await vi.advanceTimersByTimeAsync(pause);
        }
        Object.assign(server, { isUp: true, isMute: false, places: 32 });
        device.see(false);
        await vi.advanceTimersByTimeAsync(240_000);
        expect(device.status).toBe("live");
        expect(shown(device)).toEqual(expected(server));
        for (const count of [undefined, "failingOnes", "lampsOn", "othersOn"] as const)
          expect(filtered(device, count)).toEqual(wanted(server, count));
        vi.clearAllTimers();
      },
    ),
    { numRuns },
  );
});

test("a noun that is registered while the page opens has its title", async () => {
  const server = new ServerOfTest([10]);
  server.register("a", "One");
  const device = open();
  // One request and its answer have travelled, the next request is on its way.
  await vi.advanceTimersByTimeAsync(25);
  server.register("b", "Two");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(device.status).toBe("live");
  expect(shown(device)).toEqual(expected(server));
});

test("a device that registers one noun after the other is not lost, and shown within two seconds", async () => {
  const server = new ServerOfTest([1]);
  const statuses = new Set<string>();
  const device = open((status) => statuses.add(status));
  for (const name of ["a", "b", "c", "d", "e", "f"]) {
    server.register(name, "One");
    await vi.advanceTimersByTimeAsync(700);
  }
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shown(device)).toEqual(expected(server));
  expect(statuses).toEqual(new Set(["connecting", "live"]));
});

test("a device that is started again without a description is not shown by the old one", async () => {
  const server = new ServerOfTest([1]);
  server.register("a", "One");
  const device = open();
  await vi.advanceTimersByTimeAsync(100);
  expect(shown(device)).toEqual({ a: ["One", { ofOne: 0 }] });
  server.isDescribed = false;
  server.nouns.set("a", { title: "Two", state: { ofTwo: 7 } });
  server.breakStreams();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shown(device)).toEqual({ a: ["A", { ofTwo: 7 }] });
  expect(device.title).toBe("device.example");
});

test("a device that takes the request for the stream and never answers is asked again", async () => {
  const server = new ServerOfTest([1]);
  server.isMuteToStreams = true;
  const device = open();
  await vi.advanceTimersByTimeAsync(9_000);
  server.isMuteToStreams = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(device.status).toBe("live");
});

test("a device that answers nothing any more is lost, and found again", async () => {
  const server = new ServerOfTest([1]);
  const device = open();
  await vi.advanceTimersByTimeAsync(20_000);
  server.isMute = true;
  await vi.advanceTimersByTimeAsync(90_000);
  expect(device.status).toBe("lost");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(device.status).toBe("lost");
  server.isMute = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(device.status).toBe("live");
});

test("a hidden page disconnects after a minute, and shows the device when it is seen again", async () => {
  const server = new ServerOfTest([1]);
  server.register("a", "One");
  const device = open();
  await vi.advanceTimersByTimeAsync(10_000);
  device.see(true);
  await vi.advanceTimersByTimeAsync(59_000);
  device.see(false);
  device.see(true);
  await vi.advanceTimersByTimeAsync(59_000);
  expect([device.status, server.watched]).toEqual(["live", 1]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([device.status, server.watched, server.asked.length]).toEqual(["connecting", 0, 2]);
  server.change("a", 4);
  device.see(false);
  await vi.advanceTimersByTimeAsync(100);
  expect([device.status, server.watched]).toEqual(["live", 1]);
  expect(shown(device)).toEqual(expected(server));
});

test("after a computer has slept, the page does not trust a stream that has been silent", async () => {
  const server = new ServerOfTest([1]);
  server.register("a", "One");
  const device = open();
  await vi.advanceTimersByTimeAsync(100);
  // While it slept, the server has given the stream up, and nothing of that has arrived.
  server.isMute = true;
  server.nouns.set("a", { title: "One", state: { ofOne: 5 } });
  vi.setSystemTime(Date.now() + 600_000);
  server.isMute = false;
  await vi.advanceTimersByTimeAsync(2_500);
  expect(shown(device)).toEqual({ a: ["One", { ofOne: 5 }] });
});

test("a silent stream is given up although the clock was set back", async () => {
  const server = new ServerOfTest([1]);
  server.register("a", "One");
  const device = open();
  await vi.advanceTimersByTimeAsync(100);
  server.isMute = true;
  vi.setSystemTime(Date.now() - 86_400_000);
  await vi.advanceTimersByTimeAsync(65_000);
  expect(device.status).toBe("connecting");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(device.status).toBe("lost");
});

test("the page asks again within a minute and a half, whatever Retry-After says", async () => {
  const server = new ServerOfTest([1]);
  server.places = 0;
  server.retryAfter = 4_000_000;
  const device = open();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([device.status, server.asked.length]).toEqual(["polling", 3]);
  server.places = 1;
  await vi.advanceTimersByTimeAsync(80_000);
  expect(device.status).toBe("live");
});

test.each([
  ["", 0, "live", ""],
  ["kept", 1, "live", "kept"],
  ["other", 1, "token", ""],
])("a device that asks for %j has the remembered token read %i times", async (asked, reads, status, used) => {
  const kept = new Map([["nound.token", "kept"]]);
  const getItem = vi.fn((name: string) => kept.get(name) ?? null);
  const removeItem = (name: string) => void kept.delete(name);
  vi.stubGlobal("localStorage", { getItem, removeItem, setItem: () => {} });
  const server = new ServerOfTest([10]);
  server.register("a", "One");
  server.token = asked;
  const device = open();
  await vi.advanceTimersByTimeAsync(500);
  expect([device.status, token.value]).toEqual([status, used]);
  expect(getItem.mock.calls.filter(([name]) => name === "nound.token")).toHaveLength(reads);
  expect(kept.size).toBe(status === "token" ? 0 : 1);
});

test("a refusal of the last token that comes late does not forget the token that was entered meanwhile", async () => {
  const server = new ServerOfTest([10]);
  server.register("a", "One");
  server.token = "old";
  token.value = "old";
  const device = open();
  await vi.advanceTimersByTimeAsync(100);
  server.token = "new";
  device.views[0]?.set("ofOne", 3);
  await vi.advanceTimersByTimeAsync(15);
  device.useToken("new");
  await vi.advanceTimersByTimeAsync(1_000);
  expect([device.status, token.value]).toEqual(["live", "new"]);
});

test("a change that waits when the token is forgotten is not sent with the next token", async () => {
  const server = new ServerOfTest([10]);
  server.register("a", "One");
  server.token = "old";
  token.value = "old";
  const device = open();
  await vi.advanceTimersByTimeAsync(100);
  device.views[0]?.set("ofOne", 1);
  device.views[0]?.set("ofOne", 2);
  device.useToken("new");
  server.token = "new";
  await vi.advanceTimersByTimeAsync(1_000);
  expect(device.status).toBe("live");
  expect(server.asked.filter((request) => request.startsWith("PUT"))).toEqual(["PUT /a Bearer old"]);
});

test("a page that has forgotten its token shows nothing that it has seen with it", async () => {
  const server = new ServerOfTest([10]);
  server.register("a", "One");
  server.token = "old";
  token.value = "old";
  const device = open();
  await vi.advanceTimersByTimeAsync(100);
  expect(device.views).toHaveLength(1);
  server.isUp = false;
  device.useToken("");
  await vi.advanceTimersByTimeAsync(10_000);
  expect([device.status, device.views]).toEqual(["lost", []]);
  server.isUp = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([device.status, device.views]).toEqual(["token", []]);
});

test("a poll that is answered after the token was forgotten shows nothing", async () => {
  const server = new ServerOfTest([10]);
  server.register("a", "One");
  server.places = 0;
  server.token = "old";
  token.value = "old";
  const device = open();
  await vi.advanceTimersByTimeAsync(50);
  device.useToken("");
  await vi.advanceTimersByTimeAsync(40);
  expect(device.views).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([device.status, device.views]).toEqual(["token", []]);
});

test("the page asks once why a noun fails, and again when it fails again", async () => {
  const server = new ServerOfTest([1]);
  server.register("a", "One");
  server.register("b", "Two");
  server.texts.set("/changes", ["gone", "stuck"].map((text) => `{"noun":"a","failure":"it is ${text}"}\n`).join(""));
  const device = open();
  await vi.advanceTimersByTimeAsync(1_000);
  server.fail("a");
  server.fail("b");
  server.fail("a");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(device.views.map(({ reason }) => reason)).toEqual(["It is stuck.", ""]);
  expect(server.asked.filter((request) => request === "GET /changes")).toHaveLength(2);
  server.change("a", 1);
  server.texts.set("/changes", "");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(device.views[0]?.reason).toBeUndefined();
  server.fail("a");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(device.views[0]?.reason).toBe("");
});

test("the page tells that the device was restarted or updated, but not that the network was away", async () => {
  const server = new ServerOfTest([1]);
  server.register("a", "One");
  const started = (time: number) => server.texts.set("/metrics", `process_start_time_seconds ${time / 1_000}\n`);
  const lose = async (meanwhile: () => void) => {
    server.isUp = false;
    server.breakStreams();
    await vi.advanceTimersByTimeAsync(30_000);
    meanwhile();
    server.isUp = true;
    await vi.advanceTimersByTimeAsync(30_000);
  };
  started(Date.now() - 3_600_000);
  const device = open();
  await vi.advanceTimersByTimeAsync(1_000);
  await lose(() => {});
  expect([device.status, device.news]).toEqual(["live", ""]);
  await lose(() => started(Date.now()));
  expect(device.news).toMatch(/^The device restarted at \d/);
  await lose(() => {
    server.version = "1.1.0";
  });
  expect(device.news).toBe("The device now runs version 1.1.0.");
});
