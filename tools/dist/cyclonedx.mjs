/** nound.cdx.json: nound and what is linked into it, in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */

import { createHash } from "node:crypto";

/** The name of a version as scanners of the National Vulnerability Database look it up (CPE 2.3). */
export function cpeOf([vendor, product], version) {
  return `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`;
}

/** The property in which scanners look for more names of a part, which older entries of the database have. */
function furtherNames([, product, ...vendors], version) {
  return vendors.map((vendor) => ({ name: "syft:cpe23", value: cpeOf([vendor, product], version) }));
}

/** The package URL of nound itself. It is in no registry. */
export function ownPurl(version) {
  return `pkg:generic/nound@${version}`;
}

/** A version that a scanner can compare; a build with another one fails. */
const comparable = /^[0-9]+(\.[0-9]+)+$/;

function component({ name, what, version, license, address, purl, cpe, hash }) {
  if (!comparable.test(version)) throw new Error(`The version of ${name} is ${version}: no scanner can compare it.`);
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${name} has no SHA-256.`);
  const properties = furtherNames(cpe, version);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    description: what,
    hashes: [{ alg: "SHA-256", content: hash }],
    licenses: [{ expression: license }],
    cpe: cpeOf(cpe, version),
    purl,
    externalReferences: [{ type: "website", url: address }],
    ...(properties.length > 0 && { properties }),
  };
}

/** A UUID that follows from a text (RFC 9562, 5.8). */
function uuidOf(text) {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}

/** @param seconds the date of the commit, since 1970. @param components as components.mjs has them. */
export function cyclonedx({ version, seconds, components, maintainer = "" }) {
  const linked = components.map(component);
  const purl = ownPurl(version);
  const timestamp = new Date(seconds * 1_000).toISOString();
  const [, name = ""] = /^(.*) </.exec(maintainer) ?? [];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, timestamp, linked]))}`,
    version: 1,
    metadata: {
      timestamp,
      tools: { components: [{ type: "application", name: "nound-dist", version }] },
      component: {
        type: "application",
        "bom-ref": purl,
        name: "nound",
        version,
        licenses: [{ expression: "MIT" }],
        cpe: cpeOf(["nound", "nound"], version),
        purl,
      },
      ...(name !== "" && { supplier: { name } }),
    },
    components: linked,
    dependencies: [
      { ref: purl, dependsOn: linked.map((one) => one.purl) },
      ...linked.map((one) => ({ ref: one.purl, dependsOn: [] })),
    ],
  };
}
