/** A listener within the process: it takes each state of one noun as JSON. */
import type { EventForm } from "./audience.ts";
import type { Listener, Watch } from "./watch.ts";

const form: EventForm = {
  text: ({ json }) => json,
  broadcast(text, outlets) {
    for (const outlet of outlets) outlet.write(text);
    return [];
  },
};

export abstract class StateListener implements Listener {
  /** Its watch; undefined before the noun was read and after the end. */
  watch: Watch | undefined;

  get form(): EventForm {
    return form;
  }

  get outlet(): this {
    return this;
  }

  write(json: string): boolean {
    this.take(json);
    return true;
  }

  onWaiting(): void {}

  end(): void {
    this.watch = undefined;
    this.lost();
  }

  /** @param json the state; `null` where the noun failed. */
  abstract take(json: string): void;

  /** The noun was removed or registered again, or there was no memory for its state. */
  protected abstract lost(): void;
}
