/** The requests that the servers are asked, as bytes. */

/** Where a request that is never the same twice has a number of this many digits. */
export const serialDigits = 12;

/** What such a request has instead of the number. */
export const serialMark = "0".repeat(serialDigits);

/** What a request is made of. */
export interface RequestOptions {
  readonly method?: string;
  readonly noun?: string;
  /** Whole field lines beside Host and those of the body. */
  readonly fields?: string;
  readonly body?: string;
  /**
   * Whether the body is sent in chunks, and its length in no field: as one, or each byte but the number's in one of its
   * own.
   */
  readonly chunked?: "whole" | "bytes";
}

/** @returns the bytes of a request, one character a byte. */
export function requestText({ method = "GET", noun = "led", fields = "", body, chunked }: RequestOptions): string {
  const head = `${method} /${noun} HTTP/1.1\r\nHost: 127.0.0.1:18080\r\n${fields}`;
  if (body === undefined) return `${head}\r\n`;
  const typed = `${head}Content-Type: application/json\r\n`;
  if (chunked === undefined) return `${typed}Content-Length: ${body.length}\r\n\r\n${body}`;
  const data = chunked === "whole" ? [body] : (body.match(new RegExp(`${serialMark}|.`, "g")) ?? []);
  const chunks = data.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
  return `${typed}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
}

/** @param visit 12 characters of the cookie. @returns what a browser sends: with Host, 600 bytes of field lines. */
export function browserFields(visit = "200000000000"): string {
  return [
    'sec-ch-ua: "Chromium";v="128", "Not;A=Brand";v="24"',
    "sec-ch-ua-mobile: ?0",
    'sec-ch-ua-platform: "Linux"',
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36",
    "Accept: application/json, text/plain, */*",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Accept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7",
    "Referer: http://127.0.0.1:18080/status/overview",
    "Sec-Fetch-Dest: empty",
    "Sec-Fetch-Mode: cors",
    "Sec-Fetch-Site: same-origin",
    `Cookie: theme=light; visit=${visit}; panel=overview-of-all-rooms`,
    "DNT: 1",
    "Priority: u=1, i",
  ]
    .map((line) => `${line}\r\n`)
    .join("");
}

/** @returns a request with a number in every field line but Host, for the client that is nobody's friend. */
export function everyLineNew(text: string): string {
  const [head = "", ...lines] = text.split("\r\n");
  const changed = lines.map((line) => (line === "" || line.startsWith("Host:") ? line : `${line};${serialMark}`));
  return [head, ...changed].join("\r\n");
}

/** @returns a request with its number, wherever it has one. */
export function withSerial(text: string, serial: number): string {
  return text.replaceAll(serialMark, String(serial).padStart(serialDigits, "0"));
}

/** The token that a server with tokens asks for: a secret of this benchmark alone. */
export const token = "benchmark-of-nound-benchmark-of-nound";

/** The field line that brings it. */
export const tokenField = `Authorization: Bearer ${token}\r\n`;
