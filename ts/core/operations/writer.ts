/** Who has an operation performed. */
import type { Socket } from "../../native/net.ts";

/** The request of a client: it names the token that it came with, or "". */
export interface ClientRequest {
  readonly admission: { readonly token: string };
}

/** Who it is, in words: `rule frost`, `broker`. For a client, its request. */
export type Writer = string | ClientRequest;

/** The socket of a client, which tells its address, also once it is closed. */
export type Client = Pick<Socket, "peer">;
