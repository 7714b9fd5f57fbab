/** The control of a shutter, an awning or a gate. */
import { Icon } from "./icons.tsx";
import type { NounView } from "./noun-view.ts";
import { say, type Text } from "./say.ts";

const buttons: readonly (readonly [Text, string, "up" | "stop" | "down"])[] = [
  ["coverUp", "opening", "up"],
  ["coverStop", "stopped", "stop"],
  ["coverDown", "closing", "down"],
];

export function CoverButtons({ view }: { view: NounView }) {
  const { position, moving } = view.state ?? {};
  const end = { opening: 100, closing: 0 };
  return (
    <div class="buttons">
      {buttons.map(([text, word, icon]) => (
        <button
          key={word}
          type="button"
          class="square"
          aria-label={say("ofNoun", say(text), view.noun.title)}
          aria-pressed={moving === word && word !== "stopped"}
          // At its end it cannot go further.
          disabled={word === "stopped" ? moving === word : position === end[word as keyof typeof end]}
          onClick={() => view.set("moving", word)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
