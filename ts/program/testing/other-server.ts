/** The servers that a program asks by `fetch` or mirrors, as a test plays them. */

import type { State } from "../../core/noun/state.ts";
import { ofProgram } from "../../native/of-program.ts";
import type { SimulatedPeer } from "../../native/simulated/net.ts";
import { world } from "../../native/simulated/world.ts";
import { numberOf } from "../../parts/client/connections.ts";
import { Server } from "../application/server.ts";
import { decodeUtf8, encodeUtf8 } from "./http-answer.ts";
import { connectTo } from "./request.ts";

/**
 * A request that another server gets.
 *
 * @example
 * otherServer("192.0.2.10:8080", ({ method, path }: OtherRequest) =>
 *   method === "GET" && path === "/cellar" ? { body: { celsius: 3.5 } } : { status: 404 },
 * );
 */
export interface OtherRequest {
  /** GET, PUT, POST, PATCH or DELETE. */
  readonly method: string;
  /** The request-target: `/cellar`. */
  readonly path: string;
  /** Field values by lower-case name. */
  readonly headers: { readonly [name: string]: string };
  /** "" without a body. */
  readonly body: string;
}

/**
 * What another server answers.
 *
 * @example
 * const busy: OtherAnswer = { status: 503, headers: { "retry-after": "5" } };
 * otherServer("192.0.2.10:8080", () => busy);
 */
export interface OtherAnswer {
  /** 200 if left out. */
  readonly status?: number;
  /** Further header fields. They can replace Content-Type and Content-Length. */
  readonly headers?: { readonly [name: string]: string };
  /** A state, sent as JSON; or a text, sent as it is. */
  readonly body?: State | string;
}

function requestOf(bytes: string): OtherRequest {
  const end = bytes.indexOf("\r\n\r\n");
  const [line = "", ...fields] = bytes.slice(0, end).split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  return { method, path, headers: Object.fromEntries(headers), body: decodeUtf8(bytes.slice(end + 4)) };
}

/** @returns "" for no answer. */
function answerText(answer: OtherAnswer | undefined): string {
  if (answer === undefined) return "";
  const { status = 200, headers = {}, body = "" } = answer;
  const content = encodeUtf8(typeof body === "string" ? body : JSON.stringify(body));
  const fields = new Map([["content-length", `${content.length}`]]);
  if (typeof body !== "string") fields.set("content-type", "application/json");
  for (const [name, value] of Object.entries(headers)) fields.set(name.toLowerCase(), value);
  const lines = Array.from(fields, ([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} \r\n${lines}\r\n${content}`;
}

/** The connections that are passed on to servers of nouns, by the server. */
const passed = ofProgram(() => new Map<string, SimulatedPeer[]>());

/** @returns those of a server. */
function passedTo(target: string): SimulatedPeer[] {
  const peers = passed().get(target) ?? [];
  passed().set(target, peers);
  return peers;
}

/** Passes the bytes of a connection on to a server, and back. */
function pass(peer: SimulatedPeer, server: Server, peers: SimulatedPeer[]): void {
  const client = connectTo(server);
  peers.push(peer, client);
  client.onEvent(() => {
    peer.send(client.take());
    if (client.closed) peer.end();
  });
  // Later, as on a wire: a server is not entered while it writes.
  const passOn = () => {
    client.send(peer.take());
    if (peer.released) client.reset();
  };
  peer.onEvent(() => void Promise.resolve().then(passOn));
  client.send(peer.take());
}

/**
 * Puts another server into the network of the simulated device, for `fetch` and mirrors. It stays until the next
 * `reset`, or until another one takes its place, which breaks its connections. For `fetch`, the program must have named
 * it in its reach, by `serve` or `restrict`, as on the device.
 * @param target `HOST:PORT`, as in `connect` of the reach.
 * @param answer called for each request; without an answer, the client waits until its time is over. Or a server of
 *   nouns, which answers by itself. Undefined refuses connections.
 *
 * @example
 * otherServer("192.0.2.10:8080", () => ({ body: { celsius: 3.5 } }));
 * const { body } = await request(server, { path: "/outside" });
 */
export function otherServer(
  target: string,
  answer: Server | ((request: OtherRequest) => OtherAnswer | undefined) | undefined,
): void {
  numberOf(target);
  const peers = passedTo(target);
  for (const peer of peers.splice(0)) peer.reset();
  const serve = (peer: SimulatedPeer) => {
    if (answer instanceof Server) pass(peer, answer, peers);
    else peer.send(answerText(answer?.(requestOf(peer.received))));
  };
  world().connector.servers.set(target, answer && serve);
}
