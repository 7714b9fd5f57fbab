/**
 * Makes the packages of a release: `node packaging/pin.mjs dist/nound-<version>.tar.xz` leaves them in
 * `dist/packaging/`, with the hash of that source tarball, the release's address and its maintainer, and with OpenWrt's
 * keys. The repository has no hash, as the tarball is made of it.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { writeOpenwrtKeys } from "./openwrt-keys.mjs";
import { releaser } from "./releaser.mjs";

const packaging = import.meta.dirname;
const { version } = JSON.parse(readFileSync(resolve(packaging, "../package.json"), "utf8"));
const expected = `nound-${version}.tar.xz`;

/** Ends with a sentence for people. */
function fail(sentence) {
  console.error(`nound: ${sentence}`);
  process.exit(1);
}

/** Replaces a text in a file. It must be there once, as a package without its hash would be built unchecked. */
function replace(file, from, to) {
  const parts = readFileSync(file, "utf8").split(from);
  if (parts.length !== 2) fail(`${file} has not once the text ${JSON.stringify(from)}`);
  writeFileSync(file, parts.join(to));
}

const tarball = process.argv[2] ?? resolve(packaging, "../dist", expected);
if (basename(tarball) !== expected || !existsSync(tarball))
  fail(`give the source tarball of this version, ${expected}; \`npm run dist\` makes it`);
const hash = createHash("sha256").update(readFileSync(tarball)).digest("hex");

const target = resolve(dirname(tarball), "packaging");
rmSync(target, { recursive: true, force: true });
/** What makes a release, and is no part of a package. */
const ofReleaser = ["pin.mjs", "openwrt-keys.mjs", "openwrt-keys.d.mts", "releaser.mjs", "release.json"];
cpSync(packaging, target, { recursive: true, filter: (source) => !ofReleaser.includes(basename(source)) });
writeOpenwrtKeys(target);

replace(resolve(target, "openwrt/nound/Makefile"), "\nPKG_HASH:=skip\n", `\nPKG_HASH:=${hash}\n`);
const buildroot = resolve(target, "buildroot/package/nound");
replace(
  resolve(buildroot, "nound.mk"),
  "# In a release, nound.hash has the tarball's hash instead of this line.\nBR_NO_CHECK_HASH_FOR += $(NOUND_SOURCE)\n",
  "",
);
replace(resolve(buildroot, "nound.hash"), "# Locally computed\n", `# Locally computed\nsha256  ${hash}  ${expected}\n`);

const { address, maintainer } = releaser();
const [daemon, luci] = ["nound", "luci-app-nound"].map((name) => resolve(target, "openwrt", name, "Makefile"));
if (address !== "") {
  replace(daemon, "\nPKG_SOURCE_URL:=file://$(abspath $(CURDIR)/../../..)\n", `\nPKG_SOURCE_URL:=${address}\n`);
  for (const makefile of [daemon, luci]) replace(makefile, "\n  DEPENDS:=", `\n  URL:=${address}\n  DEPENDS:=`);
  replace(resolve(buildroot, "nound.mk"), "file://$(BR2_EXTERNAL_NOUND_PATH)/../..", address);
}
if (maintainer !== "")
  for (const makefile of [daemon, luci])
    replace(makefile, "\nPKG_LICENSE:=", `\nPKG_MAINTAINER:=${maintainer}\nPKG_LICENSE:=`);
