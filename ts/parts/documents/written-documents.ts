/** The texts of a device's documents. */
import * as builtPage from "nound:page";
import type { AccessOptions } from "../../core/access/access.ts";
import { mayRead } from "../../core/access/admission.ts";
import { toAscii } from "../../core/http/utf8.ts";
import type { When } from "../../core/noun/condition.ts";
import { presentationOf } from "../../core/noun/description.ts";
import { hops, inner, mentioned } from "../../core/noun/inner-noun.ts";
import { type ServedNoun, takesAnyUpdate } from "../../core/noun/served-noun.ts";
import type { Hash } from "../../native/hash.ts";
import type { Clock } from "../../native/loop.ts";
import type { Memory } from "../../native/memory.ts";
import type { Page } from "../../native/page.ts";
import type { System } from "../../native/system.ts";
import type { Changes } from "../changes/changes.ts";
import type { DescribedDevice, DescribedDocument, DescribedNoun } from "./describe/described-device.ts";
import { type BrokerCounts, type MeasuredNoun, metrics } from "./describe/metrics.ts";
import { openApi } from "./describe/open-api.ts";
import { thingDescription } from "./describe/thing-description.ts";
import { derivedId } from "./device-id.ts";
import type { DocumentContent, DocumentReader, ReadableNoun } from "./document.ts";

export type DocumentName = "description" | "openapi" | "metrics" | "changes" | "log";

/** The description of the device in the documents. */
export interface Told {
  readonly title: string;
  /** A UUID; if undefined, it is made from the machine's id. */
  readonly id: string | undefined;
  /** As machine-id(5) has it; undefined if it has none. */
  readonly machineId: string | undefined;
  /** What its maker calls the device; undefined if it does not say. */
  readonly model: string | undefined;
  /** The release of its kernel, as uname(2) has it. */
  readonly kernel: string;
  /** Different after each boot of the machine. */
  readonly boot: string;
  /** A URL; if undefined, that of the request. */
  readonly address: string | undefined;
  /** The requirements on every request. */
  readonly access: AccessOptions;
  /** The start of the program, in ms on the clock of the loop. */
  readonly began: number;
  /** @returns failures since then. */
  readonly failures: () => number;
  /** @returns the last ones, each as a line of JSON without its end. */
  readonly lastFailures: () => readonly string[];
  /** @returns the counts of the client of a broker; undefined without one. */
  readonly broker: () => BrokerCounts | undefined;
  /** @returns the list of changes; undefined as long as nothing has changed. */
  readonly changes: () => Pick<Changes, "lines"> | undefined;
  /** @returns SHA-256 of the certificate of encrypted addresses, in hexadecimal; undefined without any. */
  readonly certificate: () => string | undefined;
  /** Whether no hardware is moved. */
  readonly isSimulated: boolean;
  /** The C modules that give the values. */
  readonly platform: { readonly hash: Hash; readonly loop: Clock; readonly memory: Memory; readonly system: System };
  readonly documents: readonly DocumentName[];
  readonly hasPage: boolean;
}

function* inAscii(texts: Iterable<string>): Generator<string, undefined> {
  for (const text of texts) yield toAscii(text);
}

/** @returns the conditions of a guard on the nouns that its reader may read; undefined if there are none. */
function readableGuard(guard: When | undefined, isReadable: (noun: string) => boolean): When | undefined {
  const readable = Object.entries(guard ?? {}).filter(([noun]) => isReadable(noun.toLowerCase()));
  return readable.length === 0 ? undefined : Object.fromEntries(readable);
}

function* describedNouns({ nouns, scope }: DocumentReader): Generator<DescribedNoun> {
  const isReadable = (noun: string) => mayRead(scope, noun);
  for (const { name, noun, verbs, refusal } of nouns) {
    const { shape, updateShape } = noun;
    const { [takesAnyUpdate]: takesAny } = noun as ServedNoun;
    const hasConflicts = refusal !== undefined;
    const { [hops]: between, [mentioned]: others = [] } = inner(noun);
    const { description, guard, ...presented } = presentationOf(noun);
    const texts = {
      description: others.every(isReadable) ? description : undefined,
      guard: readableGuard(guard, isReadable),
    };
    yield { ...presented, ...texts, name, shape, updateShape, takesAny, hasConflicts, hops: between, methods: verbs };
  }
}

function describe(told: Told, reader: DocumentReader): DescribedDevice {
  const { title, machineId, model, kernel, address, access, platform } = told;
  const id = told.id ?? (machineId && derivedId(platform.hash, machineId, title));
  const base = address ?? `${reader.scheme}://${reader.authority}/`;
  const { tokens, hosts, origins } = access;
  return {
    title,
    id: id && `urn:uuid:${id.toLowerCase()}`,
    base: base.endsWith("/") ? base : `${base}/`,
    version: platform.system.version,
    model,
    kernel,
    certificate: told.certificate(),
    isSimulated: told.isSimulated,
    demands: { tokens: tokens !== undefined, hosts: hosts !== undefined, origins: origins !== undefined },
    nouns: describedNouns(reader),
    documents: told.documents.map((name) => described[name]),
    hasPage: told.hasPage,
  };
}

/** The documents that the descriptions list. */
const described: { readonly [name in DocumentName]: DescribedDocument } = {
  description: { path: "/.well-known/wot", type: "application/td+json", title: "Thing Description", hasTag: true },
  openapi: {
    path: "/openapi.json",
    type: "application/vnd.oai.openapi+json",
    title: "OpenAPI description",
    hasTag: true,
  },
  metrics: { path: "/metrics", type: "text/plain; version=0.0.4; charset=utf-8", title: "Metrics", hasTag: false },
  changes: { path: "/changes", type: "application/x-ndjson", title: "Changes", hasTag: false },
  log: { path: "/log", type: "application/x-ndjson", title: "Last failures", hasTag: false },
};

function* measuredNouns(nouns: Iterable<ReadableNoun>): Generator<MeasuredNoun> {
  for (const { name, noun, state, refusal } of nouns) {
    const isGuarded = noun.guard === undefined ? undefined : refusal?.() !== undefined;
    yield { name, shape: noun.shape, state, isGuarded };
  }
}

function writeMetrics(
  { began, failures, broker, model, kernel, boot, platform: { loop, memory, system } }: Told,
  { nouns, counts }: DocumentReader,
): Iterable<string, undefined> {
  return metrics(measuredNouns(nouns), {
    ...counts,
    memoryBytes: memory.usedBytes(),
    version: system.version,
    failures: failures(),
    broker: broker(),
    model,
    boot,
    kernel,
    // The clock may have been set since the start. This is the time of the start by the current clock.
    startTime: (Date.now() - (loop.now() - began)) / 1_000,
  });
}

/** A token sees the changes of the nouns that it may read. */
function* writeChanges({ changes }: Told, { scope }: DocumentReader): Generator<string, undefined> {
  for (const line of changes()?.lines(scope) ?? []) yield `${line}\n`;
}

function* writeLog({ lastFailures }: Told): Generator<string, undefined> {
  for (const line of lastFailures()) yield `${line}\n`;
}

export function contentOf(name: DocumentName, told: Told): DocumentContent {
  const { type } = described[name];
  if (name === "metrics")
    return { type, isCacheable: false, readsStates: true, write: (reader) => writeMetrics(told, reader) };
  if (name === "changes")
    return { type, isCacheable: false, readsStates: false, write: (reader) => writeChanges(told, reader) };
  if (name === "log")
    return { type, isCacheable: false, isOfAll: true, readsStates: false, write: () => writeLog(told) };
  const textsOf = name === "description" ? thingDescription : openApi;
  return { type, isCacheable: true, readsStates: false, write: (reader) => inAscii(textsOf(describe(told, reader))) };
}

/** @returns the page that the build has made. */
export function page(): Page {
  return builtPage;
}
