/** The options of a device's description, and its documents. */

import type { Document } from "../../core/server/document.ts";

/** The texts that describe the device and its server. */
export type DocumentName = "description" | "openapi" | "metrics";

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
}

/** A UUID in digits of either case (RFC 9562). */
export const uuidPattern = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

/** A URL of `http` or `https` without query and fragment. */
export const addressPattern = /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/;

/** What is known of each document without writing it. */
export const documentFacts: { readonly [name in DocumentName]: Omit<Document, "switchOff" | "content"> } = {
  description: {
    path: "/.well-known/wot",
    relation: 'rel="describedby"; type="application/td+json"',
    type: "application/td+json",
    title: "Thing Description",
    hasTag: true,
  },
  openapi: {
    path: "/openapi.json",
    relation: 'rel="service-desc"',
    type: "application/vnd.oai.openapi+json",
    title: "OpenAPI description",
    hasTag: true,
  },
  metrics: {
    path: "/metrics",
    relation: "",
    type: "text/plain; version=0.0.4; charset=utf-8",
    title: "Metrics",
    hasTag: false,
  },
};

const documentNames = Object.keys(documentFacts) as readonly DocumentName[];

/** @returns the names of the documents that are on. */
export function documentsOn({ documents = {} }: DeviceOptions): readonly DocumentName[] {
  return documentNames.filter((name) => documents[name] !== false);
}

/** @returns the document that has the path of a noun with this name; undefined for none. */
export function documentNamed(name: string, { documents = {} }: DeviceOptions): DocumentName | undefined {
  const path = `/${name}`;
  return documentNames.find((document) => documentFacts[document].path === path && documents[document] !== false);
}

/** @throws TypeError naming an option that is malformed. */
export function checkDevice({ id, address }: DeviceOptions): void {
  if (id !== undefined && !uuidPattern.test(id)) {
    throw new TypeError("The id of a device is a UUID such as 7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e.");
  }
  if (address !== undefined && !addressPattern.test(address)) {
    throw new TypeError("The address of a device is a URL such as https://hall.example, without query and fragment.");
  }
}
