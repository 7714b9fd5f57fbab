/**
 * What one would write in place of nound on Node: its `http`, the four verbs, states in memory, and hardware that is
 * simulated as nound's is: a line is a number, an attribute of sysfs a text.
 *
 *     node node-http.mjs PORT NOUNS [TOKEN]
 *
 * NOUNS is a file, `{"led":{"kind":"switch","state":{"led":0}}}`.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [, , port, file, token] = process.argv;
const most = 4096;

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const tokens = token === undefined ? undefined : new Set([sha256(token)]);

/** A state in memory. @param isState judges what a client sends. */
function memory(initial, isState, update) {
  let state = initial;
  const set = (next) => {
    state = next;
    return state;
  };
  return { isState, get: () => state, set, update: (change) => set(update(state, change)), reset: () => set(initial) };
}

function isLevel(key, value) {
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === key && (value[key] === 0 || value[key] === 1);
}

const isScalar = (value) => value === null || typeof value !== "object";

/** What reads hardware each time it is asked. */
function reading(get) {
  return { isState: () => false, get, set: get, update: get, reset: get };
}

const kinds = {
  switch: (state) =>
    memory(
      state,
      (value) => isLevel("led", value) || Object.keys(value).length === 0,
      ({ led }) => ({ led: 1 - led }),
    ),
  value: (state) =>
    memory(
      state,
      (value) => Object.values(value).every(isScalar),
      (old, change) => ({ ...old, ...change }),
    ),
  "gpio-output": (state) => {
    const [key] = Object.keys(state);
    const line = { level: 0 };
    const set = (value) => {
      line.level = value[key];
      return { [key]: line.level };
    };
    const update = () => set({ [key]: 1 - line.level });
    return {
      isState: (value) => isLevel(key, value),
      get: () => ({ [key]: line.level }),
      set,
      update,
      reset: () => set(state),
    };
  },
  "gpio-input": (state) => {
    const [key] = Object.keys(state);
    const line = { level: 0, edges: 0, missed: 0, lastEdge: undefined };
    if (!("edges" in state)) return reading(() => ({ [key]: line.level }));
    return reading(() => ({
      [key]: line.level,
      edges: line.edges,
      missed: line.missed,
      sinceEdge: line.lastEdge === undefined ? null : Math.floor(performance.now() - line.lastEdge),
    }));
  },
  led: () => {
    const attributes = new Map([
      ["brightness", "0"],
      ["trigger", "[none] timer heartbeat default-on"],
    ]);
    return reading(() => ({
      brightness: Number(attributes.get("brightness")),
      trigger: /\[(.*)\]/.exec(attributes.get("trigger"))[1],
    }));
  },
  pwm: () => {
    const attributes = new Map([
      ["period", "40000"],
      ["duty_cycle", "0"],
      ["enable", "0"],
    ]);
    return reading(() => ({
      percent: Math.round((100 * Number(attributes.get("duty_cycle"))) / Number(attributes.get("period"))),
      enabled: attributes.get("enable") === "1",
    }));
  },
  adc: () => {
    const attributes = new Map([
      ["in_voltage0_raw", "2048"],
      ["in_voltage_scale", "0.805664062"],
    ]);
    return reading(() => {
      const raw = Number(attributes.get("in_voltage0_raw"));
      return { millivolts: Math.round(raw * Number(attributes.get("in_voltage_scale")) * 1e6) / 1e6, raw };
    });
  },
};

const nouns = new Map(
  Object.entries(JSON.parse(readFileSync(file, "utf8"))).map(([name, { kind, state }]) => [
    `/${name}`,
    kinds[kind](state),
  ]),
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

function readBody(request, done) {
  const pieces = [];
  let length = 0;
  request.on("data", (piece) => {
    length += piece.length;
    if (length <= most) pieces.push(piece);
  });
  request.on("end", () => done(length <= most ? Buffer.concat(pieces).toString("utf8") : undefined));
}

function change(noun, request, response, act) {
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
    if (typeof value === "object" && value !== null && !Array.isArray(value) && noun.isState(value)) {
      answer(response, 200, act(value));
    } else answer(response, 422, { status: 422 });
  });
}

/** The clients that watch each noun. An event goes out when a request has changed the state. */
const watchers = new Map();
let events = 0;

function writeEvent(response, state) {
  response.write(`id: node-${events}\ndata: ${state}\n\n`);
}

function watch(noun, request, response) {
  response.sendDate = false;
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    Connection: "close",
  });
  response.write("retry: 2000\n\n");
  writeEvent(response, JSON.stringify(noun.get()));
  const watching = watchers.get(noun) ?? new Set();
  watchers.set(noun, watching.add(response));
  request.on("close", () => watching.delete(response));
}

/** @returns what does the same and tells of the change. */
function telling(noun, act) {
  return (value) => {
    if (!watchers.has(noun)) return act(value);
    const before = JSON.stringify(noun.get());
    const state = act(value);
    const after = JSON.stringify(state);
    const watching = watchers.get(noun);
    if (watching !== undefined && before !== after) {
      events += 1;
      for (const response of watching) writeEvent(response, after);
    }
    return state;
  };
}

function maySpeak({ headers: { authorization = "" } }) {
  return tokens.has(sha256(authorization.replace(/^Bearer /, "")));
}

const server = createServer((request, response) => {
  const noun = nouns.get(request.url);
  if (tokens !== undefined && !maySpeak(request)) answer(response, 401, { status: 401 });
  else if (noun === undefined) answer(response, 404, { status: 404 });
  else if (request.method === "GET" && request.headers.accept === "text/event-stream") watch(noun, request, response);
  else if (request.method === "GET") answer(response, 200, noun.get());
  else if (request.method === "PUT") change(noun, request, response, telling(noun, noun.set));
  else if (request.method === "POST") change(noun, request, response, telling(noun, noun.update));
  else if (request.method === "DELETE") answer(response, 200, telling(noun, noun.reset)());
  else answer(response, 405, { status: 405 });
});
server.keepAliveTimeout = 3_600_000;
server.listen(Number(port), "127.0.0.1");
