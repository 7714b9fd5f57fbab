/** A noun that reads the sensor of another device. */
import { defineNoun, fetch, type Noun } from "nound";

/** Where the sensor is, and how often it is asked. */
export interface RemoteSensorOptions {
  /** A noun with the key `celsius`: `http://192.0.2.10:8080/cellar`. */
  readonly url: string;
  /** ms from one question to the next. */
  readonly interval: number;
}

/** @returns the temperature; null if the noun has none. @throws Error without an answer. */
async function measurement(url: string): Promise<number | null> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  // Another device may answer anything.
  const { celsius } = (await response.json()) as { readonly celsius?: unknown };
  return typeof celsius === "number" ? celsius : null;
}

/** GET shows the last measurement, or null if the other device does not answer. */
export function remoteSensor({ url, interval }: RemoteSensorOptions): Noun {
  let celsius: number | null = null;
  let tell = () => {};

  async function ask(): Promise<void> {
    try {
      celsius = await measurement(url);
    } catch (error) {
      celsius = null;
      console.warn(String(error));
    }
    tell();
  }

  void ask();
  const timer = setInterval(() => void ask(), interval);
  return defineNoun({
    shape: { celsius: { type: "number", unit: "Cel", nullable: true, readOnly: true } },
    get: () => ({ celsius }),
    watch(changed) {
      tell = changed;
      return () => {
        tell = () => {};
      };
    },
    close: () => clearInterval(timer),
  });
}
