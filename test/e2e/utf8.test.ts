/** `nound:utf8` in the engine, and bodies that are not ASCII. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { printedBy } from "../harness/engine-program.ts";
import { expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { forThisTest } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";
import { nouns } from "../wire/nouns.ts";

/** Runs a program in the engine. @returns what it prints, as JSON. */
async function printed(source: string): Promise<unknown> {
  const program = `
    import { byteLength, decode } from "nound:utf8";
    import { exit } from "nound:loop";
    import { printOutput } from "nound:system";
    ${source}
    exit(0);
  `;
  return JSON.parse(await printedBy(program));
}

/** The platform's strict decoder. @returns null when the bytes are not UTF-8. */
function reference(bytes: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return null;
  }
}

const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
const text = fc.string({ unit: "binary", maxLength: 24 });
const nearlyUtf8 = fc.tuple(text, fc.nat(), fc.integer({ min: 0x80, max: 0xff })).map(([whole, at, byte]) => {
  const bytes = Buffer.from(whole, "utf8");
  if (bytes.length > 0) bytes[at % bytes.length] = byte;
  return bytes.toString("latin1");
});

test("bytes are decoded as the platform's strict decoder does, and a text is as long as its encoding", async () => {
  const samples = [
    ...fc.sample(anyBytes, 2_000),
    ...fc.sample(nearlyUtf8, 4_000),
    ...fc.sample(text, 2_000).map((whole) => Buffer.from(whole, "utf8").toString("latin1")),
  ];
  const decoded = await printed(`
    const samples = ${JSON.stringify(samples)};
    const results = samples.map((bytes) => {
      const text = decode(bytes);
      return [text ?? null, byteLength(text ?? "")];
    });
    // In ASCII, as a pipe may cut a character in two.
    const escape = (unit) => "\\\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
    printOutput(JSON.stringify(results).replace(/[^\\x00-\\x7f]/g, escape));
  `);
  const expected = samples.map((bytes) => {
    const whole = reference(bytes);
    return [whole, Buffer.byteLength(whole ?? "", "utf8")];
  });
  expect(decoded).toEqual(expected);
});

test("a character that is not a byte is refused, and so is a value that is not a string", async () => {
  const results = await printed(`
    const results = ["\u0100", 7].map((value) => {
      try {
        return decode(value);
      } catch (error) {
        return error.name;
      }
    });
    printOutput(JSON.stringify(results));
  `);
  expect(results).toEqual(["RangeError", "TypeError"]);
});

test.each(["é", "€", "😀"])(
  "a large body of one character that is not ASCII is a state like any other: %s",
  async (character) => {
    const limits = { bodyBytes: 1_048_576, bodyTimeout: ample, sendTimeout: ample };
    const nound = forThisTest(await startNound({ nouns, limits }));
    const connection = await RawConnection.open(nound.address);
    const state = { text: character.repeat(100_000) };
    connection.send(put("/note", state));
    expectState(await connection.response(), state);
    connection.send(get("/note"));
    expectState(await connection.response(), state);
    connection.drop();
  },
);

test("a valid body is never taken for bad UTF-8, however little memory there is", async () => {
  const limits = { bodyBytes: 1_048_576, memoryBytes: 4_194_304 };
  const nound = forThisTest(await startNound({ nouns, limits }));
  const outcomes: string[] = [];
  for (let bytes = 50_000; bytes <= 1_000_000; bytes += 50_000) {
    const connection = await RawConnection.open(nound.address);
    connection.send(put("/note", { text: "€".repeat(bytes / 3) }));
    const answered = connection.response().then(
      ({ status }) => String(status),
      () => "closed",
    );
    outcomes.push(await answered);
    connection.drop();
  }
  // Some are served. Others are too large for the states of this process, or find no memory: with an answer that says
  // so, or without one.
  expect(outcomes).toContain("200");
  expect(outcomes.filter((outcome) => !["200", "413", "500", "503", "closed"].includes(outcome))).toEqual([]);
  expect(outcomes.some((outcome) => outcome !== "200")).toBe(true);
});
