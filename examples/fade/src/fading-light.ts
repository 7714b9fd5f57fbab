/** A light that fades: one noun that takes its time, and one that tells meanwhile how far it is. */
import { defineNoun, type Noun, now, openPwm, sleep } from "nound";

/** Where the light is. */
export interface LightOptions {
  /** The PWM chip's folder in /sys/class/pwm. */
  readonly chip: string;
  /** The channel on the chip. */
  readonly channel: number;
  /** ms from dark to full. */
  readonly fadeTime: number;
}

/** ns: 1 kHz, which no eye sees. */
const period = 1_000_000;
const percent = { type: "integer", minimum: 0, maximum: 100 } as const;

/**
 * `light` answers a PUT when the fade is over; requests behind it on the same noun wait for that. `progress` is another
 * noun, and so answers at once: where the light is to go, and where it is.
 */
export function fadingLight({ chip, channel, fadeTime }: LightOptions): { light: Noun; progress: Noun } {
  const pwm = openPwm(chip, channel);
  let desired = 0;
  let current = 0;

  function shine(level: number): void {
    // The eye sees steps where it is dark, and hardly any where it is bright.
    pwm.write({ period, duty: Math.round(period * (level / 100) ** 2), enabled: level > 0 });
    current = level;
  }

  async function fade(level: number): Promise<void> {
    const step = fadeTime / 100;
    const from = current;
    const began = now();
    desired = level;
    while (current !== desired) {
      await sleep(step);
      // A busy device wakes us late. So the clock says how far we are, and the fade takes no longer.
      const steps = Math.min(Math.floor((now() - began) / step), Math.abs(desired - from));
      shine(from + Math.sign(desired - from) * steps);
    }
  }

  shine(0);
  return {
    light: defineNoun({
      shape: { level: percent },
      default: { level: 0 },
      get: () => ({ level: current }),
      set: ({ level }) => fade(level),
      update: ({ level = current === 0 ? 100 : 0 }) => fade(level),
      close: () => shine(0),
    }),
    progress: defineNoun({
      shape: { desired: { ...percent, readOnly: true }, current: { ...percent, readOnly: true } },
      get: () => ({ desired, current }),
    }),
  };
}
