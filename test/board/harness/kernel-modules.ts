/**
 * Finds modules of a kernel package and the order in which they load: what `depmod` would have written on a real
 * system.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A module as the kernel takes it. */
export interface KernelModule {
  readonly name: string;
  readonly content: Buffer;
}

/** In names, the kernel takes `-` and `_` as the same. */
function moduleName(file: string): string {
  return file.replace(/\.ko(\.xz)?$/, "").replaceAll("-", "_");
}

function readModule(path: string): Buffer {
  return path.endsWith(".xz")
    ? execFileSync("xz", ["--decompress", "--stdout", path], { maxBuffer: 64 * 1024 * 1024 })
    : readFileSync(path);
}

/** The modules that a module names as needed before it, in its `.modinfo` section. */
function neededBy(content: Buffer): string[] {
  const [, names = ""] = content.toString("latin1").match(/depends=([\w,-]*)\0/) ?? [];
  return names === "" ? [] : names.split(",").map(moduleName);
}

/**
 * @param folder `lib/modules/VERSION` of the package.
 * @param names the modules wanted.
 * @returns them with all they need, each after what it needs; without what is built into the kernel.
 * @throws Error when a module wanted is in neither place.
 */
export function modulesInOrder(folder: string, names: readonly string[]): readonly KernelModule[] {
  const files = new Map<string, string>();
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (/\.ko(\.xz)?$/.test(file.name)) {
      files.set(moduleName(file.name), join(file.parentPath, file.name));
    }
  }
  const builtIn = new Set(
    readFileSync(join(folder, "modules.builtin"), "utf8")
      .split("\n")
      .map((line) => moduleName(line.slice(line.lastIndexOf("/") + 1))),
  );
  const order = new Map<string, KernelModule>();
  const add = (name: string): void => {
    if (order.has(name) || builtIn.has(name)) {
      return;
    }
    const file = files.get(name);
    if (file === undefined) {
      throw new Error(`Debian's ARM kernel has no module ${name}; the board's list of modules must change.`);
    }
    const content = readModule(file);
    neededBy(content).forEach(add);
    order.set(name, { name, content });
  };
  names.map(moduleName).forEach(add);
  return [...order.values()];
}
