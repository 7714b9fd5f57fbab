/** `nound migrate FILE`: writes a configuration of an earlier version with the words of this one. */

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { fail } from "../tools/build/configuration.mjs";

const root = resolve(import.meta.dirname, "..");

/** @returns the functions of the module that the program itself uses for its messages. */
async function formerWords() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["ts/program/configuration/former-words.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    logLevel: "error",
  });
  return await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** @param args the file, which is replaced; FILE.old keeps the former text. */
export async function migrateFile([file]) {
  if (file === undefined) fail("expected a file: npx nound migrate nound.json");
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const { migrated } = await formerWords();
  const { result, former } = migrated(JSON.parse(text));
  if (former.length === 0 && /"debounce":/.test(text))
    console.log(`${file}: a debounce below 1000 is taken for ms; versions before 0.2 had µs`);
  if (former.length === 0) {
    console.log(`${file}: nothing to change`);
    return;
  }
  copyFileSync(file, `${file}.old`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  const paths = former.map(({ path }) => path);
  console.log(
    `${file}: changed ${paths.join(", ")}; ${file}.old has the former text. Check it: nound --check --config ${file}`,
  );
}
