/** A noun: a LED on a GPIO line. */
import { defineNoun, type Noun, openOutput } from "nound";

/**
 * GET reads the LED, PUT sets it, POST toggles it, DELETE turns it off.
 * @param line the name of the line, as `gpioinfo` shows it.
 */
export function led(line: string): Noun {
  const output = openOutput({ line });
  return defineNoun({
    shape: { led: { type: "choice", values: [0, 1] } },
    default: { led: 0 },
    get: () => ({ led: output.getValue() }),
    set: (state) => output.setValue(state.led),
    update: () => output.setValue(output.getValue() === 1 ? 0 : 1),
    close: () => output.close(),
  });
}
