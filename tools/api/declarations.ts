/** The declarations of the public API, emitted as for an application's author. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** The two doors, as an application names them, and their declarations. */
export const entries = { nound: "nound.d.ts", "nound/testing": "testing.d.ts" } as const;

/** A project of the declarations alone. */
const project = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024"],
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
    strict: true,
    noEmit: true,
  },
  files: Object.values(entries),
};

/**
 * @param root the repository's top.
 * @param folder where they go, with a `tsconfig.json`.
 * @throws Error with what the compiler says.
 */
export function emitDeclarations(root: string, folder: string): void {
  const compiler = resolve(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", resolve(root, "tools/build/declarations.json"), "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the declarations cannot be emitted:\n${stdout}`);
  writeFileSync(resolve(folder, "tsconfig.json"), JSON.stringify(project));
}
