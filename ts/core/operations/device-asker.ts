/** Who asks a noun without being a client. */
import type { Answer } from "./answer.ts";
import type { Asker } from "./operation.ts";

/** A part of the device that asks a noun. */
export interface DeviceAsker extends Asker {
  readonly hasNoPlace: true;
  /** Called once, now or from the loop, with the answer. */
  onAnswer(answer: Answer): void;
}

/** Has a function take the answer. */
export class Asking implements DeviceAsker {
  declare readonly hasNoPlace: true;
  readonly onAnswer: (answer: Answer) => void;

  static {
    Object.assign(Asking.prototype, { hasNoPlace: true });
  }

  constructor(done: (answer: Answer) => void) {
    this.onAnswer = done;
  }
}
