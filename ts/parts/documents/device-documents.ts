/**
 * The description of a device: its title, its id and its address, and the documents that are made from them and from
 * its nouns.
 */

import type { AccessOptions } from "../../core/access/access.ts";
import type { Host } from "../../core/server/host.ts";
import type { Source } from "../../core/server/source.ts";
import { bootId, deviceModel } from "../../platform/device-model.ts";
import { failureCount, type LogLevel, lastFailures } from "../../platform/log.ts";
import { hash, isSimulated, loop, memory, system } from "../../platform/platform.ts";
import { DocumentSet } from "./documents.ts";
import { contentOf, type DocumentName, page, type Told } from "./written-documents.ts";

/**
 * The documents of a server; each is on unless it is switched off.
 *
 * @example
 * const documents: DocumentSwitches = { metrics: false };
 * const server = new Server({ documents });
 */
export interface DocumentSwitches {
  /** The Thing Description at `/.well-known/wot`. */
  readonly description?: boolean;
  /** The OpenAPI description at `/openapi.json`. */
  readonly openapi?: boolean;
  /** The measurements for Prometheus at `/metrics`. */
  readonly metrics?: boolean;
  /** The last failures, at `/log`. It is there only if `log` is not "none". */
  readonly log?: boolean;
  /** The page that browsers get at `/`. */
  readonly page?: boolean;
}

/**
 * A server's description of the device.
 *
 * @example
 * const device: DeviceOptions = { title: "Hall", address: "https://hall.example" };
 * const server = new Server(device);
 */
export interface DeviceOptions {
  /** The device's name for people; the host's name if left out. */
  readonly title?: string;
  /**
   * A UUID that always names this device. If left out, it is made from /etc/machine-id and the title. Without that
   * file, there is no id.
   */
  readonly id?: string;
  /** The room or the place that Home Assistant suggests for the device; none if left out. */
  readonly area?: string;
  /** The URL by which clients reach `/`, behind a proxy for instance; if left out, that of each request. */
  readonly address?: string;
  /** Which documents the server has; all if left out. */
  readonly documents?: DocumentSwitches;
  /**
   * How many changes `/changes` has at most, 0 to 64; 0 switches it off. If left out: the last 64 that somebody has
   * asked for. If given, also those of nouns that change by themselves, which are followed for it from the start.
   */
  readonly changes?: number;
  /**
   * Bytes of memory for the history of the nouns, the last 24 hours of their numbers and states: 0 to 1048576; 0
   * switches it off. If left out: 65536, and it begins with the first request for it. If given, it begins with the
   * server.
   */
  readonly history?: number;
}

/** A UUID in digits of either case (RFC 9562). */
export const uuidPattern = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

/** A URL of `http` or `https` without query and fragment. */
export const addressPattern = /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/;

/** The path of each document, and its relation in a Link field. */
const documents = {
  description: ["/.well-known/wot", 'rel="describedby"; type="application/td+json"'],
  openapi: ["/openapi.json", 'rel="service-desc"'],
  metrics: ["/metrics", ""],
  changes: ["/changes", ""],
  log: ["/log", ""],
} as const;

/** What decides which documents are on. */
export type DocumentOptions = Pick<DeviceOptions, "documents" | "changes"> & { readonly log?: LogLevel };

/** The largest number of changes that the list has. */
export const mostChanges = 64;

function atMost(most: number, value: number, sentence: string): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new RangeError(`${sentence} from 0 to ${most}.`);
}

/** @returns how many changes the list has at most; 0 if it is switched off. @throws RangeError for another number. */
export function changesOf({ changes = mostChanges }: Pick<DeviceOptions, "changes">): number {
  return atMost(mostChanges, changes, "The number of changes is a whole number");
}

/** Bytes that the history of the nouns may take at most. */
export const mostHistory = 1_048_576;

/** @returns bytes for the history; 0 if it is switched off. @throws RangeError for another number. */
export function historyOf({ history = 65_536 }: Pick<DeviceOptions, "history">): number {
  return atMost(mostHistory, history, "The bytes of the history are a whole number");
}

const platform = { hash, loop, memory, system };

/** @returns the names of the documents that are on. */
export function documentsOn(options: DocumentOptions): DocumentName[] {
  const { documents: switches = {}, log = "none" } = options;
  const isOn = (name: DocumentName) =>
    name === "changes" ? changesOf(options) > 0 : switches[name] !== false && (name !== "log" || log !== "none");
  return (Object.keys(documents) as DocumentName[]).filter(isOn);
}

/** @returns how to switch a document off, in the configuration. */
export function switchOf(name: DocumentName): string {
  return name === "changes" ? '"changes": 0' : `"documents": { "${name}": false }`;
}

/** @returns the document that has the path of a noun with this name; undefined for none. */
export function documentNamed(name: string, options: DocumentOptions): DocumentName | undefined {
  return documentsOn(options).find((document) => documents[document][0] === `/${name}`);
}

/** @returns the id of this machine (machine-id(5)); undefined if it has none. */
export function readMachineId(): string | undefined {
  try {
    if (system.accessOf("/etc/machine-id") === undefined) return undefined;
    const [id] = /^[0-9a-f]{32}/.exec(system.readTextFile("/etc/machine-id", 64)) ?? [];
    return id;
  } catch {
    return undefined;
  }
}

function check({ id, address }: DeviceOptions): void {
  if (id !== undefined && !uuidPattern.test(id)) {
    throw new TypeError("The id of a device is a UUID such as 7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e.");
  }
  if (address !== undefined && !addressPattern.test(address)) {
    throw new TypeError("The address of a device is a URL such as https://hall.example, without query and fragment.");
  }
}

/**
 * @param access what the server requires of every request.
 * @param live gives what documents say of the server while it runs.
 * @returns a function that makes the documents and the page that are switched on. Nothing of them is loaded or written
 *   before a client requests it.
 * @throws TypeError naming an option that is malformed.
 */
export function deviceDocuments(
  options: DeviceOptions & DocumentOptions,
  access: AccessOptions,
  live: Pick<Told, "broker" | "changes" | "certificate">,
): (host: Host) => Source {
  check(options);
  const { id, address, documents: switches = {} } = options;
  const on = documentsOn(options);
  // After `restrict`, these files and uname(2) may be out of reach.
  const title = options.title ?? system.hostName();
  const machineId = id === undefined && on.includes("description") ? readMachineId() : undefined;
  const model = on.length > 0 ? deviceModel() : undefined;
  const boot = on.includes("metrics") ? bootId() : "";
  const kernel = system.kernelRelease();
  const hasPage = switches.page !== false;
  const device = { title, id, machineId, model, kernel, boot, address, isSimulated };
  const told: Told = {
    ...device,
    access,
    began: loop.now(),
    failures: failureCount,
    lastFailures,
    ...live,
    platform,
    documents: on,
    hasPage,
  };
  const all = on.map((name) => {
    const [path, relation] = documents[name];
    const switchOff = name === "changes" ? 'set "changes" to 0' : `switch "documents.${name}" off`;
    const isFollowed = name === "changes";
    return { path, relation, switchOff, isFollowed, content: () => contentOf(name, told) };
  });
  return (host) => new DocumentSet(all, hasPage ? page : undefined, host);
}
