/** A noun that survives: its state is kept in a file. */
import { defineNoun, type Noun, openStore } from "nound";

const defaultSettings = { name: "my device", volume: 30 };

/** @returns what a file holds, or the default when it holds nothing that makes sense. */
function parse(text: string | undefined): typeof defaultSettings {
  try {
    const { name, volume } = JSON.parse(text ?? "") as { readonly name?: unknown; readonly volume?: unknown };
    if (typeof name === "string" && typeof volume === "number") return { name, volume };
  } catch {
    // Written by somebody else, or by a version that wrote it otherwise.
  }
  return defaultSettings;
}

/**
 * Each change is in the file before it is answered: after a crash or the loss of power the file holds the old state or
 * the new one. A flash memory wears out by writing; this noun is for what people change, not for what a sensor says
 * each second.
 * @param folder where the file is; made when its parent exists.
 */
export function settings(folder: string): Noun {
  const store = openStore(folder);
  let state = parse(store.read("settings.json"));
  return defineNoun({
    shape: {
      name: { type: "string", maximumLength: 64 },
      volume: { type: "integer", minimum: 0, maximum: 100 },
    },
    default: defaultSettings,
    get: () => state,
    set(desired) {
      // First the file: when it cannot be written, the answer is 500 and the state is what it was.
      store.write("settings.json", JSON.stringify(desired));
      state = desired;
    },
  });
}
