/** OpenWrt's own programs for this machine's processor, compiled from the sources in NOUND_OPENWRT_SOURCES. */
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { run, temporaryFolder } from "../../release/work-folder.ts";

/** The folder with a checkout of each repository that docs/dev/testing.md lists. */
const { NOUND_OPENWRT_SOURCES: sources = "" } = process.env;

/** What each checkout must have. */
const needed = {
  procd: "jail/jail.c",
  libubox: "uloop.c",
  ubus: "ubusd.c",
  uci: "libuci.c",
  ubox: "validate/validate.c",
  jsonpath: "parser.y",
  openwrt: "package/base-files/files/etc/rc.common",
} as const;

/** What keeps this machine from compiling them, or undefined. */
export function obstacle(): string | undefined {
  if (sources === "") return "NOUND_OPENWRT_SOURCES names no folder with OpenWrt's sources";
  const missing = Object.entries(needed).find(([name, file]) => !existsSync(join(sources, name, file)));
  if (missing !== undefined) return `there is no ${join(sources, ...missing)}`;
  if (process.getuid?.() !== 0) return "only root may make a jail";
  const programs = ["lemon", "cc", "busybox"].filter((name) => spawnSync(name, ["--help"]).error !== undefined);
  if (programs.length > 0) return `${programs.join(" and ")} of Debian's packages of that name are not installed`;
  return existsSync("/usr/include/json-c/json.h") ? undefined : "Debian's libjson-c-dev is not installed";
}

/** A file of a checkout. */
export function sourceOf(path: string): string {
  return join(sources, path);
}

const list = (folder: string, names: string) => names.split(" ").map((name) => `${folder}/${name}.c`);

/** What all programs are linked with. */
const library = [
  ...list("libubox", "avl avl-cmp blob blobmsg blobmsg_json json_script kvlist md5 runqueue safe_list ulog uloop"),
  ...list("libubox", "usock ustream ustream-fd utils vlist base64 udebug udebug-remote"),
  ...list("ubus", "libubus libubus-io libubus-obj libubus-req libubus-sub libubus-acl"),
  ...list("uci", "libuci file util delta parse blob"),
];

/** The programs, where OpenWrt has them, and what each is compiled from. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "usr/bin/jshn": ["libubox/jshn.c"],
  "usr/bin/jsonfilter": list("jsonpath", "main ast lexer matcher"),
  "bin/ubus": ["ubus/cli.c"],
  "sbin/ubusd": list("ubus", "ubusd ubusd_proto ubusd_id ubusd_obj ubusd_event ubusd_acl ubusd_monitor ubusd_main"),
  "sbin/uci": ["uci/cli.c"],
  "sbin/validate_data": list("ubox/validate", "cli validate"),
  "sbin/procd": [
    ...list("procd", "procd signal state hotplug-dispatch inittab rcS ubus system sysupgrade watchdog utils/utils"),
    ...list("procd", "plug/coldplug plug/hotplug service/service service/instance service/validate service/trigger"),
    "procd/service/watch.c",
  ],
  "sbin/ujail": list("procd/jail", "jail cgroups cgroups-bpf elf fs capabilities netifd"),
};

/** What this machine's C library and OpenWrt's other repositories would bring. */
const additions: Readonly<Record<string, string>> = {
  "uci_config.h": "",
  "udebug.h": `#pragma once
#include <libubox/udebug.h>
struct udebug_ubus { int unused; };
static inline void udebug_ubus_init(struct udebug_ubus *udebug, void *context, const char *name, void *callback) {
    (void)udebug, (void)context, (void)name, (void)callback;
}
`,
  "compatible.c": `#include <stdio.h>
#include <string.h>
size_t strlcpy(char *to, const char *from, size_t size) { return (size_t)snprintf(to, size, "%s", from); }
`,
};

const start = promisify(execFile);

/** Compiles the programs into a folder that stands for a device. */
export async function compilePrograms(root: string): Promise<void> {
  const made = temporaryFolder();
  const at = (name: string) => join(made, name);
  for (const [name, text] of Object.entries(additions)) writeFileSync(at(name), text);
  symlinkSync(sourceOf("libubox"), at("libubox"));
  // Generated headers are included as "../capabilities-names.h" from a folder of the list.
  mkdirSync(at("generated"));
  const names = run("sh", ["./make_capabilities_h.sh", "cc"], { folder: sourceOf("procd") });
  writeFileSync(at("capabilities-names.h"), names);
  copyFileSync(sourceOf("jsonpath/parser.y"), at("parser.y"));
  // It warns of conflicts in the grammar by its status.
  spawnSync("lemon", ["-q", "parser.y"], { cwd: made });
  const folders = ["libubox", "ubus", "uci", "jsonpath", "procd"].map((name) => `-I${sourceOf(name)}`);
  const options = [
    ...["-O1", "-w", "-std=gnu11", "-D_GNU_SOURCE", "-DHAS_UDEBUG", "-DUBUS_MAX_MSGLEN=1048576"],
    ...['-DUCI_PREFIX="/usr"', '-DUBUS_UNIX_SOCKET="/var/run/ubus/ubus.sock"'],
    // libubox has an assert.h, which hides that of C.
    "-Dassert(x)=((void)0)",
    ...[`-I${made}`, `-I${at("generated")}`, ...folders, "-I/usr/include/json-c"],
  ];
  const compile = async (...words: readonly string[]) => await start("cc", [...options, ...words]);
  const objects = library.map((source) => ({ source, object: at(`${source.replaceAll("/", "-")}.o`) }));
  await Promise.all(objects.map(({ source, object }) => compile("-c", "-o", object, sourceOf(source))));
  run("ar", ["rc", at("libopenwrt.a"), ...objects.map(({ object }) => object)]);
  const more = (place: string) => (place.endsWith("jsonfilter") ? [at("parser.c")] : [at("compatible.c")]);
  await Promise.all(
    Object.entries(programs).map(([place, files]) =>
      compile("-o", join(root, place), ...files.map(sourceOf), ...more(place), at("libopenwrt.a"), "-ljson-c"),
    ),
  );
}
