/** A noun: a LED that blinks at a rate. */
import { defineNoun, type Noun, openOutput } from "nound";

/**
 * PUT says how often a second the LED blinks, 0 for not at all; DELETE goes back to once a second.
 * @param line the name of the line, as `gpioinfo` shows it.
 */
export function blinkingLed(line: string): Noun {
  const led = openOutput({ line });
  let rate = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  function blink(blinksPerSecond: number): void {
    clearInterval(timer);
    rate = blinksPerSecond;
    led.setValue(0);
    if (rate > 0) timer = setInterval(() => led.setValue(led.getValue() === 1 ? 0 : 1), 500 / rate);
  }

  blink(1);
  return defineNoun({
    shape: {
      rate: { type: "number", minimum: 0, maximum: 20, description: "Blinks a second." },
      lit: { type: "boolean", readOnly: true },
    },
    default: { rate: 1 },
    get: () => ({ rate, lit: led.getValue() === 1 }),
    set: (state) => blink(state.rate),
    close() {
      blink(0);
      led.close();
    },
  });
}
