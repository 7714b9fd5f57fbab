/** What is known of the servers that this program connects to before the first of them is named. */
import { ofProgram } from "../../native/of-program.ts";
import type { TlsOptions } from "../../native/tls-options.ts";
import { keepDateIn } from "../../platform/date-folder.ts";

const own = ofProgram<{ usualTls: TlsOptions; areNamed: boolean }>(() => ({ usualTls: {}, areNamed: false }));

/**
 * Sets how servers without settings of their own are encrypted.
 * @param folder of states, which keeps the date; undefined for none.
 */
export function useTls(tls: TlsOptions | undefined, folder: string | undefined): void {
  own().usualTls = tls ?? {};
  keepDateIn(folder);
}

/** @returns TLS where a server has no settings of its own. */
export function usualTls(): TlsOptions {
  return own().usualTls;
}

/** Notes that a server is named. */
export function noteServer(): void {
  own().areNamed = true;
}

/** @returns whether a server was named, so that the connector has to start. */
export function areServersNamed(): boolean {
  return own().areNamed;
}
