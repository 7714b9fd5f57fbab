/**
 * Writes docs/nound.schema.json, the JSON Schema of a configuration, from the declarations that check it and
 * the tables of the pages that describe it: a part of `npm run api`.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { simulatedModules } from "../bundle/simulated-modules.mjs";
import { withDescriptions } from "./descriptions.mjs";

const root = resolve(import.meta.dirname, "../..");
const bundle = resolve(root, "build/configuration.mjs");
const path = "docs/nound.schema.json";

await build({
  absWorkingDir: root,
  entryPoints: ["ts/program/configuration/configuration.ts"],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "neutral",
  logLevel: "warning",
  plugins: [simulatedModules(root)],
});
const { configurationSchema } = await import(bundle);
writeFileSync(resolve(root, path), `${JSON.stringify(withDescriptions(configurationSchema()), null, 2)}\n`);
console.log(path);
