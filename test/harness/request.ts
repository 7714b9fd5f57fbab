/** Well-formed requests, spelled out as the bytes on the wire. */
import type { State } from "../../ts/core/noun/state.ts";

/** `GET target`, or another method without a body. */
export function request(method: string, target: string, fields = ""): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
}

/** A request with a body of JSON text, given as bytes: one character a byte. */
export function requestWithBody(method: string, target: string, body: string, fields = ""): string {
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${length}${fields}\r\n${body}`;
}

/** The UTF-8 bytes of a text, one character a byte. */
export function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** `GET target`. */
export function get(target: string): string {
  return request("GET", target);
}

/** `PUT target` with a state. */
export function put(target: string, state: State): string {
  return requestWithBody("PUT", target, utf8(JSON.stringify(state)));
}

/** `POST target` with a state. */
export function post(target: string, change: State = {}): string {
  return requestWithBody("POST", target, utf8(JSON.stringify(change)));
}

/** `DELETE target`. */
export function del(target: string): string {
  return request("DELETE", target);
}
