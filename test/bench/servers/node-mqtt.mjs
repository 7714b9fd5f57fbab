/**
 * What one would write in place of nound on Node where a broker is told of each change: `http`, and npm's mqtt.
 *
 *     node node-mqtt.mjs PORT NOUNS BROKERPORT
 *
 * NOUNS is a file, `{"led":{"led":0}}`.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import mqtt from "mqtt";

const [, , port, file, brokerPort] = process.argv;
const states = new Map(Object.entries(JSON.parse(readFileSync(file, "utf8"))));
const will = { topic: "nound/node", payload: "offline", qos: 1, retain: true };
const client = mqtt.connect(`mqtt://127.0.0.1:${brokerPort}`, { protocolVersion: 5, clientId: "node", will });

function publish(name) {
  client.publish(`nound/node/${name}`, JSON.stringify(states.get(name)), { qos: 1, retain: true });
}

client.on("connect", () => {
  for (const name of states.keys()) publish(name);
  client.publish("nound/node", "online", { qos: 1, retain: true });
});

/** @returns the state of a body; undefined unless it is one. */
function stateOf(body, current) {
  try {
    const state = JSON.parse(body);
    const [key] = Object.keys(current);
    const isState = Object.keys(state).length === 1 && (state[key] === 0 || state[key] === 1);
    return isState ? state : undefined;
  } catch {
    return undefined;
  }
}

createServer((request, response) => {
  const name = request.url.slice(1);
  const current = states.get(name);
  const answer = (status, text) => {
    response.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
      "Cache-Control": "no-store",
    });
    response.end(text);
  };
  if (current === undefined) {
    answer(404, '{"status":404}');
    return;
  }
  let body = "";
  request.setEncoding("utf8").on("data", (text) => {
    body += text;
  });
  request.on("end", () => {
    if (request.method === "PUT") {
      const state = stateOf(body, current);
      if (state === undefined) {
        answer(422, '{"status":422}');
        return;
      }
      states.set(name, state);
      publish(name);
    }
    answer(200, JSON.stringify(states.get(name)));
  });
}).listen(Number(port), "127.0.0.1");
