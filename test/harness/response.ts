/** Reads responses off raw bytes, by the reader of `nound/testing`. */
import { type Answer, readAnswer } from "../../ts/program/testing/http-answer.ts";

/** One final response, with the interim ones that came before it. */
export interface Response extends Answer {
  /** The statuses of the interim responses (1xx) before it. */
  readonly interim: readonly number[];
  /** The content as bytes. */
  readonly body: Buffer;
  /** All bytes of the final response, one character a byte. */
  readonly bytes: string;
}

/**
 * Reads one final response and the interim ones before it.
 * @param bytes one character a byte.
 * @param method of the request: a response to HEAD has no content (RFC 9110, 9.3.2).
 * @returns the response, whose length is that of the interim ones and its own; undefined while it is not complete.
 * @throws Error when the bytes cannot become a response.
 */
export function readResponse(bytes: string, method = "GET"): Response | undefined {
  const interim: number[] = [];
  for (let start = 0; ; ) {
    const answer = readAnswer(bytes.slice(start), method === "HEAD");
    if (answer === undefined) return undefined;
    const end = start + answer.length;
    if (answer.status >= 200) {
      const body = Buffer.from(answer.content, "latin1");
      return { ...answer, interim, body, bytes: bytes.slice(start, end), length: end };
    }
    interim.push(answer.status);
    start = end;
  }
}

function textOf({ content }: Answer): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(content, "latin1"));
}

/** @returns the JSON of the content. @throws TypeError if it is not UTF-8. */
export function jsonOf(answer: Answer): unknown {
  return JSON.parse(textOf(answer));
}

/** Reads the answers of one connection to requests other than HEAD, in whatever pieces they come. */
export class AnswerReader {
  #unread = "";
  #isStream = false;

  /**
   * @param bytes the next that came, one character a byte. @returns the answers that are complete with them, interim
   * ones too.
   */
  take(bytes: string): readonly Answer[] {
    const answers: Answer[] = [];
    this.#unread += bytes;
    while (!this.#isStream) {
      const answer = readAnswer(this.#unread);
      if (answer === undefined) break;
      answers.push(answer);
      this.#unread = this.#unread.slice(answer.length);
      // What follows are events.
      this.#isStream = answer.fields.get("content-type") === "text/event-stream";
    }
    return answers;
  }
}
