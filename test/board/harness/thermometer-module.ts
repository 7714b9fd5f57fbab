/**
 * Builds the kernel module of test/board/guest/w1-thermometer, a one-wire bus with a thermometer, for Debian's ARM
 * kernel. The kernel's headers are fetched by apt as the kernel is, into build/downloads, and not fetched again while
 * they are there.
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
const sources = join(top, "test/board/guest/w1-thermometer");
const built = join(top, "build/board/w1-thermometer");

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

/** @returns the module. @throws Error when something that it is built with is not there and cannot be had. */
export function thermometerModule({ release }: KernelPackage): KernelModule {
  installHostPackages(programs, "The test of one-wire sensors");
  if (!existsSync(join(headers, "usr/src", `linux-headers-${release}`))) again(() => fetchHeaders(release));
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
  return { name: "w1_thermometer", content: readFileSync(join(built, "w1_thermometer.ko")) };
}
