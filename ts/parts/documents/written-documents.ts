/** The texts of a device's documents. */
import * as builtPage from "nound:page";
import type { AccessOptions } from "../../core/access/access.ts";
import { mayRead } from "../../core/access/admission.ts";
import { toAscii } from "../../core/http/utf8.ts";
import type { When } from "../../core/noun/condition.ts";
import { presentationOf } from "../../core/noun/description.ts";
import type { Noun } from "../../core/noun/noun.ts";
import { type NounFace, takesAnyUpdate } from "../../core/noun/noun-face.ts";
import { hops, mentioned, traitsOf } from "../../core/noun/noun-traits.ts";
import type { DocumentContent, DocumentReader, ReadableNoun } from "../../core/server/document.ts";
import type { Measure } from "../../core/server/measure.ts";
import type { Hash } from "../../native/hash.ts";
import type { Clock } from "../../native/loop.ts";
import type { Memory } from "../../native/memory.ts";
import type { Page } from "../../native/page.ts";
import type { System } from "../../native/system.ts";
import type { CertificateEnd } from "../../platform/certificate-ends.ts";
import { derivedId } from "../../platform/device-id.ts";
import { nounsOfGuard } from "../../settings/conditions.ts";
import type { DescribedDevice, DescribedNoun } from "./describe/described-device.ts";
import { type MeasuredNoun, metrics } from "./describe/metrics.ts";
import { openApi } from "./describe/open-api.ts";
import { thingDescription } from "./describe/thing-description.ts";
import type { DocumentName } from "./device-options.ts";

/** The description of the device in the documents. */
export interface DeviceFacts {
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
  /** @returns SHA-256 of the certificate of encrypted addresses, in hexadecimal; undefined without any. */
  readonly certificate: () => string | undefined;
  /** @returns when the certificates in files end. */
  readonly ends: () => readonly CertificateEnd[];
  /** Whether no hardware is moved. */
  readonly isSimulated: boolean;
  /** The C modules that give the values. */
  readonly platform: { readonly hash: Hash; readonly loop: Clock; readonly memory: Memory; readonly system: System };
}

function* inAscii(texts: Iterable<string>): Generator<string, undefined> {
  for (const text of texts) yield toAscii(text);
}

/** @returns the conditions of a guard on the nouns that its reader may read; undefined if there are none. */
function readableGuard(guard: When | undefined, isReadable: (noun: string) => boolean): When | undefined {
  const readable = Object.entries(guard ?? {}).filter((entry) => {
    return nounsOfGuard(Object.fromEntries([entry])).every(isReadable);
  });
  return readable.length === 0 ? undefined : Object.fromEntries(readable);
}

/** @returns the keys of a thermostat by their roles, as far as its reader may read them; undefined for another noun. */
function climateOf(noun: Noun, isReadable: (noun: string) => boolean): DescribedNoun["climate"] {
  const { homeAssistant, shape = {} } = noun;
  if (typeof homeAssistant !== "object" || homeAssistant["platform"] !== "climate") return undefined;
  const keys = Object.entries(homeAssistant).filter((entry): entry is [string, string] => {
    const [, path] = entry;
    if (typeof path !== "string" || !path.includes("/")) return Object.hasOwn(shape, String(path));
    return isReadable(path.slice(0, path.indexOf("/")).toLowerCase());
  });
  return Object.fromEntries(keys);
}

function* describedNouns({ nouns, scope }: DocumentReader): Generator<DescribedNoun> {
  const isReadable = (noun: string) => mayRead(scope, noun);
  for (const { name, noun, verbs, refusal } of nouns) {
    const { shape, updateShape } = noun;
    const { [takesAnyUpdate]: takesAny } = noun as NounFace;
    const hasConflicts = refusal !== undefined;
    const { [hops]: between, [mentioned]: others = [] } = traitsOf(noun);
    const { description, guard, ...presented } = presentationOf(noun);
    const readable = {
      description: others.every(isReadable) ? description : undefined,
      guard: readableGuard(guard, isReadable),
      climate: climateOf(noun, isReadable),
    };
    yield {
      ...presented,
      ...readable,
      name,
      shape,
      updateShape,
      takesAny,
      hasConflicts,
      hops: between,
      methods: verbs,
    };
  }
}

function describe(facts: DeviceFacts, reader: DocumentReader, hasPage: boolean): DescribedDevice {
  const { title, machineId, model, kernel, address, access, platform } = facts;
  const id = facts.id ?? (machineId && derivedId(platform.hash, machineId, title));
  const base = address ?? `${reader.scheme}://${reader.authority}/`;
  const { tokens, hosts, origins } = access;
  return {
    title,
    id: id && `urn:uuid:${id.toLowerCase()}`,
    base: base.endsWith("/") ? base : `${base}/`,
    version: platform.system.version,
    model,
    kernel,
    certificate: facts.certificate(),
    isSimulated: facts.isSimulated,
    demands: { tokens: tokens !== undefined, hosts: hosts !== undefined, origins: origins !== undefined },
    nouns: describedNouns(reader),
    documents: reader.documents,
    hasPage,
  };
}

function* measuredNouns(nouns: Iterable<ReadableNoun>): Generator<MeasuredNoun> {
  for (const { name, noun, state } of nouns) yield { name, shape: noun.shape, state };
}

/** @returns the ends of certificates as samples; none without certificates. */
function endsMeasured(ends: readonly CertificateEnd[]): Measure {
  return {
    name: "nound_certificate_expiry_seconds",
    type: "gauge",
    help: "End of a certificate since 1970 in seconds.",
    samples: ends.map(({ of, file, end }) => [{ of, file }, end]),
  };
}

function writeMetrics(
  { began, failures, ends, model, kernel, boot, platform: { loop, memory, system } }: DeviceFacts,
  { nouns, counts, measures }: DocumentReader,
): Iterable<string, undefined> {
  const all = {
    ...counts,
    memoryBytes: memory.usedBytes(),
    version: system.version,
    failures: failures(),
    model,
    boot,
    kernel,
    // The clock may have been set since the start. This is the time of the start by the current clock.
    startTime: (Date.now() - (loop.now() - began)) / 1_000,
  };
  return metrics(measuredNouns(nouns), all, [...measures(), endsMeasured(ends())]);
}

/** @param type the media type of the document. */
export function contentOf(name: DocumentName, type: string, facts: DeviceFacts, hasPage: boolean): DocumentContent {
  if (name === "metrics")
    return { type, isCacheable: false, readsStates: true, write: (reader) => writeMetrics(facts, reader) };
  const textsOf = name === "description" ? thingDescription : openApi;
  return {
    type,
    isCacheable: true,
    readsStates: false,
    write: (reader) => inAscii(textsOf(describe(facts, reader, hasPage))),
  };
}

/** ms for which security.txt is valid, from its answer on: half a year. */
const contactLasts = 15_552_000_000;

/** @returns security.txt (RFC 9116, 2.5). */
export function contactOf(type: string, { platform: { system } }: DeviceFacts): DocumentContent {
  const expires = new Date(Math.max(Date.now(), system.sourceDate() * 1_000) + contactLasts).toISOString();
  const text = `Contact: ${system.contact}\r\nExpires: ${expires}\r\n`;
  return { type, isCacheable: false, readsStates: false, write: () => [text] };
}

/** @returns the page that the build has made. */
export function page(): Page {
  return builtPage;
}
