/**
 * Says why what has come of a head can no longer become a well-formed one, and at which byte.
 *
 * It runs only where `matchHead` found nothing or the head is not complete, so an ordinary request never pays for it, and a client
 * that sends a bad byte and then waits is answered at once. Because the verdict falls at the first bad byte, it does not depend
 * on how the bytes were cut.
 */
import { notInFieldValue } from "./fields.ts";
import { tokenClass, visibleClass } from "./grammar.ts";
import { hostAndPort, isHost } from "./host.ts";
import { HttpError } from "./http-error.ts";
import { methodBytes, type RequestLimits } from "./limits.ts";

function badRequest(detail: string): HttpError {
  return HttpError.closing(400, detail);
}

const methodStart = new RegExp(`^[${tokenClass}]*`);
const targetStart = new RegExp(`^[${visibleClass}]*`);
const versionPattern = /^HTTP\/[0-9]\.[0-9]$/;
const versionStart = /^(?:H(?:T(?:T(?:P(?:\/(?:[0-9](?:\.[0-9]?)?)?)?)?)?)?)?$/;

function requestLineError(): HttpError {
  return badRequest(
    "The request line is not a method, a target and HTTP/1.1, separated by single spaces and ended by CR LF.",
  );
}

/** @param rest what follows the second space, up to the line end where that has come. */
function checkVersion(rest: string, lineEnds: boolean): void {
  // A CR may be the first half of the line end that is still to come.
  const version = !lineEnds && rest.endsWith("\r") ? rest.slice(0, -1) : rest;
  const ended = version !== rest || lineEnds;
  if (!(ended ? versionPattern : versionStart).test(version)) throw requestLineError();
  if (lineEnds && version !== "HTTP/1.1") {
    throw HttpError.closing(505, "This server supports only HTTP/1.1.");
  }
}

/** @returns the refusal of CONNECT (RFC 9110, 9.3.6). */
export function refuseTunnel(target: string): HttpError {
  const [host, port] = hostAndPort(target);
  return isHost(target) && port !== "" && host !== ""
    ? HttpError.closing(501, "This server does not open tunnels.")
    : badRequest("The target of CONNECT is not a host and a port.");
}

/** Throws when no continuation of `line` is a request line. @param lineEnds whether CR LF followed it. */
function checkRequestLine(line: string, lineEnds: boolean, limits: RequestLimits): void {
  const method = methodStart.exec(line)?.[0] ?? "";
  if (method.length > methodBytes) throw HttpError.closing(501, "The method is longer than any this server knows.");
  if (method.length === line.length && !lineEnds) return;
  if (method === "" || line.charAt(method.length) !== " ") throw requestLineError();

  const afterMethod = line.slice(method.length + 1);
  const target = targetStart.exec(afterMethod)?.[0] ?? "";
  if (target.length > limits.targetBytes) {
    throw HttpError.closing(414, `The request target is longer than ${limits.targetBytes} bytes.`);
  }
  if (target.length === afterMethod.length && !lineEnds) return;
  if (target === "" || afterMethod.charAt(target.length) !== " ") throw requestLineError();
  checkVersion(afterMethod.slice(target.length + 1), lineEnds);
  if (lineEnds && method === "CONNECT") throw refuseTunnel(target);
}

/**
 * The check of one head, while it comes. Each look goes on where the last one ended: of a head that comes byte by byte no byte is
 * looked at twice, but those of the request line, which is short.
 */
class HeadCheck {
  private readonly limits: RequestLimits;
  /** Where the header section begins; 0 until the request line has been found sound. */
  private section = 0;
  /** Where the line begins that is not complete. */
  private line = 0;
  /** Which field line that is. */
  private count = 1;
  /** Bytes of it that are sound, up to where it may have its end. */
  private sound = 0;
  /** Whether its colon is among them. */
  private inValue = false;

  constructor(limits: RequestLimits) {
    this.limits = limits;
  }

  /**
   * Looks for the first byte with which `text` stops being the beginning of a well-formed head.
   * @param text the bytes received since the end of the last request, an ignored empty line left out: those that were checked
   *   before, and more.
   * @throws HttpError (400, 414, 431, 501 or 505, all closing) at that byte. Returns if there is no such byte so far.
   */
  check(text: string): void {
    if (this.section === 0) {
      const end = text.indexOf("\r\n");
      checkRequestLine(end < 0 ? text : text.slice(0, end), end >= 0, this.limits);
      if (end < 0) return;
      this.section = end + 2;
      this.line = this.section;
    }
    while (this.line < text.length && this.checkLine(text));
  }

  /**
   * Checks what is new of a field line. The empty line at the header section's end does not count against the limits.
   * @returns whether it is complete and sound, and no empty line; the next one is its turn then.
   */
  private checkLine(text: string): boolean {
    const { line, limits } = this;
    if (text.charAt(line) === "\r") {
      const next = text.charAt(line + 1);
      if (next !== "" && next !== "\n") throw badRequest("A field line begins with a CR that no LF follows.");
      return false;
    }
    if (this.count > limits.headerFields) {
      throw HttpError.closing(431, `The header section has more than ${limits.headerFields} fields.`);
    }
    const limit = this.section + limits.headerBytes;
    const end = text.indexOf("\r\n", line + this.sound);
    const lineEnds = end >= 0 && end + 2 <= limit;
    // Only bytes within the limit are looked at: the first byte over it is an error before any that follows it.
    this.checkRest(text.slice(line + this.sound, lineEnds ? end : limit), lineEnds);
    if (!lineEnds) {
      if (text.length <= limit) return false;
      throw HttpError.closing(431, `The header section is longer than ${limits.headerBytes} bytes.`);
    }
    this.line = end + 2;
    this.count += 1;
    this.sound = 0;
    this.inValue = false;
    return true;
  }

  /** Throws when no continuation of a field line is one. @param rest what follows its sound bytes. */
  private checkRest(rest: string, lineEnds: boolean): void {
    let value = rest;
    if (!this.inValue) {
      const { length } = methodStart.exec(rest)?.[0] ?? "";
      const afterName = rest.charAt(length);
      if (afterName === "" && !lineEnds) {
        this.sound += length;
        return;
      }
      checkName(this.sound + length, afterName);
      this.inValue = true;
      this.sound += length + 1;
      value = rest.slice(length + 1);
    }
    const bad = value.search(notInFieldValue);
    // The last character of an unfinished line may be the CR of its line end.
    if (bad >= 0 && (lineEnds || bad < value.length - 1 || value.charAt(bad) !== "\r")) {
      throw badRequest("A field's value holds a control character, or its line does not end with CR LF.");
    }
    this.sound += bad < 0 ? value.length : bad;
  }
}

/** Throws unless a name of so many bytes is one and its colon follows. @param next the character behind it; "" for the line's end. */
function checkName(length: number, next: string): void {
  if (next === " " || next === "\t") {
    if (length === 0)
      throw badRequest("A field line begins with white space; line folding is not accepted (RFC 9112, 5.2).");
    throw badRequest("There is white space between a field's name and its colon (RFC 9112, 5.1).");
  }
  if (next !== ":" || length === 0) throw badRequest("A field line does not begin with a name and a colon.");
}

/** @returns a check of one head. A function, so that this file is read when a head needs it and not before. */
export function createHeadCheck(limits: RequestLimits): HeadCheck {
  return new HeadCheck(limits);
}
