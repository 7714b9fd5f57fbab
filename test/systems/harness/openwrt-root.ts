/**
 * A folder with what OpenWrt's init scripts run on: its rc.common, functions.sh, procd.sh and uci.sh as they are, and
 * jshn, uci and validate_data compiled from their sources. BusyBox is this machine's. Of procd itself nothing runs:
 * `ubus` notes what it is told.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, temporaryFolder } from "../../release/work-folder.ts";

/** A checkout of OpenWrt, and a folder with checkouts of its libubox, uci and ubox: beside it, unless said. */
const { OPENWRT = "", OPENWRT_SOURCES = join(OPENWRT, "..") } = process.env;

/** A folder or file of one of the checkouts. */
function checkedOut(path: string): string {
  return path.startsWith("openwrt/") ? join(OPENWRT, path.slice("openwrt/".length)) : join(OPENWRT_SOURCES, path);
}

/** What keeps this machine from making one, or undefined. */
export function obstacle(): string | undefined {
  if (OPENWRT === "") return "OPENWRT names no checkout of OpenWrt";
  const missing = ["openwrt/package", "libubox", "uci", "ubox"].find((path) => !existsSync(checkedOut(path)));
  if (missing !== undefined) return `there is no ${checkedOut(missing)}`;
  if (process.getuid?.() !== 0) return "only root may change the root folder";
  return existsSync("/usr/include/json-c/json.h") ? undefined : "libjson-c-dev is not installed";
}

const libubox = ["avl", "avl-cmp", "blob", "blobmsg", "blobmsg_json", "utils", "vlist", "kvlist", "md5"];
const libuci = ["libuci", "file", "util", "delta", "parse"];

/** Programs of OpenWrt, where it has them, and what each is compiled from. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "usr/bin/jshn": ["libubox/jshn.c"],
  "sbin/uci": ["uci/cli.c", ...libuci.map((name) => `uci/${name}.c`)],
  "sbin/validate_data": [
    ...["ubox/validate/cli.c", "ubox/validate/validate.c"],
    ...libuci.map((name) => `uci/${name}.c`),
  ],
};

/** Where the files of OpenWrt's own tree go. */
const scripts: Readonly<Record<string, string>> = {
  "openwrt/package/base-files/files/lib/functions.sh": "lib/functions.sh",
  "openwrt/package/base-files/files/lib/functions": "lib/functions",
  "openwrt/package/base-files/files/etc/rc.common": "etc/rc.common",
  "openwrt/package/system/procd/files/procd.sh": "lib/functions/procd.sh",
  "openwrt/package/system/uci/files/lib/config/uci.sh": "lib/config/uci.sh",
  "libubox/sh/jshn.sh": "usr/share/libubox/jshn.sh",
};

/** The description of a service that procd received. */
export interface ProcdInstance {
  readonly command: readonly string[];
  readonly user: string;
  readonly no_new_privs: boolean;
  readonly jail: { readonly mount: Readonly<Record<string, string>> };
}

/** The device. */
export class OpenwrtRoot {
  readonly path = temporaryFolder();

  constructor() {
    for (const folder of [
      "bin",
      "sbin",
      "usr/bin",
      "usr/sbin",
      "etc/rc.d",
      "tmp",
      "dev",
      "proc",
      "sys",
      "var/run",
      "var/lock",
    ])
      mkdirSync(join(this.path, folder), { recursive: true });
    for (const [source, place] of Object.entries(scripts)) this.copy(checkedOut(source), place);
    const headers = temporaryFolder();
    symlinkSync(checkedOut("libubox"), join(headers, "libubox"));
    writeFileSync(join(headers, "uci_config.h"), "");
    for (const [place, sources] of Object.entries(programs)) {
      const files = [...sources, ...libubox.map((name) => `libubox/${name}.c`)].map(checkedOut);
      const folders = [headers, ...["libubox", "uci", "ubox"].map(checkedOut)].map((folder) => `-I${folder}`);
      const options = [
        "-O1",
        "-w",
        "-D_GNU_SOURCE",
        '-DUCI_PREFIX="/usr"',
        "-Dassert(x)=((void)0)",
        "-I/usr/include/json-c",
      ];
      run("cc", [...options, ...folders, "-o", join(this.path, place), ...files, "-ljson-c"]);
      this.copyLibraries(join(this.path, place));
    }
    for (const [name, place] of [
      ["busybox", "bin/busybox"],
      ["flock", "usr/bin/flock"],
    ] as const) {
      const program = run("sh", ["-c", `readlink -f "$(command -v ${name})"`]).trim();
      this.copy(program, place);
      this.copyLibraries(program);
    }
    for (const name of run("busybox", ["--list"])
      .trim()
      .split("\n")
      .filter((name) => name !== "busybox"))
      if (!["logger", "ubus", "flock"].includes(name)) symlinkSync("busybox", join(this.path, "bin", name));
    this.write("bin/ubus", '#!/bin/sh\n[ "$2 $3" != "service set" ] || printf "%s\\n" "$4" > /told\n', 0o755);
    this.write("bin/logger", '#!/bin/sh\necho "$@" >> /log\n', 0o755);
    // It is asked whether an instance runs: none does.
    this.write("bin/jsonfilter", "#!/bin/sh\n", 0o755);
    this.write("sbin/ujail", "", 0o755);
    run("mknod", [join(this.path, "dev/null"), "c", "1", "3"]);
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), text, { mode });
  }

  /** @returns the text of a file, empty where it is missing. */
  read(path: string): string {
    return existsSync(join(this.path, path)) ? readFileSync(join(this.path, path), "utf8") : "";
  }

  copy(source: string, place: string): void {
    mkdirSync(dirname(join(this.path, place)), { recursive: true });
    cpSync(source, join(this.path, place), { recursive: true, dereference: true });
  }

  /** Runs a command on the device. */
  run(command: string): { readonly status: number | null; readonly stderr: string } {
    for (const file of ["told", "log"]) this.write(file, "");
    const { status, stderr } = spawnSync("chroot", [this.path, "/bin/sh", "-c", command], {
      encoding: "utf8",
      cwd: "/",
    });
    return { status, stderr };
  }

  /** The only instance that procd received, or undefined for a service without one. */
  get instance(): ProcdInstance | undefined {
    const told = this.read("told");
    return told === "" ? undefined : JSON.parse(told).instances.instance1;
  }

  private copyLibraries(program: string): void {
    const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
    for (const [library] of stdout.matchAll(/\/\S+/g)) this.copy(library, library);
  }
}
