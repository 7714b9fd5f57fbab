/** What a guard asks its noun: to read it, or to send it to its default. */
import { emptyState } from "../../core/noun/state.ts";
import { type Answer, RefusalAnswer } from "../../core/operations/answer.ts";
import type { DeviceAsker } from "../../core/operations/device-asker.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";

/** Who asks. */
interface Asking {
  /** Whether another noun has the name by now, or none: then nobody needs the answer. */
  isWithout(registered: RegisteredNoun): boolean;
}

/** What a member asks its noun. */
export class Question implements DeviceAsker {
  declare readonly hasNoPlace: true;
  private readonly member: Asking;
  private readonly registered: RegisteredNoun;
  private readonly done: (answer: Answer) => void;

  static {
    Object.assign(Question.prototype, { hasNoPlace: true });
  }

  constructor(member: Asking, registered: RegisteredNoun, done: (answer: Answer) => void) {
    this.member = member;
    this.registered = registered;
    this.done = done;
  }

  onAnswer(answer: Answer): void {
    if (!this.member.isWithout(this.registered)) this.done(answer);
  }
}

/** Puts a question to a noun, in its turn. */
export function askNoun(registered: RegisteredNoun, question: Question, verb: "GET" | "DELETE", by?: string): void {
  registered.askAs(question, verb, emptyState, by);
}

/** @returns why a noun has not gone to its default. */
export function failureOf(answer: Answer): string {
  return answer instanceof RefusalAnswer ? answer.detail : answer.note;
}
