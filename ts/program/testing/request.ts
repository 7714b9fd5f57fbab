/** Requests without a socket: they pass the whole server, including its parser, on a simulated connection. */

import type { State } from "../../core/noun/state.ts";
import type { SimulatedPeer } from "../../native/simulated/net.ts";
import { world } from "../../native/simulated/world.ts";
import type { Server } from "../application/server.ts";
import { bodyOf, encodeUtf8, finalAnswer, textOf } from "./http-answer.ts";
import "./failures.ts";

/**
 * A request to a server.
 *
 * @example
 * const asked: TestRequest = { method: "POST", path: "/led", body: {}, headers: { connection: "close" } };
 * const { status } = await request(server, asked);
 */
export interface TestRequest {
  /** GET if left out. */
  readonly method?: string;
  /** The request-target: `/led`. */
  readonly path: string;
  /** Further header fields. They can replace those that every request has: Host, Content-Type, Content-Length. */
  readonly headers?: { readonly [name: string]: string };
  /** A state, sent as JSON; or a text, sent as it is. */
  readonly body?: State | string;
}

/**
 * The answer of a server.
 *
 * @example
 * const { status, headers, body }: TestAnswer = await request(server, { path: "/led" });
 * expect(headers["content-type"]).toBe("application/json");
 */
export interface TestAnswer {
  /** The status code: 200, or that of a refusal. */
  readonly status: number;
  /** Field values by lower-case name. */
  readonly headers: { readonly [name: string]: string };
  /** The state, or the problem document of a refusal; `{}` if the content is not JSON. */
  readonly body: State;
  /** The content as text: JSON, CSV or the metrics; of a compressed page, one character a byte. */
  readonly text: string;
}

/** The address of each server for its requests. */
const addresses = new WeakMap<Server, string>();
let count = 0;

function addressOf(server: Server): string {
  const known = addresses.get(server);
  if (known !== undefined) return known;
  count += 1;
  const address = server.listen(`unix:nound-testing-${count}`);
  addresses.set(server, address);
  return address;
}

function serialize({ method = "GET", path, headers = {}, body }: TestRequest): string {
  const content = body === undefined ? "" : encodeUtf8(typeof body === "string" ? body : JSON.stringify(body));
  const fields = new Map([["host", "localhost"]]);
  if (body !== undefined) fields.set("content-type", "application/json").set("content-length", `${content.length}`);
  for (const [name, value] of Object.entries(headers)) fields.set(name.toLowerCase(), value);
  const lines = Array.from(fields, ([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${path} HTTP/1.1\r\n${lines}\r\n${content}`;
}

/** Connects to a server, which need not listen. @returns the client's end. */
export function connectTo(server: Server): SimulatedPeer {
  return world().net.connect(addressOf(server));
}

/** Sends a request on a new connection. @returns the client's end of it. */
export function send(server: Server, what: TestRequest): SimulatedPeer {
  const peer = connectTo(server);
  peer.send(serialize(what));
  return peer;
}

/**
 * Sends a request to a server. The server need not listen. If the noun takes time, the answer comes when `advance` has
 * let that time pass.
 * @returns a promise of the answer.
 * @throws Error when the server was closed, or closed the connection without an answer.
 *
 * @example
 * const { status, body } = await request(server, { method: "PUT", path: "/led", body: { led: 1 } });
 * expect(status).toBe(200);
 * expect(body).toEqual({ led: 1 });
 */
export function request(server: Server, what: TestRequest): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const peer = send(server, what);
    const look = () => {
      const answer = finalAnswer(peer.received, what.method);
      if (answer !== undefined)
        resolve({
          status: answer.status,
          headers: Object.fromEntries(answer.fields),
          body: bodyOf(answer),
          text: textOf(answer),
        });
      else if (peer.closed) reject(new Error(`the server closed the connection without an answer to ${what.path}`));
      else return;
      peer.end();
    };
    peer.onEvent(look);
    look();
  });
}
