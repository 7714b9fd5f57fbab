/**
 * Debian's kernel for 32-bit ARM, fetched by apt with state folders of its own, so that the system hears nothing of the
 * foreign architecture, and as any user. Unpacked under build/downloads, and not fetched again while it is there.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { again } from "../../harness/again.ts";
import { top } from "../../harness/top.ts";

const downloads = join(top, "build/downloads");
const unpacked = join(downloads, "linux-armhf");
const metapackage = "linux-image-armmp";

/** An unpacked kernel package. */
export interface KernelPackage {
  /** `6.1.0-50-armmp`. */
  readonly release: string;
  /** The compressed kernel. */
  readonly zImage: string;
  /** Its build configuration. */
  readonly configuration: string;
  /** The folder of its modules. */
  readonly modules: string;
  /** The folder of its device trees. */
  readonly deviceTrees: string;
}

/** apt's options for a private world in `folder`, of the architecture armhf and of `others`, by Debian's names. */
export function aptOptions(folder: string, ...others: readonly string[]): string[] {
  for (const name of ["state/lists/partial", "cache/archives/partial"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "state/status"), "");
  const settings = {
    "Dir::State": join(folder, "state"),
    "Dir::State::status": join(folder, "state/status"),
    "Dir::Cache": join(folder, "cache"),
    "APT::Architecture": "armhf",
    "APT::Architectures": ["armhf", ...others].join(),
    // The user _apt need not be able to enter the folder.
    "APT::Sandbox::User": "root",
    "Acquire::Languages": "none",
    "Acquire::Retries": "3",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/** The package of the newest kernel, which Debian's metapackage depends on. */
function newestPackage(options: readonly string[]): string {
  const { stdout } = spawnSync("apt-cache", [...options, "depends", metapackage], { encoding: "utf8" });
  const [, name] = stdout.match(/Depends: (linux-image-\S+)/) ?? [];
  if (name === undefined) {
    throw new Error(
      `apt knows no package ${metapackage} for armhf: the board test takes its kernel from Debian's sources, ` +
        "which have to be in /etc/apt and within reach.",
    );
  }
  return name;
}

function fetchKernel(): void {
  const work = join(downloads, "linux-armhf.fetching");
  rmSync(work, { recursive: true, force: true });
  const options = aptOptions(work);
  console.log(`Fetching Debian's ARM kernel (about 45 MB), once, to ${unpacked}.`);
  // Sources without armhf, and a mirror being updated, make this fail without doing harm.
  spawnSync("apt-get", [...options, "update", "-qq"], { stdio: "ignore" });
  const name = newestPackage(options);
  const { status, stderr } = spawnSync("apt-get", [...options, "-qq", "download", name], {
    cwd: work,
    encoding: "utf8",
  });
  const archive = readdirSync(work).find((file) => file.endsWith(".deb"));
  if (status !== 0 || archive === undefined) {
    throw new Error(`The package ${name} could not be fetched from Debian: ${stderr.trim()}`);
  }
  execFileSync("dpkg-deb", ["-x", join(work, archive), join(work, "root")]);
  rmSync(unpacked, { recursive: true, force: true });
  renameSync(join(work, "root"), unpacked);
  rmSync(work, { recursive: true, force: true });
}

/** @throws Error with a sentence when it is not there and cannot be fetched. */
export function kernelPackage(): KernelPackage {
  if (!existsSync(unpacked)) {
    again(fetchKernel);
  }
  const boot = readdirSync(join(unpacked, "boot"));
  const release = boot.find((name) => name.startsWith("vmlinuz-"))?.slice("vmlinuz-".length);
  if (release === undefined) {
    throw new Error(`There is no kernel in ${unpacked}; remove the folder, and it is fetched again.`);
  }
  const modules = ["lib/modules", "usr/lib/modules"].map((path) => join(unpacked, path, release)).find(existsSync);
  return {
    release,
    zImage: join(unpacked, "boot", `vmlinuz-${release}`),
    configuration: join(unpacked, "boot", `config-${release}`),
    modules: modules ?? "",
    deviceTrees: join(unpacked, "usr/lib", `linux-image-${release}`),
  };
}
