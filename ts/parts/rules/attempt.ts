/** An action of a rule that is performed: it takes the answer, and says what came of it. */
import { type Answer, RefusalAnswer } from "../../core/operations/answer.ts";
import { failureOf, type Performer } from "./perform.ts";
import type { Action } from "./rule.ts";
import type { RuleNoun } from "./rule-noun.ts";
import type { Run } from "./runs.ts";

export class Attempt implements Performer {
  declare readonly hasNoPlace: true;
  readonly rule: RuleNoun;
  readonly action: Action;
  /** Whether the conditions of the rule held when it began. */
  private readonly held: boolean;
  private readonly run: Run;

  static {
    Object.assign(Attempt.prototype, { hasNoPlace: true });
  }

  constructor(rule: RuleNoun, action: Action, run: Run) {
    this.rule = rule;
    this.action = action;
    this.held = rule.holds;
    this.run = run;
  }

  onAnswer(answer: Answer | string): void {
    const { rule, action, held, run } = this;
    const { context } = rule.rules;
    if (typeof answer !== "string") context.log(rule.name, action, answer);
    const failure = failureOf(answer);
    if (failure !== undefined) {
      context.report(rule.name, `${action.verb} ${action.noun} failed: ${failure}`);
      // It was refused for a time.
      const isInTime = answer instanceof RefusalAnswer && answer.status === 409 && answer.retryAfter !== undefined;
      if (isInTime) rule.tryAgain(1_000 * (answer.retryAfter ?? 0), held);
    }
    run.ended(failure === undefined);
  }
}
