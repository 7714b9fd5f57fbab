/**
 * The pairing of a device that has no token yet: what is known of it before the first client asks. Only such a device
 * loads this.
 */
import type { PartKey, PartPlan } from "../../core/server/part.ts";
import type { HttpServer } from "../../core/server/server.ts";
import { openPairing, type Pairing } from "./pairing.ts";

/** How a device without a token gives its first one away. Only the stock program has this. */
export interface PairingOptions {
  /** The noun whose press lets a client in; undefined without one. */
  readonly button: string | undefined;
  /** Whether the first minutes after the device was switched on let a client in, too. */
  readonly atStart: boolean;
  /** Writes the token file. @throws Error with a sentence. */
  readonly keep: (text: string) => void;
}

const pairingKey: PartKey<Pairing> = { name: "pairing" };

/** The path of the questions for a token. No noun's path has a second `/`. */
const path = "/page/pairing";

/** @param server gives the server that the part is of. */
export function pairing(options: PairingOptions, server: () => HttpServer): PartPlan<Pairing> {
  return {
    ...pairingKey,
    open: (host) => openPairing(options, host, server()),
    find: (head, _scheme, { parts }) =>
      head.target !== path || parts.find(pairingKey)?.isOver === true
        ? undefined
        : { needed: "none", route: () => parts.open(pairingKey)?.route(head) },
  };
}
