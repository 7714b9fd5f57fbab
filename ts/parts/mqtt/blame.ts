/**
 * What the broker may have ended a connection for: the packets that it had not answered. If there is reason enough,
 * they are left out of the next connections.
 */
import { acknowledgement, LeftOut } from "./left-out.ts";
import { suspicion } from "./reason-texts.ts";
import type { SessionEnd } from "./session.ts";

/**
 * Reason codes of a DISCONNECT that are about no packet: unavailable, busy, shutting down, silence, another client with
 * the id, too much at once, too many messages, a quota, an administrator, and another server. If two in a row come at
 * the same packet, that is left out.
 */
const aboutNoPacket = new Set([0x88, 0x89, 0x8b, 0x8d, 0x8e, 0x93, 0x96, 0x97, 0x98, 0x9c, 0x9d, 0x9f, 0xa0]);

export class Blame {
  readonly leftOut = new LeftOut();
  /** Whether the broker has ended the last connection: then messages go out one by one. */
  isCareful = false;
  /** The topic of the device's status. */
  private readonly status: string;
  /** What the broker had not answered at the last end, and how often in a row it was the same. */
  private lastSuspects = "";
  private suspicions = 0;

  constructor(status: string) {
    this.status = status;
  }

  /**
   * Leaves out of the next connection what the broker has ended the last one for.
   * @param hasHeardWill whether the broker has told the session the device's will.
   * @returns what that is, for the log; "" for nothing.
   */
  judge(
    { wasAnswered, reason, hasClosed, isIgnored, suspects }: SessionEnd,
    hasHeardWill: boolean,
    now: number,
  ): string {
    const isOfBroker = wasAnswered && (hasClosed || isIgnored || reason !== undefined);
    this.isCareful = isOfBroker;
    const names = isOfBroker ? suspects.map(({ name }) => name).join() : "";
    this.suspicions = names === this.lastSuspects ? this.suspicions + 1 : 1;
    this.lastSuspects = names;
    const isChance = (reason !== undefined && aboutNoPacket.has(reason)) || (hasHeardWill && names === this.status);
    // Another client with the id ends connections, too: often behind an acknowledgement, because nothing else waits.
    const least = names === acknowledgement ? 3 : isChance ? 2 : 1;
    if (names === "" || this.suspicions < least) return "";
    return suspicion(suspects, Math.min(...suspects.map((suspect) => this.leftOut.add(suspect, now))));
  }

  /** The broker was away: nothing that comes now repeats what was before. */
  onAbsence(): void {
    this.lastSuspects = "";
    this.leftOut.acquit();
  }
}
