/** A noun: how often a button was pressed. */
import { defineNoun, type Noun, openInput } from "nound";

/**
 * The button counts up, and so does a POST; PUT says where to count from, DELETE goes back to 0.
 * @param line the name of the line, as `gpioinfo` shows it: a button to ground, held up by the line's own resistor.
 */
export function counter(line: string): Noun {
  // A button bounces for a few ms; what lasts for 5 ms (in µs here) is a press.
  const button = openInput({ line, activeLow: true, bias: "pull-up", edges: "rising", debounce: 5 });
  let count = 0;
  const increase = () => {
    count = count === Number.MAX_SAFE_INTEGER ? 0 : count + 1;
  };
  button.onEdge = increase;
  return defineNoun({
    shape: {
      count: { type: "integer", minimum: 0 },
      pressed: { type: "boolean", readOnly: true, description: "Whether the button is held down." },
    },
    default: { count: 0 },
    get: () => ({ count, pressed: button.getValue() === 1 }),
    set: (state) => {
      ({ count } = state);
    },
    update: increase,
    close: () => button.close(),
  });
}
