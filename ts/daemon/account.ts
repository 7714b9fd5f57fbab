/** What the stock program gives up: root for the user it is to run as, and then whatever it does not need to serve. */
import type { Privileges } from "../native/privileges.ts";
import { exitStatus, StartError, sentenceOf } from "./start-error.ts";

/** The user to become; its names or numbers are looked up on the device. */
export interface Account {
  readonly user: string;
  /** The user's own group where this is undefined. */
  readonly group: string | undefined;
}

/**
 * Says which user `giveUp` becomes, before anything is read or opened.
 * @throws StartError when there is no such user, or it cannot be become.
 */
export function chooseAccount(privileges: Privileges, account: Account | undefined): void {
  if (account === undefined) return;
  const { user, group } = account;
  attempt(() => (group === undefined ? privileges.chooseAccount(user) : privileges.chooseAccount(user, group)));
}

/**
 * Gives up what is not needed any more, once everything is open and listens. No noun of the configuration opens another file
 * later than that, save what is in the folders it holds.
 * @returns for the debug log, what was given up.
 * @throws StartError when it cannot be given up.
 */
export function giveUp(privileges: Privileges): string {
  return attempt(() => privileges.restrict());
}

function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new StartError(sentenceOf(error), exitStatus.unavailable);
  }
}
