/** A server on a simulated network and clock, with two nouns, and the requests of most tests. */

import type { AccessOptions } from "../../../ts/core/access/access.ts";
import type { ServerLimits } from "../../../ts/core/server/options.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import { SimulatedMemory } from "../../../ts/native/simulated/memory.ts";
import { SimulatedNet, type SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { streams } from "../../../ts/parts/streams/part.ts";
import { DeferredNoun, RecordingNoun } from "./recording-noun.ts";

export const address = "127.0.0.1:8080";
export const host = "Host: a\r\n";
export const json = "Content-Type: application/json\r\n";

/** @returns a request without a body. @param fields whole field lines. */
export function request(method: string, target: string, fields = ""): string {
  return `${method} ${target} HTTP/1.1\r\n${host}${fields}\r\n`;
}

/**
 * @returns a request with a body of JSON. @param body one character a byte. @param fields further whole field lines.
 */
export function withBody(method: string, target: string, body: string, fields = ""): string {
  return request(method, target, `${json}Content-Length: ${body.length}\r\n${fields}`) + body;
}

/**
 * `led` and `other` answer at once, `slow` and `slower` when the test says so. The server is silent,
 * as in service, unless `logging` is true.
 */
export class Bench {
  readonly clock = new SimulatedClock();
  readonly interruption = new SimulatedInterruption();
  readonly memory = new SimulatedMemory();
  readonly net = new SimulatedNet();
  readonly log: string[] = [];
  readonly led = new RecordingNoun({ led: 0 });
  readonly other = new RecordingNoun();
  readonly slow = new DeferredNoun();
  readonly slower = new DeferredNoun();
  readonly server: HttpServer;

  constructor(limits: Partial<ServerLimits> = {}, logging = false, access: AccessOptions = {}) {
    const log = (line: string) => void this.log.push(line);
    const { net, clock, interruption, memory } = this;
    const platform = { net, clock, interruption, memory, hash: simulatedHash };
    this.server = new HttpServer(platform, logging ? { limits, access, log } : { limits, access }, [streams(() => 0)]);
    this.server.register("led", this.led);
    this.server.register("other", this.other);
    this.server.register("slow", this.slow);
    this.server.register("slower", this.slower);
    this.server.listen(address);
  }

  /**
   * The timers that run for requests and connections: not the one of the deadlines, once no connection is left that has
   * one.
   */
  get timers(): number {
    this.server["context"].deadlines.end();
    return this.clock.running;
  }

  /** @param from the client's address. */
  connect(from?: string): SimulatedPeer {
    return this.net.connect(address, from);
  }

  /** Sends bytes on a connection of their own. @param from the client's address. @returns the peer. */
  send(bytes: string, from?: string): SimulatedPeer {
    const peer = this.connect(from);
    peer.send(bytes);
    return peer;
  }

  /** @returns what is received for bytes sent on a connection of their own. */
  answer(bytes: string): string {
    return this.send(bytes).received;
  }
}
