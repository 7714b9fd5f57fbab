/** Watching a noun without a socket: the events of a stream, on a simulated connection. */

import type { State } from "../../core/noun/state.ts";
import type { SimulatedPeer } from "../../native/simulated/net.ts";
import type { Server } from "../application/server.ts";
import { bodyOf, decodeUtf8, finalAnswer } from "./http-answer.ts";
import { send, type TestRequest } from "./request.ts";

/**
 * A stream of events as its client sees it.
 *
 * @example
 * const stream: TestStream = await watch(server, { path: "/door" });
 * expect(stream.events).toEqual([{ open: false }]);
 */
export class TestStream {
  private readonly peer: SimulatedPeer;
  private readonly headLength: number;

  /** @internal */
  constructor(peer: SimulatedPeer) {
    this.peer = peer;
    this.headLength = peer.received.indexOf("\r\n\r\n") + 4;
  }

  /** The events' states, oldest first, null where the noun failed. On `/`: states by the names of their nouns. */
  get events(): readonly (State | null)[] {
    const text = decodeUtf8(this.peer.received.slice(this.headLength));
    return Array.from(text.matchAll(/^data: (.*)$/gm), ([, data = ""]) => JSON.parse(data) as State | null);
  }

  /** Whether the server has ended the stream. */
  get hasEnded(): boolean {
    return this.peer.closed;
  }

  /** Disconnects the client. */
  close(): void {
    this.peer.reset();
  }
}

/**
 * Watches a noun as a client does. Events need fake time: `await advance(0)` for one event, and some ms more for one
 * that closely follows another.
 * @param what `path` of the noun, and `headers` where it needs a token.
 * @returns a promise of the stream. It is resolved when the first event has arrived.
 * @throws Error with the sentence of the refusal, if the server refuses the stream.
 *
 * @example
 * const stream = await watch(server, { path: "/door" });
 * pin("GPIO27").press();
 * await advance(0);
 * expect(stream.events).toEqual([{ open: false }, { open: true }]);
 */
export function watch(server: Server, what: TestRequest): Promise<TestStream> {
  return new Promise((resolve, reject) => {
    const peer = send(server, { ...what, headers: { accept: "text/event-stream", ...what.headers } });
    const look = () => {
      const { received } = peer;
      const isOpen = received.startsWith("HTTP/1.1 200 ");
      if (isOpen && /^data: .*\n\n/m.test(received)) {
        resolve(new TestStream(peer));
        return;
      }
      const refusal = isOpen ? undefined : finalAnswer(received);
      if (refusal !== undefined)
        reject(new Error(`there is no stream: ${refusal.status} ${bodyOf(refusal)["detail"]}`));
      else if (peer.closed) reject(new Error(`the server closed the connection without a stream of ${what.path}`));
    };
    peer.onEvent(look);
    look();
  });
}
