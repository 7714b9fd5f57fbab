/** What this browser keeps: the token for the tab, which groups a person has folded, and the title of the device. */
import { member, parseJson } from "./scalar.ts";

/** A place in a storage. A browser may refuse each storage; then the place is empty, and stays so. */
function placeIn(storage: "localStorage" | "sessionStorage", name: string) {
  return {
    /** @returns the text there; "" for none. */
    read(): string {
      try {
        return globalThis[storage].getItem(name) ?? "";
      } catch {
        return "";
      }
    },
    write(text: string): void {
      try {
        if (text === "") globalThis[storage].removeItem(name);
        else globalThis[storage].setItem(name, text);
      } catch {}
    },
  };
}

export const keptToken = placeIn("sessionStorage", "token");

/** The title that the device had, which it tells nobody without a token. */
export const keptTitle = placeIn("localStorage", "nound.title");

/** By the title of a group, whether it is folded: an object in JSON. */
const keptFoldings = placeIn("localStorage", "nound.folded");

/** @returns whether a group is folded, if a person has said so here. */
export function keptFolding(title: string): boolean | undefined {
  const isFolded = member(parseJson(keptFoldings.read()), title);
  return typeof isFolded === "boolean" ? isFolded : undefined;
}

export function keepFolding(title: string, isFolded: boolean): void {
  const others = parseJson(keptFoldings.read()) as object | undefined;
  keptFoldings.write(JSON.stringify({ ...others, [title]: isFolded }));
}
