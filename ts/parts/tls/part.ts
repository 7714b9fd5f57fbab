/** Encrypted connections from clients: what is known of them before a server listens on `https://`. */
import type { Part, PartKey, PartPlan } from "../../core/server/part.ts";
import type { HttpServer } from "../../core/server/server.ts";
import type { AcceptorCertificate } from "../../native/acceptor.ts";
import { type HttpsOptions, openHttps } from "./https.ts";

export { certificateOf, confirmTls } from "./https.ts";
export { httpsSetting } from "./https-setting.ts";
export type { HttpsOptions };

/** Opens with the first address. */
export interface Https extends Part {
  /** The certificate in use. */
  readonly certificate: AcceptorCertificate | undefined;
  /**
   * Has the server accept encrypted connections.
   * @param address `ADDRESS:PORT` or `[v6]:PORT`. @returns the address as bound, with its scheme.
   * @throws Error with a sentence for people.
   */
  listen(address: string): string;
}

export const httpsKey: PartKey<Https> = { name: "https" };

/** @param hosts that the server answers for. @param server gives the server that the part is of. */
export function https(
  options: HttpsOptions,
  hosts: readonly string[] | undefined,
  server: () => HttpServer,
): PartPlan<Https> {
  return { ...httpsKey, open: () => openHttps(options, hosts, server()) };
}
