/**
 * Keeps the states of an application's nouns from one version to the next: those of simulated inputs, and of each noun
 * whose name and shape are the same. It reads and sets them by requests, like any client.
 */

import { request as plainRequest } from "node:http";
import { request as sealedRequest } from "node:https";

/** ms for a request: more than the server gives a noun that does not answer, whose state is `null` then. */
const patience = 6_000;

/** What a request needs to reach an address that the application has said it listens on. */
function requestOptions(listened) {
  if (listened.startsWith("unix:")) return { socketPath: listened.slice("unix:".length) };
  const address = listened.replace(/^https:\/\//, "");
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, colon).replace(/^\[|\]$/g, "");
  return { hostname: host.replace(/^0\.0\.0\.0$/, "127.0.0.1"), port: address.slice(colon + 1) };
}

/** Makes a request to an address. The certificate of an application that this tool has started needs no authority. */
function request(address, options, onAnswer) {
  const all = { ...requestOptions(address), ...options };
  return address.startsWith("https://")
    ? sealedRequest({ ...all, rejectUnauthorized: false }, onAnswer)
    : plainRequest(all, onAnswer);
}

/** Asks the application. @returns {Promise<unknown>} the body of a 200, else undefined. */
function ask(address, { method = "GET", path, body }, onPort) {
  return new Promise((resolve) => {
    const headers = {
      connection: "close",
      ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const options = { method, path, headers, agent: false, timeout: patience };
    const asked = request(address, options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      answer.once("end", () => {
        try {
          resolve(answer.statusCode === 200 ? JSON.parse(text) : undefined);
        } catch {
          resolve(undefined);
        }
      });
      answer.once("close", () => resolve(undefined)); // the application may end in the middle of an answer
    });
    asked.once("socket", (socket) => socket.once("connect", () => onPort(socket.localPort)));
    asked.once("timeout", () => asked.destroy());
    asked.once("error", () => resolve(undefined));
    asked.end(body);
  });
}

/** @returns the part of a state that a request may hold. */
function settable(state, { properties }) {
  return Object.fromEntries(Object.entries(state).filter(([key]) => properties?.[key]?.readOnly !== true));
}

/** The states and the shapes of all nouns. */
async function look(address, onPort) {
  const [states, description] = await Promise.all([
    ask(address, { path: "/" }, onPort),
    ask(address, { path: "/.well-known/wot" }, onPort),
  ]);
  return { states: states ?? {}, shapes: description?.properties ?? {} };
}

export class KeptStates {
  /**
   * @param {(port: number) => void} onPort is called with the port of each request, so that the log leaves out its
   * lines.
   */
  constructor(onPort) {
    this.onPort = onPort;
    this.kept = { states: {}, shapes: {} };
  }

  /** Reads the states of an application. @param {string} address where it listens. */
  async keep(address) {
    this.kept = await look(address, this.onPort);
  }

  /** Sets the states that were read, inputs first. @param {string} address where the next version listens. */
  async restore(address) {
    const { states, shapes } = this.kept;
    const now = await look(address, this.onPort);
    const names = Object.keys(states).filter(
      (name) =>
        states[name] !== null &&
        JSON.stringify(shapes[name]) === JSON.stringify(now.shapes[name]) &&
        JSON.stringify(states[name]) !== JSON.stringify(now.states[name]),
    );
    const inputsFirst = names.sort((a, b) => Number(b.startsWith("simulated.")) - Number(a.startsWith("simulated.")));
    for (const name of inputsFirst) {
      const shape = shapes[name];
      if (shape === undefined || shape.readOnly === true) continue;
      const body = JSON.stringify(settable(states[name], shape));
      await ask(address, { method: "PUT", path: `/${name}`, body }, this.onPort);
    }
  }
}
