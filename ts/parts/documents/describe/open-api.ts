/** The OpenAPI 3.1 description of a device, for tools that generate clients and pages. */
import type { Verb } from "../../../core/noun/verb.ts";
import {
  changeSchema,
  desiredSchema,
  exampleState,
  type JsonObject,
  type Keywords,
  problemSchema,
  stateSchema,
} from "./data-schema.ts";
import type { Demands, DescribedDevice, DescribedDocument, DescribedNoun } from "./described-device.ts";
import { type LongJson, longArray, longObject } from "./long-json.ts";
import { refusals, refusalsOf } from "./refusals.ts";

const keywords: Keywords = { unit: "x-unit", prefix: "x-" };
const json = "application/json";
const eventStream = "text/event-stream";
const html = "text/html";

function refusalResponse(status: number): JsonObject {
  const [title, description] = refusals[status] ?? ["", ""];
  return {
    description,
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        example: { status, title, detail: description },
      },
    },
  };
}

/** The name of a refusal among the components: letters and digits alone. */
function refusalName(status: number): string {
  return (refusals[status]?.[0] ?? "").replaceAll(/[^A-Za-z0-9]/g, "");
}

function refusalReference(status: number): JsonObject {
  return { $ref: `#/components/responses/${refusalName(status)}` };
}

/** By method, references to all refusals of a request with it: their making is most of the work on a noun. */
type References = { readonly [method in Verb]: JsonObject };

function referencesOf(demands: Demands): References {
  const references = (method: Verb): JsonObject =>
    Object.fromEntries(refusalsOf(method, demands).map((status) => [status, refusalReference(status)]));
  return { GET: references("GET"), PUT: references("PUT"), POST: references("POST"), DELETE: references("DELETE") };
}

/**
 * A component's name for a noun. A component's name has no `~`, so a capital letter, which no noun has, replaces it.
 */
function component(noun: DescribedNoun): string {
  return noun.name.replaceAll("~", "Tilde");
}

function reference(noun: DescribedNoun): JsonObject {
  return { $ref: `#/components/schemas/${component(noun)}` };
}

const stream: JsonObject = {
  schema: { type: "string", description: "Server-sent events: each state as the data of a message." },
};

const page: JsonObject = {
  schema: { type: "string", description: "The page for browsers, for a client that prefers text/html." },
};

const notModified: JsonObject = { description: "The client has it already: If-None-Match names its entity tag." };

/** What each method does with a noun. */
const actions = { GET: "read", PUT: "set", POST: "update", DELETE: "reset" } as const;

/** @returns what the body of a request holds; undefined without a body. */
function requestBody(noun: DescribedNoun, method: Verb): JsonObject | undefined {
  const { updateShape } = noun;
  const body = (schema: JsonObject, example: JsonObject) => ({
    required: true,
    content: { [json]: { schema, example } },
  });
  if (method === "PUT") return body(desiredSchema(noun, keywords), exampleState(noun, true));
  if (method !== "POST") return undefined;
  // `{}` is a change if no key is required.
  const example = updateShape === undefined ? {} : exampleState({ ...noun, shape: updateShape }, true);
  return body(changeSchema(noun, keywords), example);
}

function nounOperation(noun: DescribedNoun, method: Verb, references: References): JsonObject {
  const { name, title = name } = noun;
  const action = actions[method];
  const begin = action.charAt(0).toUpperCase() + action.slice(1);
  const state = { schema: reference(noun), example: exampleState(noun, false) };
  return {
    operationId: `${component(noun)}.${action}`,
    summary: `${begin} ${title}${method === "DELETE" ? " to its default" : ""}`,
    tags: [name],
    requestBody: requestBody(noun, method),
    responses: {
      "200": {
        description: method === "GET" ? "The state." : "The resulting state.",
        content: { [json]: state, [eventStream]: method === "GET" ? stream : undefined },
      },
      ...references[method],
      ...(method !== "GET" && noun.hasConflicts === true && { "409": refusalReference(409) }),
    },
  };
}

function nounPath(noun: DescribedNoun, references: References): JsonObject {
  const operations = noun.methods.map((method): [string, JsonObject] => [
    method.toLowerCase(),
    nounOperation(noun, method, references),
  ]);
  return {
    description: noun.description,
    "x-guard": noun.guard as JsonObject | undefined,
    ...Object.fromEntries(operations),
  };
}

/** The operation on all nouns. Each noun is in its answer, so it is as long as there are nouns. */
function rootPath(nouns: readonly DescribedNoun[], references: References, hasPage: boolean): Iterable<string> {
  function* ofEach(value: (noun: DescribedNoun) => JsonObject): Generator<[string, string]> {
    for (const noun of nouns) if (noun.methods.includes("GET")) yield [noun.name, JSON.stringify(value(noun))];
  }
  const nullable = (noun: DescribedNoun) => ({
    oneOf: [reference(noun), { type: "null", description: "The noun failed." }],
  });
  const properties = longObject({}, ofEach(nullable));
  const schema = longObject({ type: "object", additionalProperties: false }, [["properties", properties]]);
  const example = longObject(
    {},
    ofEach((noun) => exampleState(noun, false)),
  );
  const states = longObject({}, Object.entries({ schema, example }));
  const others = hasPage ? { [eventStream]: stream, [html]: page } : { [eventStream]: stream };
  const content = longObject(others, [[json, states]]);
  const response = longObject({ description: "The state of each noun under its name." }, [["content", content]]);
  const other = hasPage ? { "304": notModified } : {};
  const responses = longObject({ ...other, ...references.GET }, [["200", response]]);
  const operation = { operationId: "readAll", summary: "Read all nouns", tags: ["Device"] };
  return longObject({}, [["get", longObject(operation, [["responses", responses]])]]);
}

function documentPath({ path, type, title, hasTag }: DescribedDocument, references: References): JsonObject {
  const isJson = type.endsWith("json");
  const operation = {
    operationId: `document.${path.replaceAll(/[^A-Za-z0-9]+/g, "_").slice(1)}`,
    summary: title,
    tags: ["Device"],
    responses: {
      "200": { description: title, content: { [type]: { schema: { type: isJson ? "object" : "string" } } } },
      "304": hasTag ? notModified : undefined,
      ...references.GET,
    },
  };
  return { get: operation };
}

const problem: JsonObject = { ...problemSchema, description: "A refusal (RFC 9457)." };

/** Adds each noun to `nouns`, which is empty. */
function* tags(device: DescribedDevice, nouns: DescribedNoun[]): Generator<JsonObject> {
  yield { name: "Device", description: "All nouns at once, and documents." };
  for (const noun of device.nouns) {
    nouns.push(noun);
    yield { name: noun.name, description: noun.description ?? noun.title ?? noun.name };
  }
}

function* paths(
  { demands, documents, hasPage }: DescribedDevice,
  nouns: readonly DescribedNoun[],
): Generator<[string, LongJson]> {
  const references = referencesOf(demands);
  yield ["/", rootPath(nouns, references, hasPage)];
  for (const noun of nouns) yield [`/${noun.name}`, JSON.stringify(nounPath(noun, references))];
  for (const document of documents) yield [document.path, JSON.stringify(documentPath(document, references))];
}

function* schemas(nouns: readonly DescribedNoun[]): Generator<[string, string]> {
  for (const noun of nouns) {
    const { title, description } = noun;
    yield [component(noun), JSON.stringify({ title, description, ...stateSchema(noun, keywords) })];
  }
  yield ["Problem", JSON.stringify(problem)];
}

function* components({ demands }: DescribedDevice, nouns: readonly DescribedNoun[]): Generator<[string, LongJson]> {
  yield ["schemas", longObject({}, schemas(nouns))];
  const methods = new Set(nouns.flatMap((noun) => noun.methods)).add("GET");
  const statuses = new Set(Array.from(methods).flatMap((method) => refusalsOf(method, demands)));
  if (nouns.some(({ hasConflicts }) => hasConflicts === true)) statuses.add(409);
  const responses = Array.from(statuses, (status) => [refusalName(status), refusalResponse(status)]);
  yield ["responses", JSON.stringify(Object.fromEntries(responses))];
}

/**
 * @returns the description as JSON, of the type `application/vnd.oai.openapi+json`. Only its first text depends on
 * `base`.
 */
export function openApi(device: DescribedDevice): Iterable<string> {
  const { title, base, version, demands } = device;
  const nouns: DescribedNoun[] = [];
  const begin: JsonObject = {
    openapi: "3.1.1",
    info: {
      title,
      version,
      description: "Nouns: GET reads a state, PUT sets it, POST updates it, DELETE resets it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base.replace(/\/$/, "") }],
    security: demands.tokens ? [{ token: [] }] : [],
  };
  const securitySchemes = demands.tokens ? { token: { type: "http", scheme: "bearer" } } : undefined;
  const rest = {
    tags: longArray(tags(device, nouns)),
    paths: longObject({}, paths(device, nouns)),
    components: longObject({ securitySchemes }, components(device, nouns)),
  };
  return longObject(begin, Object.entries(rest));
}
