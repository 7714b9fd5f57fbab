/**
 * Makes what `import ... from "nound"` finds on a development machine, in build/package: the declarations, those of the
 * global names a device has and has not among them, and a bundle with simulated hardware, for tests on Node. The binary
 * for a device is bundled from ts/nound.ts itself.
 */
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { writeGlobalDeclarations } from "../bundle/node-declarations.mjs";
import { simulatedModules } from "../bundle/simulated-modules.mjs";

const root = resolve(import.meta.dirname, "../..");
const folder = resolve(root, "build/package");

/**
 * The folder in which it is made, so that a program that imports the package meanwhile finds the old one or the whole
 * new one.
 */
const newFolder = `${folder}.${process.pid}.new`;
const oldFolder = `${folder}.${process.pid}.old`;

await build({
  absWorkingDir: root,
  entryPoints: ["ts/nound.ts", "ts/testing.ts", "ts/program/testing/global-timers.ts"],
  entryNames: "[name]",
  outdir: newFolder,
  bundle: true,
  // The parts that both share exist only once, because both use one simulated device.
  splitting: true,
  format: "esm",
  platform: "neutral",
  sourcemap: true,
  logLevel: "warning",
  plugins: [simulatedModules(root)],
});
await writeGlobalDeclarations(`${newFolder}/types`);
const { status } = spawnSync(
  process.execPath,
  [
    resolve(root, "node_modules/typescript/bin/tsc"),
    "-p",
    resolve(root, "tools/build/declarations.json"),
    "--outDir",
    `${newFolder}/types`,
  ],
  { stdio: "inherit" },
);
if (status === 0) {
  if (existsSync(folder)) renameSync(folder, oldFolder);
  renameSync(newFolder, folder);
}
for (const left of [newFolder, oldFolder]) rmSync(left, { recursive: true, force: true });
process.exitCode = status ?? 1;
