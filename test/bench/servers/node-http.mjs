/**
 * What one would write in place of nound on Node: its `http`, the four verbs, a state in memory.
 *
 *     node node-http.mjs PORT NOUNS
 */

import { createServer } from "node:http";

const [, , port, nouns] = process.argv;
const most = 4096;
const states = new Map(
  Array.from({ length: Number(nouns) }, (_, index) => [index === 0 ? "/led" : `/led${index}`, { led: 0 }]),
);

function answer(response, status, content) {
  const body = JSON.stringify(content);
  // nound sends no date either.
  response.sendDate = false;
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  response.end(body);
}

function isState(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, part]) => key === "led" && (part === 0 || part === 1))
  );
}

function readBody(request, done) {
  const pieces = [];
  let length = 0;
  request.on("data", (piece) => {
    length += piece.length;
    if (length <= most) pieces.push(piece);
  });
  request.on("end", () => done(length <= most ? Buffer.concat(pieces).toString("utf8") : undefined));
}

function change(request, response, update) {
  if (request.headers["content-type"] !== "application/json") {
    answer(response, 415, { status: 415 });
    return;
  }
  readBody(request, (text) => {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      answer(response, 400, { status: 400 });
      return;
    }
    if (!isState(value)) {
      answer(response, 422, { status: 422 });
      return;
    }
    const state = update(value);
    states.set(request.url, state);
    answer(response, 200, state);
  });
}

const server = createServer((request, response) => {
  const state = states.get(request.url);
  if (state === undefined) answer(response, 404, { status: 404 });
  else if (request.method === "GET") answer(response, 200, state);
  else if (request.method === "PUT") change(request, response, (value) => value);
  else if (request.method === "POST") change(request, response, () => ({ led: 1 - state.led }));
  else if (request.method === "DELETE") {
    states.set(request.url, { led: 0 });
    answer(response, 200, { led: 0 });
  } else answer(response, 405, { status: 405 });
});
server.keepAliveTimeout = 3_600_000;
server.listen(Number(port), "127.0.0.1");
