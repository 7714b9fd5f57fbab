/**
 * What `--bom` prints: this program and what is linked into it, in CycloneDX 1.6
 * (https://cyclonedx.org/docs/1.6/json/). The bill of a release, which has the hashes too, is made by tools/dist.
 */
import { system } from "../../platform/platform.ts";
import linkedParts from "./linked-parts.json" with { type: "json" };

/**
 * How scanners name a part: the package URL before the version; vendor and product of the CPE, and vendors that older
 * entries of the National Vulnerability Database have; and the licence.
 */
const named: { readonly [part: string]: (typeof linkedParts)["nound"] | undefined } = linkedParts;

function component(type: string, name: string, version: string) {
  const { purl = "", cpe: [vendor, product, ...former] = [], license = "" } = named[name] ?? {};
  const url = `${purl}${version}`;
  const cpeOf = (by = "") => `cpe:2.3:a:${by}:${product}:${version}:*:*:*:*:*:*:*`;
  const properties = former.map((by) => ({ name: "syft:cpe23", value: cpeOf(by) }));
  return {
    ...{ type, "bom-ref": url, name, version, licenses: [{ expression: license }], cpe: cpeOf(vendor), purl: url },
    ...(properties.length > 0 && { properties }),
  };
}

/** @returns the bill of materials of this program. */
export function billOfMaterials(): string {
  const [version = ""] = system.version.split("+");
  const [engine = ""] = system.build.split(",");
  const components = `${engine}${system.parts}`.split(",").map((part) => {
    const [name = "", its = ""] = part.split(" ");
    return component("library", name, its);
  });
  const own = component("application", "nound", version);
  const dependencies = [
    { ref: own.purl, dependsOn: components.map(({ purl }) => purl) },
    ...components.map(({ purl }) => ({ ref: purl, dependsOn: [] })),
  ];
  const bom = {
    ...{ $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", bomFormat: "CycloneDX", specVersion: "1.6" },
    ...{ version: 1, metadata: { component: own }, components, dependencies },
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}
