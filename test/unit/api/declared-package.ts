/** A folder in which "nound" is installed, as far as a compiler sees: its declarations and none of its source. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitDeclarations } from "../../../tools/api/declarations.ts";
import { writeGlobalDeclarations } from "../../../tools/bundle/node-declarations.mjs";

/** The repository's top. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

export class DeclaredPackage {
  readonly folder = mkdtempSync(join(tmpdir(), "nound-declared-"));

  private constructor() {
    const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
    const installed = join(this.folder, "node_modules/nound");
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "package.json"), JSON.stringify({ name, type: "module", exports }));
    emitDeclarations(root, join(installed, "build/package/types"));
  }

  /** @returns a folder in which the declarations of the global names are as well. */
  static async create(): Promise<DeclaredPackage> {
    const declared = new DeclaredPackage();
    await writeGlobalDeclarations(join(declared.folder, "node_modules/nound/build/package/types"));
    return declared;
  }

  /**
   * Writes files and compiles them. @param files their texts, by name. @returns what the compiler says: nothing, if all
   * is well.
   */
  compile(files: ReadonlyMap<string, string>): string {
    const compilerOptions = {
      target: "es2024",
      lib: ["es2024"],
      module: "esnext",
      moduleResolution: "bundler",
      types: ["nound/globals"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    writeFileSync(join(this.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
    const source = join(this.folder, "src");
    rmSync(source, { recursive: true, force: true });
    mkdirSync(source);
    for (const [name, text] of files) writeFileSync(join(source, name), text);
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [compiler, "-p", this.folder], { encoding: "utf8" }).stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
