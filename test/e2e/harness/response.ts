/** Reads a response off raw bytes, as strictly as RFC 9112 lets a server write it. */

/** One final response, with the interim ones that came before it. */
export interface Response {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  /** Field values by lowercased name. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** The statuses of the interim responses (1xx) before it. */
  readonly interim: readonly number[];
  /** All bytes of the final response, one character a byte. */
  readonly bytes: string;
}

const statusLine = /^HTTP\/1\.1 ([1-5][0-9]{2}) ([\x21-\x7e][\x20-\x7e]*)$/;
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;

function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = fieldLine.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new Error(`Not a field line: ${JSON.stringify(line)}`);
    }
    if (fields.has(name.toLowerCase())) {
      throw new Error(`The field ${name} came twice.`);
    }
    fields.set(name.toLowerCase(), value);
  }
  return fields;
}

function contentLength(fields: ReadonlyMap<string, string>): number {
  const value = fields.get("content-length");
  if (value === undefined || !/^(?:0|[1-9][0-9]*)$/.test(value)) {
    throw new Error(`A response with a body needs a Content-Length, and this one has ${JSON.stringify(value)}.`);
  }
  if (fields.has("transfer-encoding")) {
    throw new Error("A response has either a Content-Length or a Transfer-Encoding, never both.");
  }
  return Number(value);
}

/**
 * Reads one final response and the interim ones before it.
 * @param method of the request: a response to HEAD has no body (RFC 9110, 9.3.2).
 * @returns the response and how many bytes it and its interim responses take, or undefined when more bytes are needed.
 * @throws Error when the bytes cannot become a response.
 */
export function readResponse(bytes: Buffer, method: string): { response: Response; length: number } | undefined {
  const interim: number[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n", start);
    if (end < 0) {
      return undefined;
    }
    const [first = "", ...lines] = bytes.toString("latin1", start, end).split("\r\n");
    const [, status, reason] = statusLine.exec(first) ?? [];
    if (status === undefined || reason === undefined) {
      throw new Error(`Not a status line: ${JSON.stringify(first)}`);
    }
    const fields = readFields(lines);
    const bodyStart = end + 4;
    if (status.startsWith("1")) {
      interim.push(Number(status));
      start = bodyStart;
      continue;
    }
    // RFC 9110, 8.6: a 204 has no length, nor does a 304 here. One that has is read as having a body, and so found out.
    const isBare = (status === "204" || status === "304") && !fields.has("content-length");
    const contentless = method === "HEAD" || isBare;
    const length = contentless ? 0 : contentLength(fields);
    if (bytes.length < bodyStart + length) {
      return undefined;
    }
    const body = Buffer.from(bytes.subarray(bodyStart, bodyStart + length));
    const whole = bytes.toString("latin1", start, bodyStart + length);
    return {
      response: { status: Number(status), reason, fields, body, interim, bytes: whole },
      length: bodyStart + length,
    };
  }
}
