/**
 * A tree of files that a program has for its /sys, in a mount namespace of its own. The test changes it from outside
 * while the program runs.
 */
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A file system of its own, as /sys is one: what a link leads to outside of it is on another. */
const memory = "/dev/shm";

/** Why no such tree can be had here, or undefined. */
export const noSysfsTree: string | undefined =
  spawnSync("unshare", ["--mount", "mount", "--bind", memory, "/sys"]).status === 0
    ? undefined
    : "this user may not mount a file system in a namespace";

export class SysfsTree {
  private readonly folder = mkdtempSync(join(memory, "nound-sys-"));

  /** The tree has the folders that every /sys has. @param atEnd is given what removes it; usually after the test. */
  constructor(atEnd: (remove: () => void) => void = onTestFinished) {
    atEnd(() => rmSync(this.folder, { recursive: true, force: true }));
    for (const name of ["class", "bus", "devices", "module"]) mkdirSync(this.outside(`/sys/${name}`));
  }

  /** What begins a program that has this tree for its /sys; the program's process is the command's. */
  get wrapper(): readonly string[] {
    return ["unshare", "--mount", "sh", "-c", `mount --bind ${this.folder} /sys && exec "$@"`, "sh"];
  }

  /** @param path as the program has it, `/sys/...`. @returns where it is outside of the namespace. */
  outside(path: string): string {
    return join(this.folder, path.slice("/sys".length));
  }

  /** Writes a file; its folders are made. A program that polls it never finds it empty in between. */
  put(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.outside(path)), { recursive: true });
    if (!existsSync(this.outside(path))) {
      writeFileSync(this.outside(path), text);
      return;
    }
    const bytes = Buffer.from(text);
    const file = openSync(this.outside(path), "r+");
    try {
      writeSync(file, bytes, 0, bytes.length, 0);
      ftruncateSync(file, bytes.length);
    } finally {
      closeSync(file);
    }
  }

  /** @returns what a file holds, as cat(1) shows it. */
  cat(path: string): string {
    return readFileSync(this.outside(path), "utf8");
  }

  /** Makes a symbolic link. @param target as the program has it. */
  link(path: string, target: string): void {
    mkdirSync(dirname(this.outside(path)), { recursive: true });
    symlinkSync(target, this.outside(path));
  }

  /** Takes away a file, or a folder with all in it. */
  remove(path: string): void {
    rmSync(this.outside(path), { recursive: true, force: true });
  }
}
