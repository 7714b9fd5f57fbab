/** Presses a button that is simulated, as a finger would. */
import type { NounView } from "./noun-view.ts";
import { say, type Text } from "./say.ts";
import type { Key } from "./thing.ts";

/** How long the button is held, in ms: each time is one press. A long press lasts 500 ms unless it is configured. */
const presses: readonly (readonly [Text, readonly number[]])[] = [
  ["shortPress", [80]],
  ["longPress", [1_200]],
  ["doublePress", [80, 80]],
];

export function PressButtons({ view, of }: { view: NounView; of: Key }) {
  return (
    <div class="buttons">
      {presses.map(([text, times]) => (
        <button
          key={text}
          type="button"
          aria-label={say("press", say(text), view.noun.title)}
          onClick={() => view.press(of, times)}
        >
          {say(text)}
        </button>
      ))}
    </div>
  );
}
