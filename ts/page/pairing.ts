/** Asks a device without a token for its first one, which it gives after a press of its button. */
import { ask } from "./http-client.ts";
import { textOf } from "./scalar.ts";

/** ms between two questions. The device keeps the turn of this page for a few of them. */
const pause = 1_000;

/** Which only this page knows. */
const secret = crypto.getRandomValues(new Uint32Array(4)).join("-");

/** What the device says: what to press, "" for a start of the device; another page has its turn; or the token. */
export interface Pairing {
  readonly press?: string | undefined;
  readonly isBusy?: boolean;
  readonly token?: string | undefined;
}

/**
 * @param said is called with each answer.
 * @returns a function that ends it. It also ends with the token, and at once if the device does not pair.
 */
export function pair(said: (pairing: Pairing) => void): () => void {
  let isWanted = true;
  /** The token, which the device keeps once it is asked with it. */
  let told: string | undefined;
  const next = async (): Promise<void> => {
    const { status, json } = await ask("/page/pairing", {
      method: "POST",
      body: JSON.stringify({ for: told ?? secret }),
    });
    if (!isWanted) return;
    const token = textOf(json, "token");
    // Without the token in its answer, the device has it already.
    if (told !== undefined && (status === 401 || token === told)) return said({ token: told });
    if (status !== 0 && status !== 503) told = token;
    if (token !== undefined) return next();
    if (status === 200) said({ press: textOf(json, "press") });
    else if (status === 409) said({ isBusy: true });
    if (status === 200 || status === 409 || status === 0 || status === 503) {
      setTimeout(() => isWanted && void next(), pause);
    }
  };
  void next();
  return () => {
    isWanted = false;
  };
}
