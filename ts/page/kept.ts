/** What this browser keeps of the page: which groups a person has folded, and the title of the device. */
const place = "nound.folded";

/** @returns by the title of a group, whether it is folded; nothing if the browser keeps nothing. */
function read(): { readonly [title: string]: boolean } {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @returns whether a group is folded, if a person has said so here. */
export function keptFolding(title: string): boolean | undefined {
  const folded = read();
  return Object.hasOwn(folded, title) ? folded[title] === true : undefined;
}

export function keepFolding(title: string, isFolded: boolean): void {
  try {
    localStorage.setItem(place, JSON.stringify({ ...read(), [title]: isFolded }));
  } catch {}
}

const titlePlace = "nound.title";

/** @returns the title that the device had, which it tells nobody without a token. */
export function keptTitle(): string | undefined {
  try {
    return localStorage.getItem(titlePlace) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepTitle(title: string): void {
  try {
    localStorage.setItem(titlePlace, title);
  } catch {}
}
