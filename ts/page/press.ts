/** While a person presses a button, the page stays as it is: what moves away from below a finger gets no click. */
import { hold, letGo } from "./dom/dom.ts";

/** ms after which a button that is still pressed holds up nothing any more. */
const longTime = 1_000;

/** The most ms between a finger that is gone and its click. */
const clickTime = 100;

let timer: ReturnType<typeof setTimeout> | undefined;

function letGoAfter(time: number): void {
  clearTimeout(timer);
  timer = setTimeout(letGo, time);
}

/** To be called once. */
export function keepPressed(): void {
  addEventListener("pointerdown", ({ target, button }) => {
    if (button !== 0 || !(target as Element).closest("button, summary, [role=switch]")) return;
    hold();
    letGoAfter(longTime);
  });
  addEventListener("pointerup", () => letGoAfter(clickTime));
  addEventListener("pointercancel", () => letGoAfter(0));
  // What the click does is drawn after it.
  addEventListener("click", () => letGoAfter(0));
}
