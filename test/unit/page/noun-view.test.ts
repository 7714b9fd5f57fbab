import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keysOf, type Noun, undescribedNoun } from "../../../ts/page/description.ts";
import { answerTime, NounView } from "../../../ts/page/noun-view.ts";
import type { State } from "../../../ts/page/scalar.ts";

/** A device with one lamp, and the network to the page: each message arrives when the test lets it. */
class DeviceOfTest {
  lamp = 0;
  private toldLast = 0;
  private readonly view: NounView;
  private requests: { readonly lamp: number; readonly answer: (response: Response) => void }[] = [];
  private readonly answers: (() => void)[] = [];
  private readonly events: State[] = [];

  constructor(view: NounView) {
    this.view = view;
    view.take({ lamp: 0 });
    vi.stubGlobal("fetch", (_path: string, { body }: { body: string }) => {
      const { lamp } = JSON.parse(body) as { lamp: number };
      return new Promise<Response>((answer) => this.requests.push({ lamp, answer }));
    });
  }

  /** Handles a request of the page. */
  handle(): void {
    const request = this.requests.shift();
    if (request === undefined) return;
    const { lamp, answer } = request;
    this.lamp = lamp;
    this.answers.push(() => answer(Response.json({ lamp })));
  }

  /** Sends the state as an event if it differs from the last one. */
  tell(): void {
    if (this.lamp === this.toldLast) return;
    this.toldLast = this.lamp;
    this.events.push({ lamp: this.lamp });
  }

  deliverEvent(): void {
    const event = this.events.shift();
    if (event !== undefined) this.view.take(event);
  }

  async deliverAnswer(): Promise<void> {
    this.answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  }

  /** Lets everything happen that still can. */
  async settle(): Promise<void> {
    for (let round = 0; round < 20; round++) {
      this.handle();
      this.tell();
      this.deliverEvent();
      await this.deliverAnswer();
    }
    await vi.advanceTimersByTimeAsync(answerTime);
  }
}

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

const lampOf = (view: NounView) => view.valueOf(keysOf({ lamp: 0 }, view.noun)[0] as (typeof view.keys)[0]);

test("the page ends with the device's state, whatever the order of changes, events and answers", async () => {
  const lamp = fc.constantFrom(0, 1);
  const step = fc.oneof(
    fc.record({ person: lamp }),
    fc.record({ other: lamp }),
    fc.constantFrom("handle", "tell", "deliverEvent", "deliverAnswer"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const view = newView();
      const device = new DeviceOfTest(view);
      for (const one of steps) {
        if (typeof one === "string") await device[one as "handle"]();
        else if ("person" in one) view.set("lamp", one.person);
        else device.lamp = one.other;
      }
      await device.settle();
      expect(lampOf(view)).toBe(device.lamp);
    }),
  );
});

test("the answer to a change shows until the device tells the next state", async () => {
  const view = newView();
  const device = new DeviceOfTest(view);
  view.set("lamp", 1);
  device.handle();
  await device.deliverAnswer();
  expect([view.state, lampOf(view)]).toEqual([{ lamp: 1 }, 1]);
  device.lamp = 0;
  await vi.advanceTimersByTimeAsync(answerTime - 1);
  expect(lampOf(view)).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(lampOf(view)).toBe(0);
});

test("the answer of a noun that cannot be read stays", async () => {
  const view = newView({ isRead: false });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ lamp: 1 })));
  view.set("lamp", 1);
  await vi.advanceTimersByTimeAsync(answerTime);
  expect(lampOf(view)).toBe(1);
});

test("an age that the answer has reset goes on from there", async () => {
  const [ms] = keysOf({ ms: 0 }, { ...undescribedNoun("clock"), isPut: false, isPosted: false });
  const keys = ms === undefined ? [] : [{ ...ms, isTimeDependent: true }];
  const view = newView({ keys });
  view.take({ ms: 50_000 });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ ms: 10 })));
  view.reset();
  await vi.advanceTimersByTimeAsync(answerTime + 990);
  expect(keys.map((key) => view.valueOf(key))).toEqual([answerTime + 1_000]);
});
