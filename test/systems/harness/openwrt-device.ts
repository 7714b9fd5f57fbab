/**
 * A device with OpenWrt's own programs and scripts: ubusd, procd, ujail, uci, jshn, jsonfilter and validate_data are
 * compiled from their sources, the scripts are OpenWrt's as they are, and BusyBox and the kernel are this machine's.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, temporaryFolder } from "../../release/work-folder.ts";
import { compilePrograms, sourceOf } from "./openwrt-programs.ts";
import { type Outcome, readOutcomes, writeSteps } from "./steps.ts";

export { obstacle } from "./openwrt-programs.ts";

const folders =
  "bin sbin dev proc sys root tmp/run/ubus tmp/lock tmp/state tmp/resolv.conf.d usr/bin usr/sbin etc/config etc/rc.d";

/** Where the files of OpenWrt's own tree go. */
const scripts: Readonly<Record<string, string>> = {
  "openwrt/package/base-files/files/lib/functions.sh": "lib/functions.sh",
  "openwrt/package/base-files/files/lib/functions": "lib/functions",
  "openwrt/package/base-files/files/etc/rc.common": "etc/rc.common",
  "openwrt/package/system/procd/files/procd.sh": "lib/functions/procd.sh",
  "openwrt/package/system/procd/files/reload_config": "sbin/reload_config",
  "openwrt/package/system/uci/files/lib/config/uci.sh": "lib/config/uci.sh",
  "libubox/sh/jshn.sh": "usr/share/libubox/jshn.sh",
};

const texts: Readonly<Record<string, string>> = {
  // Words of the log without its options: -t NAME -p LEVEL
  "bin/logger": '#!/bin/sh\nshift 4\necho "$1" >> /root/log\n',
  "etc/hosts": "127.0.0.1 localhost\n",
  "etc/nsswitch.conf": "passwd: files\n",
  "etc/passwd": "root:x:0:0::/root:/bin/sh\n",
  "etc/group": "root:x:0:\n",
  "etc/config/system": "config system\n\toption timezone 'UTC'\n",
  // Without dnsmasq, netifd's file is that of the resolver.
  "tmp/resolv.conf.d/resolv.conf.auto": "nameserver 192.0.2.1\n",
};

const links: Readonly<Record<string, string>> = {
  var: "tmp",
  "etc/resolv.conf": "/tmp/resolv.conf",
  "tmp/resolv.conf": "/tmp/resolv.conf.d/resolv.conf.auto",
};

/** Makes the root file system once, with all of its programs; each device is a copy. */
let base: Promise<string> | undefined;

async function makeBase(): Promise<string> {
  const root = temporaryFolder();
  // The services' users enter it, too.
  chmodSync(root, 0o755);
  for (const folder of folders.split(" ")) mkdirSync(join(root, folder), { recursive: true });
  for (const [place, target] of Object.entries(links)) symlinkSync(target, join(root, place));
  for (const [source, place] of Object.entries(scripts)) {
    mkdirSync(dirname(join(root, place)), { recursive: true });
    cpSync(sourceOf(source), join(root, place), { recursive: true, dereference: true });
  }
  for (const [place, text] of Object.entries(texts)) writeFileSync(join(root, place), text, { mode: 0o755 });
  await compilePrograms(root);
  const copy = (source: string, place: string) => {
    mkdirSync(dirname(join(root, place)), { recursive: true });
    cpSync(source, join(root, place), { dereference: true });
  };
  for (const [name, place] of Object.entries({ busybox: "bin/busybox", flock: "usr/bin/flock" }))
    copy(run("sh", ["-c", `readlink -f "$(command -v ${name})"`]).trim(), place);
  for (const program of ["bin/busybox", "usr/bin/flock", "usr/bin/jshn", "sbin/ujail"]) {
    const { stdout } = spawnSync("ldd", [join(root, program)], { encoding: "utf8" });
    for (const [library] of stdout.matchAll(/\/\S+/g)) copy(library, library);
  }
  const applets = run("busybox", ["--list"]).trim().split("\n");
  for (const name of applets.filter((name) => !["busybox", "logger", "flock"].includes(name)))
    symlinkSync("busybox", join(root, "bin", name));
  return root;
}

/** A device, with what a test installs. */
export class OpenwrtDevice {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @param without files that this device does not have. */
  static async make(without: readonly string[] = []): Promise<OpenwrtDevice> {
    base ??= makeBase();
    const path = join(temporaryFolder(), "root");
    run("cp", ["-a", await base, path]);
    for (const file of without) rmSync(join(path, file));
    return new OpenwrtDevice(path);
  }

  /** Installs files: where each comes from, where it goes, and its mode. */
  install(files: readonly (readonly [source: string, place: string, mode: number])[]): void {
    for (const [source, place, mode] of files) {
      mkdirSync(dirname(join(this.path, place)), { recursive: true });
      cpSync(source, join(this.path, place), { recursive: true });
      chmodSync(join(this.path, place), mode);
    }
  }

  /** Makes a user with a group of the same name, whose numbers are 900. */
  addUser(name: string): void {
    writeFileSync(join(this.path, "etc/passwd"), `${texts["etc/passwd"]}${name}:x:900:900::/:/bin/false\n`);
    writeFileSync(join(this.path, "etc/group"), `${texts["etc/group"]}${name}:x:900:\n`);
  }

  /** Starts it, with ubusd and procd, runs each command by `sh` in order, as root, and ends it. */
  run<Name extends string>(commands: Readonly<Record<Name, string>>): Readonly<Record<Name, Outcome>> {
    const steps = writeSteps(this.path, commands);
    const devices = "for d in null zero urandom random tty; do touch dev/$d; mount --bind /dev/$d dev/$d; done";
    const boot = `cd "$1" && mount --bind . . && cd . && mount -t proc proc "$1/proc" &&
      mount -t sysfs sys "$1/sys" && mount -t tmpfs tmpfs "$1/dev" && (cd "$1"; ${devices}) && ip link set lo up &&
      exec chroot "$1" /bin/sh -c 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin
      ubusd & sleep 1; procd -S & sleep 1; sh ${steps}; kill -9 -1'`;
    const words = ["--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", boot, "sh", this.path];
    const { stdout, stderr } = spawnSync("unshare", words, { encoding: "utf8", timeout: 600_000 });
    return readOutcomes(this.path, commands, stdout + stderr);
  }
}
