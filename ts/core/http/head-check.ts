/**
 * Finds the first invalid byte of a partial head, and the reason.
 *
 * It runs only where `matchHead` found nothing or the head is not complete, so an ordinary request never pays for it,
 * and a client that sends a bad byte and then waits is answered at once. Because the verdict falls at the first bad
 * byte, it does not depend on how the bytes were cut.
 */
import { firstState, follow, stateNumbers, type Transition, transitionTable } from "../grammar/transition-table.ts";
import { cookieName, mostCookieBytes, withoutCookies } from "./cookies.ts";
import { headTransitions } from "./head-syntax.ts";
import { hostAndPort, isHost } from "./host.ts";
import { HttpError } from "./http-error.ts";
import { methodBytes, type RequestLimits } from "./limits.ts";

/** Follows other versions than HTTP/1.1 and HTTP/1.0 up to the LF of their line, to tell them from what is no version. */
const transitions = (): readonly Transition[] => [
  ...headTransitions(),
  ["major", ["0", "29"], "other dot"],
  ["other dot", ["."], "other minor"],
  ["other minor", ["09"], "other version"],
  ["minor", ["29"], "other version"],
  ["other version", ["\r"], "other version's end"],
  ["other version's end", [], "accepted"],
];

/** Made for the first head that is checked. */
let grammar: { readonly table: ArrayBuffer; readonly states: readonly string[] } | undefined;

function makeGrammar() {
  const all = transitions();
  return { table: transitionTable(all), states: ["refused", ...stateNumbers(all).keys()] };
}

function badRequest(detail: string): HttpError {
  return HttpError.closing(400, detail);
}

/** @returns the refusal of a character that no transition allows in a state. */
function malformed(state: string | undefined, character: string): HttpError {
  const isWhite = character === " " || character === "\t";
  switch (state) {
    case "field line":
      return isWhite
        ? badRequest("A field line begins with white space; line folding is not accepted (RFC 9112, 5.2).")
        : badRequest("A field line does not begin with a name and a colon.");
    case "name":
    case "other name":
      return isWhite
        ? badRequest("There is white space between a field's name and its colon (RFC 9112, 5.1).")
        : badRequest("A field line does not begin with a name and a colon.");
    case "before value":
    case "value":
    case "other value":
    case "line end":
      return badRequest("A field's value holds a control character, or its line does not end with CR LF.");
    case "last line end":
      return badRequest("A field line begins with a CR that no LF follows.");
  }
  return state === "other version's end" && character === "\n"
    ? HttpError.closing(505, "This server supports only HTTP/1.1 and HTTP/1.0.")
    : badRequest(
        "The request line is not a method, a target and HTTP/1.1, separated by single spaces and ended by CR LF.",
      );
}

/** @returns the refusal of CONNECT (RFC 9110, 9.3.6). */
export function refuseTunnel(target: string): HttpError {
  const [host, port] = hostAndPort(target);
  return isHost(target) && port !== "" && host !== ""
    ? HttpError.closing(501, "This server does not open tunnels.")
    : badRequest("The target of CONNECT is not a host and a port.");
}

/**
 * The check of one head, while it comes. Each look goes on where the last one ended, but for the request line, which is
 * short.
 */
export class HeadCheck {
  private readonly limits: RequestLimits;
  /** The number of bytes that the transitions allow. */
  sound = 0;
  /** The state behind them. */
  private state: number = firstState;
  /** Where the header section begins; 0 until the request line is complete. */
  private section = 0;
  /** Where the last line of it begins, and how many there are before, without Cookie lines. */
  private line = 0;
  private count = 0;
  /** Bytes of the Cookie lines before the last line, and of cookies that `skipCookies` has taken out of the text. */
  private cookies = 0;
  skipped = 0;

  constructor(limits: RequestLimits) {
    this.limits = limits;
  }

  /**
   * Looks for the first byte with which `text` stops being the beginning of a well-formed head.
   * @param text the bytes received since the end of the last request, an ignored empty line left out: those that were
   *   checked before, without those that `skipCookies` has taken out, and more.
   * @throws HttpError (400, 414, 431, 501 or 505, all closing) at that byte. Returns if there is no such byte so far.
   */
  check(text: string): void {
    const before = this.sound;
    grammar ??= makeGrammar();
    const { table, states } = grammar;
    const [more, state] = follow(text.slice(before), table, this.state);
    this.sound = before + more;
    this.state = state;
    // A limit that is exceeded within the sound bytes is exceeded before the bad byte.
    const sound = text.slice(0, this.sound);
    if (this.section === 0) this.checkRequestLine(sound);
    if (this.section > 0) this.checkFieldLines(sound, before);
    if (this.sound < text.length && states[state] !== "accepted")
      throw malformed(states[state], text.charAt(this.sound));
  }

  /**
   * Takes the cookies out of a text that was checked last. Of a Cookie line that is not complete, the name stays.
   * @returns the text that is left, to which the next bytes are added.
   */
  skipCookies(text: string): string {
    const last = text.slice(this.line);
    const isCookie = this.section > 0 && last.slice(0, cookieName.length).toLowerCase() === cookieName;
    if (this.cookies === 0 && !isCookie) return text;
    const lines = text.slice(0, this.line);
    const before = withoutCookies(lines) ?? lines;
    const rest = isCookie ? last.slice(0, cookieName.length) + (last.endsWith("\r") ? "\r" : "") : last;
    const skipped = text.length - before.length - rest.length;
    this.line = before.length;
    this.sound -= skipped;
    this.skipped += skipped;
    this.cookies = 0;
    return before + rest;
  }

  private checkRequestLine(sound: string): void {
    const { targetBytes } = this.limits;
    const [method = "", target = ""] = sound.split(" ", 2);
    if (method.length > methodBytes) throw HttpError.closing(501, "The method is longer than any this server knows.");
    if (target.length > targetBytes) {
      throw HttpError.closing(414, `The request target is longer than ${targetBytes} bytes.`);
    }
    const end = sound.indexOf("\r\n");
    if (end < 0) return;
    if (method === "CONNECT") throw refuseTunnel(target);
    this.section = end + 2;
    this.line = this.section;
  }

  /** Excludes the empty line at the header section's end from the limits. @param before bytes checked before. */
  private checkFieldLines(sound: string, before: number): void {
    while (this.line < sound.length && sound.charAt(this.line) !== "\r") {
      const end = sound.indexOf("\r\n", Math.max(this.line, before - 1));
      const next = end < 0 ? sound.length : end + 2;
      const name = sound.slice(this.line, Math.min(this.line + cookieName.length, next)).toLowerCase();
      if (name === cookieName) this.checkCookie(next);
      // What may still become a Cookie line counts when it has become another one.
      else if (!cookieName.startsWith(name)) this.checkField(next);
      if (end < 0) return;
      if (name === cookieName) this.cookies += next - this.line;
      else this.count += 1;
      this.line = next;
    }
  }

  /** @param next where the line ends that begins at `line`. */
  private checkCookie(next: number): void {
    if (this.skipped + this.cookies + next - this.line <= mostCookieBytes) return;
    throw HttpError.closing(431, `The Cookie fields are longer than ${mostCookieBytes} bytes.`);
  }

  /** @param next as for `checkCookie`. */
  private checkField(next: number): void {
    const { headerBytes, headerFields } = this.limits;
    if (this.count >= headerFields) {
      throw HttpError.closing(431, `The header section has more than ${headerFields} fields.`);
    }
    if (next - this.section - this.cookies > headerBytes) {
      throw HttpError.closing(431, `The header section is longer than ${headerBytes} bytes.`);
    }
  }
}
