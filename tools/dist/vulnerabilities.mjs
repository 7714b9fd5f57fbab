/**
 * Compares a bill of materials with a list of vulnerabilities, as the National Vulnerability Database gives it for a
 * CPE (https://nvd.nist.gov/developers/vulnerabilities, JSON 2.0), and with the statements on them:
 *
 *     node tools/dist/vulnerabilities.mjs dist/product/nound.cdx.json dist/product/nound.vex.json LIST...
 *
 * It prints each one that concerns a linked part, and ends with status 1 if one has no statement.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Whether a version of numbers with dots is before another one. */
export function isOlder(one, other) {
  const [left, right] = [one, other].map((version) =>
    version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Whether a component is among the versions of a criterion. */
function isConcerned({ cpe, version, properties = [] }, match) {
  if (match.vulnerable === false) return false;
  const names = [cpe, ...properties.map(({ value }) => value)].map((one) => one.split(":").slice(3, 5).join(":"));
  const [ofVendor, ofProduct, ofVersion] = match.criteria.toLowerCase().split(":").slice(3, 6);
  if (!names.includes(`${ofVendor}:${ofProduct}`)) return false;
  if (ofVersion !== "*" && ofVersion !== "-") return ofVersion === version;
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match;
  const isBefore =
    (versionStartIncluding !== undefined && isOlder(version, versionStartIncluding)) ||
    (versionStartExcluding !== undefined && !isOlder(versionStartExcluding, version));
  const isAfter =
    (versionEndExcluding !== undefined && !isOlder(version, versionEndExcluding)) ||
    (versionEndIncluding !== undefined && isOlder(versionEndIncluding, version));
  return !isBefore && !isAfter;
}

/** @returns the vulnerabilities of a list that concern a component, each with that and its statement, if it has one. */
export function findings(bom, vex, list) {
  const components = [bom.metadata.component, ...bom.components];
  return list.vulnerabilities.flatMap(({ cve }) => {
    const matches = (cve.configurations ?? []).flatMap(({ nodes }) => nodes.flatMap(({ cpeMatch }) => cpeMatch));
    return components
      .filter((component) => matches.some((match) => isConcerned(component, match)))
      .map((component) => ({ cve: cve.id, component, statement: statementOn(vex, cve.id, component) }));
  });
}

/** A statement holds for the version of the component that it names, and for no other one. */
function statementOn(vex, cve, { purl }) {
  return vex.statements.find(({ vulnerability, products }) => {
    const named = products.flatMap((product) => product.subcomponents ?? [product]);
    return vulnerability.name === cve && named.some((one) => one["@id"] === purl);
  });
}

function main([bomFile, vexFile, ...lists]) {
  if (lists.length === 0) {
    console.error("nound: give a bill of materials, the statements and lists of vulnerabilities");
    return 64;
  }
  const [bom, vex, ...read] = [bomFile, vexFile, ...lists].map((file) => JSON.parse(readFileSync(file, "utf8")));
  const found = read.flatMap((list) => findings(bom, vex, list));
  for (const { cve, component, statement } of found) {
    console.log(`${cve}: ${component.name} ${component.version}: ${statement?.status ?? "NO STATEMENT"}`);
  }
  const lacking = found.filter(({ statement }) => statement === undefined);
  if (lacking.length > 0)
    console.error(`nound: ${lacking.length} without a statement: see tools/dist/known-vulnerabilities.json`);
  return lacking.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
