/** Reads what a server answered. */
import type { State } from "../noun/state.ts";
import type { TestAnswer } from "./request.ts";

/**
 * @param bytes all that was received, one character a byte.
 * @param isBodiless whether the answer is to a HEAD.
 * @returns the first final answer, or undefined while it is not complete.
 */
export function readAnswer(bytes: string, isBodiless: boolean): TestAnswer | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.slice(0, headEnd).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const rest = bytes.slice(headEnd + 4);
  if (status < 200) return readAnswer(rest, isBodiless);
  const fields = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.replace(/^[^:]*: */, "")]);
  const headers = Object.fromEntries(fields) as { readonly [name: string]: string };
  const length = isBodiless ? 0 : Number(headers["content-length"] ?? 0);
  if (rest.length < length) return undefined;
  const content = decodeUtf8(rest.slice(0, length));
  return { status, headers, body: content === "" ? {} : (JSON.parse(content) as State) };
}

/** @param bytes one character a byte. */
export function decodeUtf8(bytes: string): string {
  const percent = bytes.replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return decodeURIComponent(percent);
}
