/** The buttons of a tile. */
import { Icon } from "./icons.tsx";
import type { NounView } from "./noun-view.ts";
import { say, switchText } from "./say.ts";
import type { Key } from "./thing.ts";

/** Each button of a cover, what it makes the cover do, its picture, and the position where it can do no more. */
const moves = [
  ["open", "opening", "up", 100],
  ["coverStop", "stopped", "stop", undefined],
  ["close", "closing", "down", 0],
] as const;

/** The control of a shutter, an awning or a gate. */
export function CoverButtons({ view }: { view: NounView }) {
  const { position, moving } = view.state ?? {};
  return (
    <div class="buttons">
      {moves.map(([text, word, icon, end]) => (
        <button
          key={word}
          type="button"
          class="square"
          aria-label={say("ofNoun", say(text), view.noun.title)}
          aria-pressed={moving === word && word !== "stopped"}
          disabled={word === "stopped" ? moving === word : position === end}
          onClick={() => view.set("moving", word)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}

/** How long a noun that takes a time is switched on, in minutes. */
const times = [5, 30, 60];

/** Switches a noun on that the device itself switches off again. */
export function TimerButtons({ view }: { view: NounView }) {
  const { power, time } = view.timer ?? {};
  if (power === undefined || time === undefined) return null;
  const on = power.values[1] ?? null;
  const label = say("onFor", switchText(power, on));
  return (
    <div class="row of-timer">
      <span class="label">{label}</span>
      {times.map((minutes) => (
        <button
          key={minutes}
          type="button"
          aria-label={`${label} ${minutes} min`}
          onClick={() =>
            view.setAll([
              [power.name, on],
              [time.name, minutes * 60],
            ])
          }
        >
          {`${minutes}\u00a0min`}
        </button>
      ))}
    </div>
  );
}

/** How long a button is held, in ms: each time is one press. A long press lasts 500 ms unless it is configured. */
const presses = [
  ["shortPress", [80]],
  ["longPress", [1_200]],
  ["doublePress", [80, 80]],
] as const;

/** Presses a button that is simulated, as a finger would. */
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
