/** What this browser keeps: the token for the tab, which groups a person has folded, and the title of the device. */
import { rootPath } from "./root-path.ts";
import { member, parseJson } from "./scalar.ts";

/**
 * A place in a storage, of this device alone: others may have the same origin, below other paths. A browser may refuse
 * each storage; then the place is empty, and stays so.
 */
function placeIn(storage: "localStorage" | "sessionStorage", title: string) {
  const nameIt = () => (rootPath() === "/" ? title : `${title} ${rootPath()}`);
  return {
    /** @returns the text there; "" for none. */
    read(): string {
      try {
        return globalThis[storage].getItem(nameIt()) ?? "";
      } catch {
        return "";
      }
    },
    write(text: string): void {
      try {
        if (text === "") globalThis[storage].removeItem(nameIt());
        else globalThis[storage].setItem(nameIt(), text);
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
