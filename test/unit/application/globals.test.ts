/** The global names of an application: timers on the loop's clock, and UTF-8 as Node has it. */
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import * as globals from "../../../ts/program/application/globals/globals.ts";
import { advance, reset } from "../../../ts/testing.ts";

const { clearInterval, clearTimeout, setInterval, setTimeout } = globals;

beforeEach(reset);

describe("timers", () => {
  test("setTimeout calls once, with its arguments, when its time has come", async () => {
    const calls: unknown[] = [];
    setTimeout((...args) => calls.push(args), 10, "a", 1);
    setTimeout(() => calls.push("at once"));
    await advance(9);
    expect(calls).toEqual(["at once"]);
    await advance(100);
    expect(calls).toEqual(["at once", ["a", 1]]);
  });

  test("a timer that is cleared calls nobody; one that has fired, and none, may be cleared, too", async () => {
    const calls: string[] = [];
    clearTimeout(setTimeout(() => calls.push("cleared"), 5));
    const fired = setTimeout(() => calls.push("fired"), 5);
    await advance(5);
    clearTimeout(fired);
    clearTimeout(undefined);
    expect(calls).toEqual(["fired"]);
  });

  test("setInterval calls again and again until it is cleared, though a call throws", async () => {
    let calls = 0;
    const interval = setInterval(
      (step) => {
        calls += step;
        if (calls === 2) throw new Error("once");
      },
      10,
      1,
    );
    await advance(10);
    await expect(advance(10)).rejects.toThrow("once");
    await advance(20);
    expect(calls).toBe(4);
    clearInterval(interval);
    await advance(100);
    expect(calls).toBe(4);
  });

  test("an interval of no time leaves time to others, and what is no function is refused at once", async () => {
    let calls = 0;
    const interval = setInterval(() => {
      calls += 1;
    });
    await advance(5);
    clearInterval(interval);
    expect(calls).toBe(5);
    // @ts-expect-error not a function
    expect(() => setTimeout("text")).toThrow("A timer takes a function and a delay in ms.");
  });
});

describe("UTF-8", () => {
  const anyText = fc.string({ unit: "binary" });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc
      .array(fc.constantFrom(0x41, 0x80, 0x9f, 0xa0, 0xbb, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5))
      .map((list) => Uint8Array.from(list)),
  );

  test("TextEncoder makes Node's bytes, also of halves of pairs and into an array that is too short", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.string({ unit: fc.constantFrom("\ud83d", "\ude42", "a", "€") })),
        fc.nat({ max: 9 }),
        (text, room) => {
          expect([...new globals.TextEncoder().encode(text)]).toEqual([...new TextEncoder().encode(text)]);
          const [ours, nodes] = [new Uint8Array(room), new Uint8Array(room)];
          expect(new globals.TextEncoder().encodeInto(text, ours)).toEqual(new TextEncoder().encodeInto(text, nodes));
          expect([...ours]).toEqual([...nodes]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("TextDecoder makes the text that Node's makes, of any bytes", () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), (input, ignoreBOM) => {
        const [ours, nodes] = [
          new globals.TextDecoder("utf-8", { ignoreBOM }),
          new TextDecoder("utf-8", { ignoreBOM }),
        ];
        expect(ours.decode(input)).toBe(nodes.decode(input));
        expect(ours.decode(input.buffer)).toBe(nodes.decode(input.buffer));
      }),
      { numRuns: 5_000 },
    );
  });

  test("a stream of pieces comes to the same text as the whole", () => {
    fc.assert(
      fc.property(bytes, fc.nat({ max: 12 }), (input, cut) => {
        const decoder = new globals.TextDecoder();
        const pieces = decoder.decode(input.subarray(0, cut), { stream: true }) + decoder.decode(input.subarray(cut));
        expect(pieces).toBe(new TextDecoder().decode(input));
        expect(decoder.decode(input)).toBe(new TextDecoder().decode(input));
      }),
      { numRuns: 5_000 },
    );
  });

  test("what is not UTF-8 is refused where it is fatal, and another encoding always", () => {
    const decoder = new globals.TextDecoder(" UTF8 ", { fatal: true });
    expect(() => decoder.decode(Uint8Array.of(0xff))).toThrow(TypeError);
    expect(() => decoder.decode(Uint8Array.of(0xe2, 0x82))).toThrow(TypeError);
    expect(decoder.decode(Uint8Array.of(0xe2, 0x82, 0xac))).toBe("€");
    expect(() => new globals.TextDecoder("latin1")).toThrow(RangeError);
  });

  test("a long text is decoded whole", () => {
    const text = "€".repeat(5_000);
    expect(new globals.TextDecoder().decode(new TextEncoder().encode(text))).toBe(text);
  });
});

describe("AbortController", () => {
  test.each([
    ["a device's", globals.AbortController],
    ["Node's", AbortController],
  ])("%s tells its listeners once, and has a reason", (_, Controller) => {
    const controller = new Controller();
    const { signal } = controller;
    const told: string[] = [];
    const removed = () => void told.push("removed");
    signal.addEventListener("abort", () => void told.push(`aborted ${signal.aborted}`));
    signal.addEventListener("abort", removed);
    signal.removeEventListener("abort", removed);
    signal.throwIfAborted();
    expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
    controller.abort();
    controller.abort("again");
    expect(told).toEqual(["aborted true"]);
    expect(signal.reason).toMatchObject({ name: "AbortError", message: "This operation was aborted" });
    expect(() => signal.throwIfAborted()).toThrow("This operation was aborted");
    const other = new Controller();
    other.abort("enough");
    expect(other.signal.reason).toBe("enough");
  });
});
