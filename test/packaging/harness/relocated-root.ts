/** A folder that replaces the root of a device, and the packages' scripts changed to use it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { uciKeys } from "../../../packaging/openwrt-keys.mjs";

/** The folder of the project. */
export const project = fileURLToPath(new URL("../../../", import.meta.url));

const harness = fileURLToPath(new URL(".", import.meta.url));

const ash = ["busybox", "ash"];

/** The shell of OpenWrt and Buildroot: BusyBox's; where that is missing, Debian's, which comes from the same one. */
const shell = spawnSync("busybox", ["ash", "-c", ":"]).status === 0 ? ash : ["dash"];

/** The table of keys of OpenWrt's package, which its build makes: one for all devices. */
const keysFolder = mkdtempSync(join(tmpdir(), "nound-keys-"));
const keysFile = join(keysFolder, "uci-keys.awk");
writeFileSync(keysFile, uciKeys());
process.once("exit", () => rmSync(keysFolder, { recursive: true }));

/** What a script did. */
export interface ShellResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The device. Its paths begin with the folder's own; what the stubs of a distribution were told is in `calls`. */
export class RelocatedRoot {
  readonly path = mkdtempSync(join(tmpdir(), "nound-packaging-"));

  /** Writes a file, by its path on the device. */
  write(path: string, text: string, mode = 0o644): void {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }

  /** Puts a file of the project on the device, every path of the system in it led to the device. */
  install(source: string, path: string): void {
    this.installText(readFileSync(join(project, source), "utf8"), path);
  }

  /** Puts a script on the device, every path of the system in it led to the device. */
  installText(script: string, path: string): void {
    const text = script.replace(
      /(?<![\w.$/}*])\/(?=(?:usr|etc|var|sys|lib|sbin|dev\/(?!null|stderr))\b)/g,
      `${this.path}/`,
    );
    this.write(path, text, 0o755);
  }

  /** @returns the text of a file of the device. */
  read(path: string): string {
    return readFileSync(join(this.path, path), "utf8");
  }

  /** Runs a script with `ROOT`, the device, `HARNESS`, the folder of the stubs, and `UCI_KEYS`, the table of keys. */
  run(script: string): ShellResult {
    const [program = "", ...rest] = shell;
    const awk = shell === ash ? "busybox awk" : "awk";
    const env = { ...process.env, ROOT: this.path, HARNESS: harness, UCI_KEYS: keysFile, AWK: awk };
    return spawnSync(program, [...rest, "-c", script], { env, encoding: "utf8" });
  }

  /** What the stubs were told, in order: a name and its arguments, in which the device's folder is left out. */
  get calls(): readonly (readonly string[])[] {
    try {
      return this.read("calls")
        .replaceAll(this.path, "")
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split("\t"));
    } catch {
      return [];
    }
  }

  /** The arguments of each call of a stub. */
  callsOf(name: string): readonly (readonly string[])[] {
    return this.calls.filter(([called]) => called === name).map(([, ...rest]) => rest);
  }

  remove(): void {
    // A process that a script left behind may write for a moment.
    rmSync(this.path, { recursive: true, maxRetries: 20, retryDelay: 50 });
  }
}
