/**
 * The description of a device: its title, its id and its address, and the documents that are made from them and from
 * its nouns.
 */

import type { AccessOptions } from "../access/access.ts";
import { DocumentSet } from "../documents/documents.ts";
import { contentOf, type DocumentName, page, type Told } from "../documents/written-documents.ts";
import type { Host } from "../server/host.ts";
import type { Source } from "../server/source.ts";
import { bootId, deviceModel } from "./device-model.ts";
import { failureCount } from "./log.ts";
import { hash, isSimulated, loop, memory, system } from "./platform.ts";

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
  /** What Prometheus reads at `/metrics`. */
  readonly metrics?: boolean;
  /** The page that browsers get at `/`. */
  readonly page?: boolean;
}

/**
 * What a server's documents say about the device.
 *
 * @example
 * const device: DeviceOptions = { title: "Hall", address: "https://hall.example" };
 * const server = new Server(device);
 */
export interface DeviceOptions {
  /** What people call the device; the host's name if left out. */
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
} as const;

const platform = { hash, loop, memory, system };

/** @returns the names of the documents that are on. */
export function documentsOn(switches: DocumentSwitches): DocumentName[] {
  return (Object.keys(documents) as DocumentName[]).filter((name) => switches[name] !== false);
}

/** @returns the document that has the path of a noun with this name; undefined for none. */
export function documentNamed(name: string, switches: DocumentSwitches): DocumentName | undefined {
  return documentsOn(switches).find((document) => documents[document][0] === `/${name}`);
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
 * @param broker gives the counts of the client of a broker; undefined without one.
 * @returns a function that makes the documents and the page that are switched on. Nothing of them is loaded or written
 *   before a client requests it.
 * @throws TypeError naming an option that is malformed.
 */
export function deviceDocuments(
  options: DeviceOptions,
  access: AccessOptions,
  broker: Told["broker"],
): (host: Host) => Source {
  check(options);
  const { id, address, documents: switches = {} } = options;
  const on = documentsOn(switches);
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
    broker,
    platform,
    documents: on,
    hasPage,
  };
  const all = on.map((name) => {
    const [path, relation] = documents[name];
    const switchOff = `switch "documents.${name}" off`;
    return { path, relation, switchOff, content: () => contentOf(name, told) };
  });
  return (host) => new DocumentSet(all, hasPage ? page : undefined, host);
}
