/**
 * nound.vex.json: what the known vulnerabilities of the linked parts mean for nound, in OpenVEX 0.2.0
 * (https://github.com/openvex/spec). tools/dist/known-vulnerabilities.json has a line for each, which people keep.
 */

import { createHash } from "node:crypto";
import { ownPurl } from "./cyclonedx.mjs";
import { isOlder } from "./vulnerabilities.mjs";

/** Why a part is not affected (OpenVEX, Status Justifications). */
const justifications = [
  "component_not_present",
  "vulnerable_code_not_present",
  "vulnerable_code_not_in_execute_path",
  "vulnerable_code_cannot_be_controlled_by_adversary",
  "inline_mitigations_already_exist",
];

/** Returns the part of a statement with its status. Throws if the statement does not hold for this version. */
function judge({ cve, part, fixed, justification, impact, investigating }, components) {
  const found = components.find(({ name }) => name === part);
  if (found === undefined) throw new Error(`tools/dist/known-vulnerabilities.json: ${cve}: there is no part ${part}.`);
  if (fixed !== undefined && isOlder(found.version, fixed)) {
    throw new Error(
      `tools/dist/known-vulnerabilities.json: ${cve} is fixed in ${part} ${fixed}, but ${found.version} is linked.`,
    );
  }
  if (fixed !== undefined) return [found, { status: "fixed", status_notes: `fixed in ${part} ${fixed}` }];
  if (investigating !== undefined) return [found, { status: "under_investigation", status_notes: investigating }];
  if (!justifications.includes(justification) || typeof impact !== "string") {
    throw new Error(
      `tools/dist/known-vulnerabilities.json: ${cve} needs "fixed", "investigating", or a justification with "impact".`,
    );
  }
  return [found, { status: "not_affected", justification, impact_statement: impact }];
}

/** @param statements those of tools/dist/known-vulnerabilities.json. @param seconds the date of the commit, since 1970. */
export function vex({ version, seconds, components, statements, maintainer = "" }) {
  const timestamp = new Date(seconds * 1_000).toISOString();
  const listed = statements.map((statement) => {
    const [{ purl }, status] = judge(statement, components);
    return {
      vulnerability: { name: statement.cve },
      products: [{ "@id": ownPurl(version), subcomponents: [{ "@id": purl }] }],
      ...status,
    };
  });
  const hash = createHash("sha256")
    .update(JSON.stringify([version, timestamp, listed]))
    .digest("hex");
  return {
    "@context": "https://openvex.dev/ns/v0.2.0",
    "@id": `urn:sha256:${hash}`,
    author: maintainer || "nound's packager, see SECURITY.md",
    timestamp,
    version: 1,
    statements: listed,
  };
}
