/**
 * What one would write in place of nound on Node: its `http`, three verbs, states in memory, and events.
 *
 *     node node-http.mjs PORT NOUNS
 *
 * NOUNS is a file, `{"led":{"led":0}}`.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [, , port, file] = process.argv;
const nouns = new Map(Object.entries(JSON.parse(readFileSync(file, "utf8"))));
const watchers = new Map(Array.from(nouns.keys(), (name) => [name, new Set()]));

function answer(response, status, content) {
  const body = JSON.stringify(content);
  // nound sends no date either.
  response.sendDate = false;
  const fields = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...fields, "Cache-Control": "no-store" });
  response.end(body);
}

const event = (name) => `data: ${JSON.stringify(nouns.get(name))}\n\n`;

function watch(name, request, response) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store", Connection: "close" });
  response.write(event(name));
  watchers.get(name).add(response);
  request.on("close", () => watchers.get(name).delete(response));
}

function change(name, request, response) {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    const value = JSON.parse(Buffer.concat(pieces).toString("utf8"));
    if (typeof value !== "object" || Object.values(value).some((one) => typeof one === "object" && one !== null))
      return answer(response, 422, { status: 422 });
    // A POST toggles.
    const [key] = Object.keys(nouns.get(name));
    nouns.set(name, request.method === "POST" ? { [key]: 1 - nouns.get(name)[key] } : value);
    for (const watcher of watchers.get(name)) watcher.write(event(name));
    answer(response, 200, nouns.get(name));
  });
}

const server = createServer((request, response) => {
  const name = request.url.slice(1);
  if (!nouns.has(name)) answer(response, 404, { status: 404 });
  else if (request.method !== "GET") change(name, request, response);
  else if (request.headers.accept === "text/event-stream") watch(name, request, response);
  else answer(response, 200, nouns.get(name));
});
server.keepAliveTimeout = 3_600_000;
server.listen(Number(port), "127.0.0.1");
