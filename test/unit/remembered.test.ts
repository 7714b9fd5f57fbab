/**
 * What the server remembers between requests: the list of docs/dev/architecture.md has all of it. This test finds
 * every place in the rooms of a request that can hold something. A new place has to be named here: in that list, or in
 * one of those below.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workloads } from "../bench/workloads.ts";

const top = join(import.meta.dirname, "../..");
const page = readFileSync(join(top, "docs/dev/architecture.md"), "utf8");

const rooms = [
  ...["access", "feeds", "http", "noun", "operations", "server", "time"].map((room) => `core/${room}`),
  ...["parts/documents", "parts/documents/describe", "parts/streams"],
];
const files = [
  ...rooms.flatMap((room) => readdirSync(join(top, "ts", room)).map((file) => `ts/${room}/${file}`)),
].filter((file) => file.endsWith(".ts"));

/** Classes whose objects go with a connection, a request, an operation or a stream. */
const ofOneClient = [
  ...["Connection", "RequestReader", "ChunkedBody", "Fields"],
  ...["Operation", "Gathering", "DocumentTurn", "DocumentText"],
  ...["EventStream", "Opening", "Group", "Feed"],
];

/** What is registered, configured or under way, and what is counted: all of it is needed for what an answer means. */
const state = [
  ...["Router.nouns", "Router.queues", "RegisteredNoun.routes", "served-noun.faces"],
  ...["ChangeListeners.listeners", "KeptText.wanted", "KeptText.written"],
  ...["Tokens.known", "KnownToken.grants", "DocumentSet.byPath", "FailedAttempts.emptyAt"],
  ...["NounQueue.waiting", "NounQueue.running", "NounQueue.held", "WaitingClients.operations", "Turns.waiting"],
  ...["Connections.refused", "Deadlines.members", "Feeds.bonds", "Feeds.known", "EventStreams.openings"],
  ...["LatePart.opened", "HttpServer.heads", "HttpServer.listeners", "HttpServer.closing"],
  ...["KeyCondition.last", "NounQueue.made"],
  ...["HttpServer.sealed", "SealedClients.contexts", "SealedClients.sockets"],
];

/** Made once, of nothing that a client sends. */
const constants = [
  ...["fields.spellings", "fields.noElements", "method.knownMethods", "message-framing.methodsWithoutBody"],
  ...["json-string.table", "state-parser.table", "string-escapes.stateTable", "state-mistake.grammar"],
  ...["head-check.grammar", "chunked-body.grammar", "string-escapes.grammar", "used-values.grammar"],
  ...["noun-queue.nobody", "feed.nobody", "DefinedNoun.writer", "DocumentSet.routes"],
];

/** Collections within a function, which nothing outside refers to. */
const ofOneCall = ["metrics.texts", "open-api.methods", "open-api.statuses", "weighted-list.weights"].concat(
  "event-streams.counts",
);

/** Static places of C. */
const staticOfC = [
  "native/base/log_output.c: struct",
  // Of processes without an engine, which serve one connection each.
  "native/acceptor/acceptor_process.c: acceptor",
  "native/acceptor/acceptor_process.c: ready",
  "native/connector/connector_process.c: places",
  "native/connector/connector_process.c: ready",
  "native/connector/sealed_connection.c: files",
  "native/engine/payload.c: script",
  "native/keeper/keeper_state.h: keeper",
  "native/main.c: run_helpers",
  "native/net/net_stream.c: received",
  "native/text/byte_string.c: expanded",
  "native/tls/tls_client.c: the_client",
  "native/tls/tls_client.c: identity",
  "native/tls/tls_server.c: struct",
];

/** Values of the script that structures of C hold: callbacks and promises, and the tokens of one call. */
const valuesOfC = [
  "native/acceptor/mod_acceptor.c: handler",
  "native/connector/mod_connector.c: on_end",
  "native/connector/mod_connector.c: waiting",
  "native/engine/handle.h: callback",
  "native/engine/handle.h: handle",
  "native/engine/runtime_state.h: explain",
  "native/engine/runtime_state.h: interruption",
  "native/engine/runtime_state.h: methods",
  "native/engine/runtime_state.h: origin",
  "native/loop/job.h: settle",
  "native/loop/mod_loop.c: callback",
  "native/net/net.h: handler",
  "native/net/net.h: self",
  "native/text/mod_lexer.c: values",
];

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

function sourceOf(file: string): string {
  return readFileSync(join(top, file), "utf8").replace(comments, "");
}

const collection = /^new (?:Weak)?(?:Map|Set)\b|^\[\]|^\{\}|^Object\.create/;
const collectionType = /^(?:Weak)?(?:Map|Set)</;
/** Numbers and flags hold no request and no answer. */
const small = /^(?:(?:number|boolean|undefined|TimerId|Wait|Intake)(?: \| )?)+$/;
const smallValue = /^-?[\d._]+$|^(?:true|false)$|^Number\./;

/** @returns whether a place can hold what came with a request or was made for one. */
function canHold(isConstant: boolean, type: string, value: string): boolean {
  if (isConstant) return collection.test(value) || collectionType.test(type);
  return type === "" ? value !== "" && !smallValue.test(value) : !small.test(type);
}

const declaration = new RegExp(
  [
    /^(?:export )?(?:abstract )?class (\w+)|^(?:export )?interface ()/,
    /^(?:export )?(let|const) (\w+)(?:: ([^=\n]+?))?(?: = ([^\n]*?))?;?$/,
    /^ {2}((?:(?:declare|private|protected|public|readonly|static|override) )*)(?!return\b)(\w+)[?!]?/.source +
      /(?:: ([^=;(\n]+))?(?: = ([^;\n]*))?;$/.source,
    /^ +(?:const|let) (\w+)(?:: [^=\n]+)? = new (?:Weak)?(?:Map|Set)\b/,
  ]
    .map((part) => (typeof part === "string" ? part : part.source))
    .join("|"),
  "gm",
);

/** @returns the places of a file: `Class.field`, or `file.name` for what is outside a class. */
function placesIn(file: string): readonly string[] {
  const module = file.replace(/^.*\/|\.ts$/g, "");
  const found: string[] = [];
  let owner = "";
  for (const match of sourceOf(file).matchAll(declaration)) {
    const [, className, noName, kind, name, type = "", value = "", modifiers = "", field] = match;
    const [fieldType = "", fieldValue = "", local] = match.slice(9);
    if ((className ?? noName) !== undefined) owner = className ?? "";
    else if (kind !== undefined && canHold(kind === "const", type.trim(), value)) found.push(`${module}.${name}`);
    else if (local !== undefined) found.push(`${module}.${local}`);
    else if (
      field !== undefined &&
      owner !== "" &&
      canHold(modifiers.includes("readonly"), fieldType.trim(), fieldValue)
    ) {
      found.push(`${owner}.${field}`);
    }
  }
  return found;
}

/** The entries of the list: the thing, its places, its bound, and the line of the benchmark without it and with it. */
const entries = (page.split("## What is remembered between requests")[1]?.split("\n\nNothing")[0] ?? "")
  .split("\n- ")
  .slice(1)
  .map((entry) => entry.replace(/\s+/g, " "))
  .map((entry) => /^(.*)\. In (.*)\. Bound: (.*)\. `([\w-]+)`: ([\d,]+) → ([\d,]+)\.$/.exec(entry) ?? [entry]);

const remembered = entries.flatMap(([, , where = ""]) =>
  Array.from(where.matchAll(/`([\w-]+\.\w+)`/g), ([, place = ""]) => place),
);

test("each thing that is remembered between requests has its place, its bound and its worth", () => {
  expect(entries.length).toBeGreaterThan(0);
  for (const [entry, what, where, , line = "", without = "", withIt = ""] of entries) {
    expect(what, entry).toBeDefined();
    expect(where, what).toMatch(/`ts\/[\w/-]+\.ts`/);
    // Seen by taking it out: the instructions of a line of the benchmark without it and with it.
    expect(workloads.map(({ name }) => name)).toContain(line);
    const [taken, kept] = [without, withIt].map((count) => Number(count.replaceAll(",", "")));
    expect(taken, what).toBeGreaterThanOrEqual(1.05 * (kept ?? Number.NaN));
  }
});

test("the files of the list have its places", () => {
  for (const [, what, where = ""] of entries) {
    const [, file = ""] = /`(ts\/[\w/-]+\.ts)`/.exec(where) ?? [];
    const places = Array.from(where.matchAll(/`([\w-]+\.\w+)`/g), ([, place = ""]) => place);
    expect(places, what).not.toEqual([]);
    expect(files.includes(file) ? [] : file, what).toEqual([]);
    const near = files.filter((other) => where.includes(`\`${other}\``)).flatMap(placesIn);
    expect(near, what).toEqual(expect.arrayContaining(places));
  }
});

test("every place that can hold something between requests is in the list, or known to be something else", () => {
  const places = files.flatMap(placesIn).filter((place) => !ofOneClient.includes(place.split(".")[0] ?? ""));
  expect(places.toSorted()).toEqual([...remembered, ...state, ...constants, ...ofOneCall].toSorted());
});

test("C remembers nothing: it has no other static places, and no other values of the script", () => {
  const sources = readdirSync(join(top, "native"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[ch]$/.test(name))
    .map((name) => `native/${name}`)
    .toSorted();
  const places = (pattern: RegExp, within: (source: string) => string) =>
    sources.flatMap((file) =>
      Array.from(within(sourceOf(file)).matchAll(pattern), ([, name = ""]) => `${file}: ${name}`),
    );
  const whole = (source: string) => source;
  const structures = (source: string) =>
    Array.from(source.matchAll(/^(?:typedef |static )?struct\b[^;{()\n]*\{[\s\S]*?^\}/gm), String).join("\n");
  expect(
    places(/^\s*(?:static|extern) (?!const\b|inline\b)[^()\n]*?(\w+)(?:\[[^\n]*\])?(?: =[^\n]*)?\s*[;{]$/gm, whole),
  ).toEqual(staticOfC);
  expect(places(/^\s+JS(?:Value|Atom) \*?(\w+)(?:\[\w*\])?;/gm, structures).toSorted()).toEqual(valuesOfC);
});
