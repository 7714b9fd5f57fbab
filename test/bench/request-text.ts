/** The requests that the servers are asked, as bytes. */

/** Where a request that is never the same twice has a number of this many digits. */
export const serialDigits = 12;

const serialMark = "0".repeat(serialDigits);

/** What a request is made of. */
export interface RequestOptions {
  readonly method?: string;
  readonly noun?: string;
  /** Whole field lines beside Host and those of the body. */
  readonly fields?: string;
  readonly body?: string;
}

/** @returns the bytes of a request, one character a byte. */
export function requestText({ method = "GET", noun = "led", fields = "", body }: RequestOptions): string {
  const framing = body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} /${noun} HTTP/1.1\r\nHost: 127.0.0.1:18080\r\n${framing}${fields}\r\n${body ?? ""}`;
}

/** What a browser sends: with Host, 600 bytes of field lines. The number in the cookie can be made another each time. */
export const browserFields = [
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
  `Cookie: theme=light; visit=${serialMark}; panel=overview-of-all-rooms`,
  "DNT: 1",
  "Priority: u=1, i",
]
  .map((line) => `${line}\r\n`)
  .join("");

/** @returns a request of the browser with another number in its cookie. */
export function withSerial(text: string, serial: number): string {
  return text.replace(serialMark, String(serial).padStart(serialDigits, "0"));
}

/** @returns what stands before and behind the number. */
export function aroundSerial(text: string): readonly [string, string] {
  const at = text.indexOf(serialMark);
  return [text.slice(0, at), text.slice(at + serialDigits)];
}

/** @returns a request of the browser with another number in every field line, for the client that is nobody's friend. */
export function withSerialEverywhere(text: string, serial: number): string {
  const [head = "", ...lines] = text.split("\r\n");
  const changed = lines.map((line) => (line === "" || line.startsWith("Host:") ? line : `${line};${serial}`));
  return [head, ...changed].join("\r\n");
}
