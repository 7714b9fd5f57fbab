/**
 * What the broker may have ended a connection for: the packets that it had not answered. A broker that is restarted
 * ends connections, too. So what was on its way at an end without a reason is only suspected: the next connection sends
 * it again, alone. Once the broker has answered it, it was not the reason. If that connection ends at it too, it is
 * left out of the next ones.
 */
import { acknowledgement, LeftOut, type Suspect } from "./left-out.ts";
import { suspicion } from "./reason-texts.ts";
import type { SessionEnd } from "./session.ts";

/**
 * Reason codes of a DISCONNECT that are about no packet: unavailable, busy, shutting down, silence, another client with
 * the id, too much at once, too many messages, a quota, an administrator, and another server.
 */
const aboutNoPacket = new Set([0x88, 0x89, 0x8b, 0x8d, 0x8e, 0x93, 0x96, 0x97, 0x98, 0x9c, 0x9d, 0x9f, 0xa0]);

/** Ends in a row behind an acknowledgement. Another client with the id ends connections there, too: nothing else waits. */
const leastAcknowledged = 3;

/** What is left out. */
export interface Verdict {
  /** The name of the first of it. */
  readonly name: string;
  /** For the log. */
  readonly description: string;
}

export class Blame {
  readonly leftOut = new LeftOut();
  /** Whether the broker has ended the last connection: then messages go out one by one. */
  isCareful = false;
  /** Ends in a row behind an acknowledgement. */
  private acknowledged = 0;

  /** Leaves out of the next connections what the broker has ended the last one for. @returns it; undefined for nothing. */
  judge(end: SessionEnd, now: number): Verdict | undefined {
    const { wasAnswered, reason, hasClosed, isIgnored, suspects } = end;
    this.isCareful = wasAnswered && (hasClosed || isIgnored || reason !== undefined);
    const [first] = this.isCareful ? suspects : [];
    this.acknowledged = first?.name === acknowledgement ? this.acknowledged + 1 : 0;
    if (first === undefined) return undefined;
    const blamed = this.blamed(end, first, now);
    if (blamed.length === 0) return undefined;
    const time = Math.min(...blamed.map((suspect) => this.leftOut.add(suspect, now)));
    return { name: blamed[0]?.name ?? "", description: suspicion(blamed, time) };
  }

  /** @returns what the connection was ended for. If that is nothing, all that was not answered is suspected. */
  private blamed({ reason, isIgnored, suspects }: SessionEnd, first: Suspect, now: number): readonly Suspect[] {
    if (first.name === acknowledgement) return this.acknowledged < leastAcknowledged ? [] : [first];
    const isOfPacket = reason !== undefined && !aboutNoPacket.has(reason);
    // Messages are answered in their order, the filters of one SUBSCRIBE together.
    if (isOfPacket || isIgnored || first.wasRefused === true) return first.payload === undefined ? suspects : [first];
    const again = suspects.filter(({ name }) => this.leftOut.has(name));
    if (again.length === 0) for (const suspect of suspects) this.leftOut.suspect(suspect, now);
    return again;
  }

  /** The broker was away: nothing that comes now repeats what was before. */
  onAbsence(): void {
    this.acknowledged = 0;
    this.leftOut.acquit();
  }
}
