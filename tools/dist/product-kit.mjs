/** dist/product/: what a maker of devices has to show of nound. docs/product/README.md says what each file is for. */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { releaser } from "../../packaging/releaser.mjs";
import { cyclonedx } from "./cyclonedx.mjs";
import { fitPage } from "./packed-pages.mjs";
import { provenance } from "./provenance.mjs";
import { vex } from "./vex.mjs";

const root = resolve(import.meta.dirname, "../..");

/** Writes the files into a folder. @param files of the release, each with its hash. @param spdxFile its other bill. */
export function productKit({ folder, version, seconds, commit, components, files, spdxFile }) {
  const { address, maintainer } = releaser();
  const statements = JSON.parse(readFileSync(resolve(root, "tools/dist/known-vulnerabilities.json"), "utf8"));
  const documents = {
    "nound.cdx.json": cyclonedx({ version, seconds, components, maintainer }),
    "nound.vex.json": vex({ version, seconds, components, statements, maintainer }),
    "provenance.json": provenance({ version, seconds, commit, components, files, address }),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, document] of Object.entries(documents))
    writeFileSync(resolve(folder, name), `${JSON.stringify(document, undefined, 2)}\n`);
  for (const name of ["en18031.md", "cra.md"]) copyFileSync(resolve(root, "docs/product", name), resolve(folder, name));
  for (const name of ["en18031.md", "cra.md"]) fitPage(folder, name);
  if (spdxFile !== undefined) copyFileSync(spdxFile, resolve(folder, "nound.spdx.json"));
}
