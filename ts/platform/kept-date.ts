/**
 * The last date that this device has seen, in the folder of states: the clock of a device without a battery starts in
 * the past. A certificate that has ended must not be valid then, and a rule must not run by that clock.
 */
import { ofProgram } from "../native/of-program.ts";
import type { Store } from "../native/storage.ts";
import { dateFolder } from "./date-folder.ts";
import { logError } from "./log.ts";
import { hardware, loop, system } from "./platform.ts";

const file = "tls-date";
const pattern = /^\d{1,12}$/;

/** s between two dates that are kept, and between two looks at the clock. */
const hour = 3_600;

/** s that a clock may go back while it is corrected. */
const minute = 60;

/** s that the date may be later than that of this program's source. A later one is of a clock that was wrong. */
const mostAge = 10 * 365 * 86_400;

/** @returns s since 1970 by the clock on the wall. */
const now = (): number => Math.floor(Date.now() / 1_000);

class KeptDate {
  private readonly store: Store;
  /** A date that has passed, in s since 1970; 0 for none. */
  private latest: number;
  /** When the date went back last, in ms of the loop's clock. */
  private wentBack = Number.NEGATIVE_INFINITY;

  constructor(store: Store) {
    this.store = store;
    const text = store.read(file)?.trim() ?? "";
    const kept = pattern.test(text) ? Number(text) : 0;
    this.latest = isPossible(kept) ? kept : 0;
    const look = () => {
      this.look();
      loop.setTimer(look, hour * 1_000);
    };
    loop.setTimer(look, 0);
  }

  /** The date, in s since 1970; 0 for none. The clock may be right and show an earlier one. */
  get date(): number {
    return this.latest;
  }

  /** @returns whether a moment, in ms since 1970, is later than the date, or right according to the kernel. */
  admits(moment: number): boolean {
    return moment >= (this.latest - minute) * 1_000 || system.isClockSynchronized();
  }

  /** Somebody has set the clock on the wall, so it is right, and the date was of a wrong one. */
  clockWasSet(): void {
    if (now() < this.latest) this.goBack();
  }

  /** Keeps the date, at most once an hour. */
  private look(): void {
    const date = now();
    if (date >= this.latest + hour && isPossible(date)) this.keep(date);
    else if (date < this.latest && system.isClockSynchronized()) this.goBack();
  }

  private goBack(): void {
    this.latest = now();
    if (loop.now() < this.wentBack + hour * 1_000) return;
    this.wentBack = loop.now();
    this.keep(this.latest);
  }

  private keep(date: number): void {
    try {
      this.store.write(file, `${date}\n`);
      this.latest = date;
    } catch (error) {
      logError("date", error);
    }
  }
}

/** @returns whether a date, in s since 1970, may be that of a right clock. */
function isPossible(date: number): boolean {
  return date <= system.sourceDate() + mostAge;
}

const own = ofProgram<{ kept?: KeptDate }>(() => ({}));

/** @returns the date, which is kept from now on; undefined without a folder. To be called before `restrict`. */
export function keptDate(): KeptDate | undefined {
  const date = own();
  const folder = dateFolder();
  if (folder !== undefined) date.kept ??= new KeptDate(hardware().storage.openStore(folder));
  return date.kept;
}

export type { KeptDate };
