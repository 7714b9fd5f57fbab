/** What this browser keeps: the token, what meters had at midnight, which groups a person has folded, and the title of the device. */
import { rootPath } from "./root-path.ts";
import { type JsonObject, member, parseJson } from "./scalar.ts";

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

const tokenOfTab = placeIn("sessionStorage", "token");
const tokenOfDevice = placeIn("localStorage", "nound.token");

/** The token: of this tab, or of this browser if a person has said so. */
export const keptToken = {
  read: tokenOfTab.read,
  readRemembered: tokenOfDevice.read,
  write(text: string, isRemembered: boolean): void {
    tokenOfTab.write(text);
    if (isRemembered || text === "") tokenOfDevice.write(text);
  },
};

/** By a meter, its values at the midnights of two days: an object in JSON. */
const keptMidnights = placeIn("localStorage", "nound.midnights");

export function keptMidnight(place: string, time: number): unknown {
  return member(member(parseJson(keptMidnights.read()), place), String(time));
}

export function keepMidnight(place: string, time: number, value: number): void {
  if (keptMidnight(place, time) === value) return;
  const all = (parseJson(keptMidnights.read()) ?? {}) as JsonObject;
  const before = Object.entries((all[place] ?? {}) as JsonObject).filter(
    ([other]) => time - Number(other) < 2 * 86_400_000,
  );
  keptMidnights.write(JSON.stringify({ ...all, [place]: { ...Object.fromEntries(before), [time]: value } }));
}

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
