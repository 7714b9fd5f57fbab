/**
 * openwrt/*.ipk and *.apk: OpenWrt's packages, which only its SDK can make: it decides about the target, the C library
 * and the format. The commands are those of docs/install.md.
 */

import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";

const packages = ["nound", "luci-app-nound"];

/** @returns {boolean} whether a folder is an SDK, or a tree, of OpenWrt. */
export function isSdk(folder) {
  return existsSync(resolve(folder, "scripts/feeds"));
}

/** @throws if a step fails; its output has said why. @returns the paths in dist/openwrt. */
export function openwrtPackages({ sdk, dist, sourceFile }) {
  const run = (program, ...args) => execFileSync(program, args, { cwd: sdk, stdio: "inherit" });
  const feeds = resolve(sdk, "feeds.conf");
  if (!existsSync(feeds)) copyFileSync(resolve(sdk, "feeds.conf.default"), feeds);
  // The last release may have been in another folder.
  const kept = readFileSync(feeds, "utf8").replace(/^src-link nound .*\n/gm, "");
  writeFileSync(feeds, `${kept}src-link nound ${resolve(dist, "packaging/openwrt")}\n`);
  run("./scripts/feeds", "update", "-a");
  run("./scripts/feeds", "install", ...packages);
  mkdirSync(resolve(sdk, "dl"), { recursive: true });
  copyFileSync(sourceFile, resolve(sdk, "dl", basename(sourceFile)));
  appendFileSync(resolve(sdk, ".config"), packages.map((name) => `CONFIG_PACKAGE_${name}=m\n`).join(""));
  run("make", "defconfig");
  for (const name of packages) run("make", `package/${name}/compile`);

  const made = readdirSync(resolve(sdk, "bin/packages"), { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.(?:ipk|apk)$/.test(name) && packages.some((one) => basename(name).startsWith(`${one}`)),
  );
  if (made.length < packages.length) throw new Error(`${sdk}/bin/packages does not have all of ${packages}.`);
  const folder = resolve(dist, "openwrt");
  mkdirSync(folder, { recursive: true });
  return made.map((name) => {
    const file = resolve(folder, basename(name));
    copyFileSync(resolve(sdk, "bin/packages", name), file);
    return file;
  });
}
