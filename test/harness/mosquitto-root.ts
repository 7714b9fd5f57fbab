/** A root folder with this machine's mosquitto and nothing else, for a container. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const program = "/usr/sbin/mosquitto";

/** Makes it. @returns its path. */
export function mosquittoRoot(root: string): string {
  const libraries = execFileSync("ldd", [program], { encoding: "utf8" }).match(/\/\S+/g) ?? [];
  for (const path of [program, ...libraries]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    cpSync(path, join(root, path), { dereference: true });
  }
  mkdirSync(join(root, "etc"), { recursive: true });
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/:/bin/false\nmosquitto:x:1883:1883::/:/bin/false\n");
  writeFileSync(join(root, "etc/group"), "mosquitto:x:1883:\n");
  return root;
}
