/**
 * The texts of a device's documents. Read when somebody asks for one, and so it imports nothing that the program has: what two parts of it
 * have in common is read as a part of its own, which every start would pay for.
 */
import * as builtPage from "nound:page";
import type { AccessOptions } from "../access/access.ts";
import type { DescribedDocument, Device } from "../describe/device.ts";
import { metrics } from "../describe/metrics.ts";
import { openApi } from "../describe/open-api.ts";
import { thingDescription } from "../describe/thing-description.ts";
import type { DocumentContent, DocumentReader } from "../documents/document.ts";
import type { Hash } from "../native/hash.ts";
import type { Clock } from "../native/loop.ts";
import type { Memory } from "../native/memory.ts";
import type { Page } from "../native/page.ts";
import type { System } from "../native/system.ts";

/** The documents that a device has. */
export type DocumentName = "description" | "openapi" | "metrics";

/** What is told of the device. */
export interface Told {
  readonly title: string;
  /** A UUID; undefined where it is to be made of the machine's. */
  readonly id: string | undefined;
  /** As machine-id(5) has it; undefined if it has none. */
  readonly machineId: string | undefined;
  /** A URL; undefined where it is that of the request. */
  readonly address: string | undefined;
  /** The requirements on every request. */
  readonly access: AccessOptions;
  /** ms on the clock of the loop at which the program began. */
  readonly began: number;
  /** The C modules that are asked for what is told. */
  readonly platform: { readonly hash: Hash; readonly loop: Clock; readonly memory: Memory; readonly system: System };
  /** Those that are on. */
  readonly documents: readonly DocumentName[];
}

/** @returns the same JSON without a character beyond ASCII. */
function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** @returns a UUID (RFC 9562, version 8) that tells nothing of the machine's own id, as machine-id(5) asks for. */
function derivedId({ sha256 }: Hash, machineId: string, title: string): string {
  const digits = sha256(toAscii(JSON.stringify(["nound", machineId, title])));
  const variant = "89ab".charAt(Number.parseInt(digits.charAt(16), 16) & 3);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

function describe(told: Told, reader: DocumentReader): Device {
  const { title, machineId, address, access, platform } = told;
  const id = told.id ?? (machineId && derivedId(platform.hash, machineId, title));
  const base = address ?? `http://${reader.authority}/`;
  const { tokens, hosts, origins } = access;
  return {
    title,
    id: id && `urn:uuid:${id.toLowerCase()}`,
    base: base.endsWith("/") ? base : `${base}/`,
    version: platform.system.version,
    demands: { tokens: tokens !== undefined, hosts: hosts !== undefined, origins: origins !== undefined },
    nouns: reader.nouns.map(({ name, noun, verbs }) => {
      const { description, shape, updateShape } = noun;
      return { name, title: noun.title, description, shape, updateShape, methods: verbs };
    }),
    documents: told.documents.map((name) => described[name]),
  };
}

/** The documents that the descriptions list. */
const described: { readonly [name in DocumentName]: DescribedDocument } = {
  description: { path: "/.well-known/wot", type: "application/td+json", title: "Thing Description" },
  openapi: { path: "/openapi.json", type: "application/vnd.oai.openapi+json", title: "OpenAPI description" },
  metrics: { path: "/metrics", type: "text/plain; version=0.0.4; charset=utf-8", title: "Metrics" },
};

function writeMetrics(
  { began, platform: { loop, memory, system } }: Told,
  { nouns, states, counts }: DocumentReader,
): string {
  const measured = nouns.map(({ name, noun: { shape } }) => ({ name, shape, state: states.get(name) }));
  return metrics(measured, {
    ...counts,
    memoryBytes: memory.usedBytes(),
    version: system.version,
    // The clock may have been set since the start: this is when it would have been by the clock of now.
    startTime: (Date.now() - (loop.now() - began)) / 1_000,
  });
}

/** @returns what is in a document. */
export function contentOf(name: DocumentName, told: Told): DocumentContent {
  const { type } = described[name];
  switch (name) {
    case "description":
      return {
        type,
        isCacheable: true,
        readsStates: false,
        write: (reader) => toAscii(thingDescription(describe(told, reader))),
      };
    case "openapi":
      return {
        type,
        isCacheable: true,
        readsStates: false,
        write: (reader) => toAscii(openApi(describe(told, reader))),
      };
    case "metrics":
      return { type, isCacheable: false, readsStates: true, write: (reader) => writeMetrics(told, reader) };
  }
}

/** @returns the page, which the build has made. */
export function page(): Page {
  return builtPage;
}
