/**
 * The W3C Thing Description of a device (Web of Things, TD 1.1), for clients that read the description of a device
 * before they use it.
 */
import type { Verb } from "../../../core/noun/verb.ts";
import {
  changeSchema,
  type Json,
  type JsonObject,
  type Keywords,
  problemSchema,
  propertySchema,
  stateSchema,
} from "./data-schema.ts";
import type { DescribedDevice, DescribedNoun } from "./described-device.ts";
import { type LongJson, longObject } from "./long-json.ts";

const keywords: Keywords = { unit: "unit", prefix: "nound:" };

/** The name of a schema that a refusal follows: RFC 9457. */
const problem = "problem";

function form(href: string, op: Json, method: Verb): JsonObject {
  return {
    href,
    op,
    "htv:methodName": method,
    contentType: "application/json",
    additionalResponses: [{ success: false, contentType: "application/problem+json", schema: problem }],
  };
}

/** The events' data is JSON: `contentType` is its type, as clients decode by it. */
function streamForm(href: string, op: Json): JsonObject {
  return { ...form(href, op, "GET"), subprotocol: "sse" };
}

function property(noun: DescribedNoun): JsonObject {
  const { name, title, description, methods, group, order, icon, ask, action, guard } = noun;
  const isRead = methods.includes("GET");
  const isWritten = methods.includes("PUT");
  return {
    title,
    description,
    // By default, a state has all its keys.
    ...(isWritten ? propertySchema(noun, keywords) : stateSchema(noun, keywords)),
    readOnly: isWritten ? undefined : true,
    writeOnly: isRead ? undefined : true,
    observable: isRead,
    "nound:group": group,
    "nound:order": order,
    "nound:icon": icon,
    "nound:ask": ask,
    "nound:action": action,
    "nound:guard": guard as JsonObject | undefined,
    "nound:climate": noun.climate,
    "nound:hops": noun.hops,
    forms: [
      ...(isRead ? [form(name, "readproperty", "GET")] : []),
      ...(isWritten ? [form(name, "writeproperty", "PUT")] : []),
      ...(isRead ? [streamForm(name, ["observeproperty", "unobserveproperty"])] : []),
    ],
  };
}

function* actions(nouns: readonly DescribedNoun[]): Generator<[string, string]> {
  for (const noun of nouns) {
    const { name, title = name, methods } = noun;
    const shared = { output: stateSchema(noun, keywords), safe: false, synchronous: true };
    const update = {
      title: `Update ${title}`,
      description: "Changes the keys that are sent. An empty object applies the noun's own rule: a switch toggles.",
      input: changeSchema(noun, keywords),
      ...shared,
      idempotent: false,
      forms: [form(name, "invokeaction", "POST")],
    };
    const reset = {
      title: `Reset ${title}`,
      description: "Returns to the default.",
      ...shared,
      idempotent: true,
      forms: [form(name, "invokeaction", "DELETE")],
    };
    if (methods.includes("POST")) yield [`${name}.update`, JSON.stringify(update)];
    if (methods.includes("DELETE")) yield [`${name}.reset`, JSON.stringify(reset)];
  }
}

function* properties(device: DescribedDevice, nouns: DescribedNoun[]): Generator<[string, string]> {
  for (const noun of device.nouns) {
    nouns.push(noun);
    const { name, methods } = noun;
    if (methods.includes("GET") || methods.includes("PUT")) yield [name, JSON.stringify(property(noun))];
  }
}

function* members(device: DescribedDevice): Generator<[string, LongJson]> {
  const nouns: DescribedNoun[] = [];
  yield ["properties", longObject({}, properties(device, nouns))];
  yield ["actions", longObject({}, actions(nouns))];
  if (!nouns.some(({ methods }) => methods.includes("GET"))) return;
  const all = ["observeallproperties", "unobserveallproperties"];
  yield ["forms", JSON.stringify([form("./", "readallproperties", "GET"), streamForm("./", all)])];
}

/** @returns the description as JSON, of the type `application/td+json`. Only its first text depends on `base`. */
export function thingDescription(device: DescribedDevice): Iterable<string> {
  const { title, id, base, demands, model, kernel, version, certificate } = device;
  const [security, definition] = demands.tokens
    ? ["token", { scheme: "bearer", in: "header", name: "Authorization", format: "opaque" }]
    : ["none", { scheme: "nosec" }];
  const begin: JsonObject = {
    "@context": ["https://www.w3.org/2022/wot/td/v1.1", { htv: "http://www.w3.org/2011/http#", nound: "urn:x-nound:" }],
    "@type": "Thing",
    id,
    title,
    base,
    "nound:model": model,
    "nound:kernel": kernel,
    "nound:version": version,
    "nound:certificate": certificate,
    "nound:simulated": device.isSimulated === true ? true : undefined,
    securityDefinitions: { [security]: definition },
    security: [security],
    schemaDefinitions: { [problem]: problemSchema },
  };
  return longObject(begin, members(device));
}
