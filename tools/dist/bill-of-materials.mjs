/** nound-<version>.spdx.json: what is in a release, in SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/). */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { releaser } from "../../packaging/releaser.mjs";
import { sha256 } from "./components.mjs";
import { cpeOf, ownPurl } from "./cyclonedx.mjs";

const root = resolve(import.meta.dirname, "../..");
const identifier = (name) => `SPDXRef-${name.replace(/[^A-Za-z0-9.-]/g, "-")}`;

function references(purl, cpe) {
  const reference = (category, type, locator) => ({
    referenceCategory: category,
    referenceType: type,
    referenceLocator: locator,
  });
  return [reference("PACKAGE-MANAGER", "purl", purl), reference("SECURITY", "cpe23Type", cpe)];
}

function component({ name, version, license, address, checksum, files, what, purl, cpe }) {
  return {
    SPDXID: identifier(name),
    name,
    versionInfo: version,
    summary: what,
    downloadLocation: "NOASSERTION",
    homepage: address,
    filesAnalyzed: false,
    licenseConcluded: license,
    licenseDeclared: license,
    copyrightText: "NOASSERTION",
    externalRefs: references(purl, cpeOf(cpe, version)),
    ...(files === undefined ? {} : { sourceInfo: `Compiled from these files (SHA-256):\n${files}` }),
    ...(checksum === undefined ? {} : { checksums: [{ algorithm: "SHA256", checksumValue: checksum }] }),
  };
}

/** Writes it for the released files, whose binaries have all components linked in. @returns the path. */
export function billOfMaterials({ version, components, seconds, dist, binaryFiles, sourceFile }) {
  const [copyright] = readFileSync(resolve(root, "LICENSE"), "utf8").match(/^Copyright.*$/m) ?? ["NOASSERTION"];
  const supplier = releaser().maintainer.replace(/^(.*) <(.*)>$/, "Person: $1 ($2)") || "NOASSERTION";
  const released = [...binaryFiles, sourceFile].map((file) => ({
    SPDXID: identifier(basename(file)),
    name: "nound",
    versionInfo: version,
    packageFileName: basename(file),
    supplier,
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    licenseConcluded: binaryFiles.includes(file) ? "MIT AND LGPL-2.1-or-later AND Apache-2.0" : "MIT",
    licenseDeclared: "MIT",
    copyrightText: copyright,
    externalRefs: references(ownPurl(version), cpeOf(["nound", "nound"], version)),
    checksums: [{ algorithm: "SHA256", checksumValue: sha256(file) }],
  }));
  const relationships = binaryFiles.flatMap((file) =>
    components.map(({ name }) => ({
      spdxElementId: identifier(basename(file)),
      relationshipType: "STATIC_LINK",
      relatedSpdxElement: identifier(name),
    })),
  );
  const inSource = ["quickjs-ng", "libgpiod", "mbedtls"].map((name) => ({
    spdxElementId: identifier(basename(sourceFile)),
    relationshipType: "CONTAINS",
    relatedSpdxElement: identifier(name),
  }));
  const generated = binaryFiles.map((file) => ({
    spdxElementId: identifier(basename(file)),
    relationshipType: "GENERATED_FROM",
    relatedSpdxElement: identifier(basename(sourceFile)),
  }));
  const content = createHash("sha256").update(JSON.stringify(released)).digest("hex");
  const document = {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `nound-${version}`,
    documentNamespace: `urn:sha256:${content}`,
    creationInfo: {
      created: new Date(seconds * 1_000).toISOString().replace(".000", ""),
      creators: [`Tool: nound-dist-${version}`],
    },
    documentDescribes: released.map(({ SPDXID }) => SPDXID),
    packages: [...released, ...components.map(component)],
    relationships: [...relationships, ...inSource, ...generated],
  };
  const file = resolve(dist, `nound-${version}.spdx.json`);
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
  return file;
}
