/** The OpenAPI 3.1 description of a device, for tools that generate clients and pages. */
import {
  changeSchema,
  desiredSchema,
  exampleState,
  type Json,
  type JsonObject,
  type Keywords,
  stateSchema,
} from "./data-schema.ts";
import type { DescribedDocument, DescribedNoun, Device, Method } from "./device.ts";
import { refusals, refusalsOf } from "./refusals.ts";

const keywords: Keywords = { unit: "x-unit", timeDependent: "x-timeDependent" };
const json = "application/json";
const eventStream = "text/event-stream";

function refusalResponse(status: number): JsonObject {
  const { title, description } = refusals[status] ?? { title: "", description: "" };
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
  return (refusals[status]?.title ?? "").replaceAll(/[^A-Za-z0-9]/g, "");
}

function refusalReferences(method: Method, { demands }: Device): JsonObject {
  const references = refusalsOf(method, demands).map((status): [string, Json] => [
    String(status),
    { $ref: `#/components/responses/${refusalName(status)}` },
  ]);
  return Object.fromEntries(references);
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

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly body?: JsonObject;
}

function operationOf(noun: DescribedNoun, method: Method): Operation {
  const { title = noun.name } = noun;
  const id = component(noun);
  const body = (schema: JsonObject, example: JsonObject) => ({ [json]: { schema, example } });
  switch (method) {
    case "GET":
      return { id: `${id}.read`, summary: `Read ${title}` };
    case "PUT": {
      const content = body(desiredSchema(noun, keywords), exampleState(noun, true));
      return { id: `${id}.set`, summary: `Set ${title}`, body: content };
    }
    case "POST":
      // `{}` is a change if no key is required.
      return {
        id: `${id}.update`,
        summary: `Update ${title}`,
        body: body(
          changeSchema(noun, keywords),
          noun.updateShape === undefined ? {} : exampleState({ ...noun, shape: noun.updateShape }, true),
        ),
      };
    case "DELETE":
      return { id: `${id}.reset`, summary: `Reset ${title} to its default` };
  }
}

function nounOperation(noun: DescribedNoun, method: Method, device: Device): JsonObject {
  const { id, summary, body } = operationOf(noun, method);
  const state = { schema: reference(noun), example: exampleState(noun, false) };
  return {
    operationId: id,
    summary,
    tags: [noun.name],
    requestBody: body && { required: true, content: body },
    responses: {
      "200": {
        description: method === "GET" ? "The state." : "The resulting state.",
        content: { [json]: state, [eventStream]: method === "GET" ? stream : undefined },
      },
      ...refusalReferences(method, device),
    },
  };
}

function nounPath(noun: DescribedNoun, device: Device): [string, JsonObject] {
  const operations = noun.methods.map((method): [string, JsonObject] => [
    method.toLowerCase(),
    nounOperation(noun, method, device),
  ]);
  return [`/${noun.name}`, { description: noun.description, ...Object.fromEntries(operations) }];
}

function rootPath(device: Device): JsonObject {
  const read = device.nouns.filter(({ methods }) => methods.includes("GET"));
  const states = {
    type: "object",
    properties: Object.fromEntries(
      read.map((noun) => [noun.name, { oneOf: [reference(noun), { type: "null", description: "The noun failed." }] }]),
    ),
    additionalProperties: false,
  };
  const example = Object.fromEntries(read.map((noun) => [noun.name, exampleState(noun, false)]));
  return {
    get: {
      operationId: "readAll",
      summary: "Read all nouns",
      tags: ["Device"],
      responses: {
        "200": {
          description: "The state of each noun under its name.",
          content: { [json]: { schema: states, example }, [eventStream]: stream },
        },
        ...refusalReferences("GET", device),
      },
    },
  };
}

function documentPath({ path, type, title }: DescribedDocument, device: Device): [string, JsonObject] {
  const isJson = type.endsWith("json");
  const operation = {
    operationId: `document.${path.replaceAll(/[^A-Za-z0-9]+/g, "_").slice(1)}`,
    summary: title,
    tags: ["Device"],
    responses: {
      "200": { description: title, content: { [type]: { schema: { type: isJson ? "object" : "string" } } } },
      ...refusalReferences("GET", device),
    },
  };
  return [path, { get: operation }];
}

/** @returns the description as JSON, of the type `application/vnd.oai.openapi+json`. */
export function openApi(device: Device): string {
  const { title, base, version, demands, nouns, documents } = device;
  const statuses = new Set(
    [...nouns.flatMap(({ methods }) => methods), "GET" as const].flatMap((method) => refusalsOf(method, demands)),
  );
  const problem = {
    type: "object",
    description: "A refusal (RFC 9457).",
    properties: {
      status: { type: "integer", minimum: 400, maximum: 599 },
      title: { type: "string" },
      detail: { type: "string", description: "What was wrong and what to do." },
    },
    required: ["status", "title", "detail"],
  };
  const states = nouns.map((noun) => [
    component(noun),
    { title: noun.title, description: noun.description, ...stateSchema(noun, keywords) },
  ]);
  const description: JsonObject = {
    openapi: "3.1.1",
    info: {
      title,
      version,
      description: "Nouns: GET reads a state, PUT sets it, POST updates it, DELETE resets it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base.replace(/\/$/, "") }],
    security: demands.tokens ? [{ token: [] }] : [],
    tags: [
      { name: "Device", description: "All nouns at once, and documents." },
      ...nouns.map((noun) => ({ name: noun.name, description: noun.description ?? noun.title ?? noun.name })),
    ],
    paths: {
      "/": rootPath(device),
      ...Object.fromEntries(nouns.map((noun) => nounPath(noun, device))),
      ...Object.fromEntries(documents.map((document) => documentPath(document, device))),
    },
    components: {
      securitySchemes: demands.tokens ? { token: { type: "http", scheme: "bearer" } } : undefined,
      schemas: { ...Object.fromEntries(states), Problem: problem },
      responses: Object.fromEntries([...statuses].map((status) => [refusalName(status), refusalResponse(status)])),
    },
  };
  return JSON.stringify(description);
}
