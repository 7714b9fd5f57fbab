/**
 * Streams of requests for property tests: grammatical ones, and the same with a few bytes changed. One character a
 * byte.
 */
import fc from "fast-check";

const method = fc.constantFrom("GET", "PUT", "POST", "DELETE", "HEAD", "PATCH", "zqx", "M".repeat(33));
const target = fc.constantFrom(
  "/led",
  "/LED",
  "/%6ced",
  "/slow",
  "/zqx",
  "/",
  "/a/b",
  "/led?q",
  "*",
  "http://a/led",
  "/long-target-42",
);
const version = fc.oneof(
  { weight: 20, arbitrary: fc.constant("HTTP/1.1") },
  { weight: 1, arbitrary: fc.constantFrom("HTTP/1.0", "HTTP/2.0", "http/1.1", "HTTP/1.") },
);
const fieldLine = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "X: y",
      "Accept:*/*",
      "Connection: keep-alive",
      "X:\t \xff z",
      "Cookie: a=b",
      "COOKIE:\t\xff",
      "Coo: k",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "Host: b",
      "Content-Length: 2",
      "Content-Length: 99999",
      "Content-Length: x",
      "Transfer-Encoding: chunked",
      "Expect: 100-continue",
      "Expect: x",
      "Connection: close",
      "X : y",
      " folded",
      ": nameless",
      "X: a\rb",
      "Cookie: a\0b",
      "Cookie : a",
    ),
  },
);
const body = fc.constantFrom(
  "",
  "{}",
  '{"led":1}',
  '{"led":[1]}',
  "\r\n\r\n",
  "GET /led HTTP/1.1\r\nHost: a\r\n\r\n",
  "\xff",
);
const mediaType = fc.oneof(
  { weight: 8, arbitrary: fc.constant("Content-Type: application/json\r\n") },
  { weight: 1, arbitrary: fc.constant("") },
);

/** @returns a body in two chunks, or in one or none where it is short. */
function inChunks(text: string): string {
  const chunks = [text.slice(0, 2), text.slice(2)].filter((part) => part !== "");
  return `${chunks.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`;
}

/** One request, well-formed more often than not. */
export const requests = fc
  .record({
    method,
    target,
    version,
    host: fc.oneof({ weight: 20, arbitrary: fc.constant("Host: a\r\n") }, { weight: 1, arbitrary: fc.constant("") }),
    fields: fc.array(fieldLine, { maxLength: 4 }),
    mediaType,
    body,
    chunked: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    before: fc.oneof({ weight: 6, arbitrary: fc.constant("") }, { weight: 1, arbitrary: fc.constant("\r\n") }),
  })
  .map((parts) => {
    const hasBody = parts.method === "PUT" || parts.method === "POST";
    const framing = parts.chunked ? "Transfer-Encoding: chunked\r\n" : `Content-Length: ${parts.body.length}\r\n`;
    const content = parts.chunked ? inChunks(parts.body) : parts.body;
    const fields = parts.fields.map((line) => `${line}\r\n`).join("");
    const line = `${parts.method} ${parts.target} ${parts.version}\r\n`;
    const head = `${parts.before}${line}${parts.host}${hasBody ? parts.mediaType + framing : ""}${fields}\r\n`;
    return hasBody ? head + content : head;
  });

const anyByte = fc.oneof(
  fc.constantFrom("\r", "\n", "\r\n", " ", "\t", ":", "\0", "\x7f", "\x80", "\xff", "a", "1"),
  fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
);
const mutation = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom("replace", "insert", "remove", "cut"),
  byte: anyByte,
});

/** @returns the bytes with a few of them changed, added, taken away, or the rest cut off; often as they are. */
export function mutated(streams: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(streams, fc.array(mutation, { maxLength: 3 })).map(([stream, mutations]) => {
    let bytes = stream;
    for (const { at, kind, byte } of mutations) {
      const index = at % (bytes.length + 1);
      const end = kind === "cut" ? bytes.length : index + (kind === "insert" ? 0 : 1);
      const added = kind === "replace" || kind === "insert" ? byte : "";
      bytes = bytes.slice(0, index) + added + bytes.slice(end);
    }
    return bytes;
  });
}

/** A few requests in a row, often mutated. */
export const requestStreams = mutated(fc.array(requests, { minLength: 1, maxLength: 4 }).map((row) => row.join("")));

/** Where to cut a stream; see `slices`. */
export const cuts = fc.oneof(fc.constant("everywhere" as const), fc.array(fc.nat(), { maxLength: 12 }));

/** @returns the stream in pieces, none of them empty: cut at these places, or into single bytes. */
export function slices(stream: string, where: "everywhere" | readonly number[]): readonly string[] {
  if (where === "everywhere") return [...stream];
  const places = [...new Set(where.map((place) => place % (stream.length + 1)))].sort((one, other) => one - other);
  return [0, ...places].map((start, index) => stream.slice(start, places[index])).filter((piece) => piece !== "");
}

/** Limits, often so small that they compete with the errors of grammar. */
export const requestLimits = fc.oneof(
  fc.constant({ targetBytes: 256, headerBytes: 4096, headerFields: 32, bodyBytes: 4096 }),
  fc.record({
    targetBytes: fc.integer({ min: 1, max: 16 }),
    headerBytes: fc.integer({ min: 1, max: 80 }),
    headerFields: fc.integer({ min: 1, max: 5 }),
    bodyBytes: fc.constantFrom(4, 4096),
  }),
);
