/** The noun whose detail is open, in the address behind `#`. The browser's Back closes it. */

/** Whether this page has opened it, so that Back leads to the page and not away from it. */
let isOurs = false;

let onMove: () => void = () => {};

/** @returns the name of the noun whose detail is open; "" for none. */
export function openedPlace(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

export function openPlace(name: string): void {
  isOurs = true;
  history.pushState(null, "", `#${encodeURIComponent(name)}`);
  onMove();
}

export function closePlace(): void {
  if (isOurs) {
    history.back();
    return;
  }
  history.replaceState(null, "", location.pathname);
  onMove();
}

/** @param call is called after each move. */
export function onPlace(call: () => void): void {
  onMove = call;
  addEventListener("popstate", () => {
    isOurs = false;
    call();
  });
}
