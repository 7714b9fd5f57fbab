/**
 * Builds the kernel modules of test/board/guest, for Debian's ARM kernel: a one-wire bus with a thermometer, and a
 * meter with pulses. The kernel's headers are fetched by apt as the kernel is, into build/downloads, and not fetched
 * again while they are there.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { again } from "../../harness/again.ts";
import { installHostPackages } from "../../harness/host-packages.ts";
import { top } from "../../harness/top.ts";
import type { KernelModule } from "./kernel-modules.ts";
import { aptOptions, type KernelPackage } from "./kernel-package.ts";

const headers = join(top, "build/downloads/linux-armhf-headers");

const programs = { "arm-linux-gnueabihf-gcc": "gcc-arm-linux-gnueabihf", make: "make" } as const;

function download(folder: string, ...command: readonly string[]): void {
  const { status, stderr } = spawnSync("apt-get", ["-qq", ...command], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`The kernel's headers could not be fetched from Debian: ${stderr.trim()}`);
}

/** Fetches the headers of the kernel, and of the same version the programs that build modules, which run here. */
function fetchHeaders(release: string): void {
  const work = `${headers}.fetching`;
  rmSync(work, { recursive: true, force: true });
  const here = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  const options = aptOptions(work, here);
  console.log(`Fetching the headers of Debian's ARM kernel (about 13 MB), once, to ${headers}.`);
  spawnSync("apt-get", [...options, "update", "-qq"], { stdio: "ignore" });
  const names = [`linux-headers-${release}`, `linux-headers-${release.replace(/-armmp$/, "-common")}`];
  download(work, ...options, "download", ...names);
  const [, version = ""] =
    readdirSync(work)
      .join("\n")
      .match(/linux-headers-\S+_(\S+)_armhf\.deb/) ?? [];
  const [series = ""] = release.match(/^\d+\.\d+/) ?? [];
  download(work, ...options, "download", `linux-kbuild-${series}:${here}=${version}`);
  for (const archive of readdirSync(work).filter((name) => name.endsWith(".deb"))) {
    execFileSync("dpkg-deb", ["-x", join(work, archive), join(work, "root")]);
  }
  rmSync(headers, { recursive: true, force: true });
  renameSync(join(work, "root"), headers);
  rmSync(work, { recursive: true, force: true });
}

/**
 * @param folder of its source below test/board/guest: the module's name, with `-` for `_`.
 * @returns the module. @throws Error when something that it is built with is not there and cannot be had.
 */
export function guestModule({ release }: KernelPackage, folder: string): KernelModule {
  installHostPackages(programs, "The test with modules of the kernel");
  if (!existsSync(join(headers, "usr/src", `linux-headers-${release}`))) again(() => fetchHeaders(release));
  const sources = join(top, "test/board/guest", folder);
  const built = join(top, "build/board", folder);
  mkdirSync(built, { recursive: true });
  for (const name of readdirSync(sources)) copyFileSync(join(sources, name), join(built, name));
  const source = join(headers, "usr/src", `linux-headers-${release.replace(/-armmp$/, "-common")}`);
  const settings = [
    `O=${join(headers, "usr/src", `linux-headers-${release}`)}`,
    "ARCH=arm",
    "CROSS_COMPILE=arm-linux-gnueabihf-",
    "CC=arm-linux-gnueabihf-gcc",
    `M=${built}`,
  ];
  execFileSync("make", ["-s", "-C", source, ...settings, "modules"], { stdio: ["ignore", "ignore", "inherit"] });
  const name = folder.replaceAll("-", "_");
  return { name, content: readFileSync(join(built, `${name}.ko`)) };
}
