/**
 * Answers prepared once. A state that cannot change, handed out again and again, is checked and written the first time only:
 * that is most of what a GET costs.
 */
import { stateResponse } from "../http/response.ts";
import { toState } from "../noun/state.ts";
import { writeState } from "../noun/state-writer.ts";

/** The answer with one state. */
export interface Answer {
  /** The state as JSON. */
  readonly json: string;
  /** The whole answer on a connection that goes on. */
  readonly response: string;
  /** The whole answer on a connection that ends with it, once that has been asked for. */
  closing?: string;
}

const kept = { close: false, headOnly: false, fields: "" } as const;
const closed = { close: true, headOnly: false, fields: "" } as const;

/** @returns the whole answer on a connection that ends with it. */
export function closingResponse(answer: Answer): string {
  answer.closing ??= stateResponse(answer.json, closed);
  return answer.closing;
}

/** A frozen object's own accessors may still give another value each time. */
function isConstant(result: object): boolean {
  const descriptors = Object.values(Object.getOwnPropertyDescriptors(result));
  return Object.isFrozen(result) && descriptors.every((descriptor) => "value" in descriptor);
}

/** See the module's description. */
export class Answers {
  private readonly prepared = new WeakMap<object, Answer>();

  /** @returns the answer prepared for this very object, if there is one. */
  find(result: unknown): Answer | undefined {
    return this.prepared.get(result as object);
  }

  /**
   * @param result what a noun returned.
   * @returns the answer with it.
   * @throws TypeError when it is no state.
   */
  answer(result: unknown): Answer {
    const known = this.find(result);
    if (known !== undefined) return known;
    const json = writeState(toState(result));
    const answer = { json, response: stateResponse(json, kept) };
    if (isConstant(result as object)) this.prepared.set(result as object, answer);
    return answer;
  }
}
