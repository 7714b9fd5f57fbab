/**
 * Makes a release: `npm run dist` leaves in dist/ a tarball for each target, Debian's packages, the npm package, the
 * source tarball, the bill of materials, product/ with what a maker of devices has to show, the packages that name the
 * source tarball's hash, OpenWrt's packages if OPENWRT_SDK names an SDK, a container image, SHA256SUMS, and its
 * signature if `--sign KEY` names a key of ssh or gpg.
 *
 * The same commit gives the same bytes, wherever and whenever; all times in it are the commit's. So a release has the
 * pinned engine and all targets. For tests, `npm run dist -- --engine any` takes another engine if that is not
 * available, and `--few` makes a release for only one target, armv7. These options make
 * nothing but what they name, beside what dist/ has already:
 *
 *     --debian arm64   Debian's package of that architecture
 *     --source         the source tarball, and packaging/ with its hash, for OpenWrt's and Buildroot's trees
 *     --openwrt        that, and OpenWrt's packages by the SDK that OPENWRT_SDK names
 *     --oci            the container image, and the app of Home Assistant
 */

import "../build/node-version.mjs";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { releaser } from "../../packaging/releaser.mjs";
import { installPrograms } from "../build/programs.mjs";
import { billOfMaterials } from "./bill-of-materials.mjs";
import { boardTarball } from "./board-tarball.mjs";
import { components, sha256 } from "./components.mjs";
import { containerImage, platforms } from "./container-image.mjs";
import { architectures, debianPackage } from "./debian-package.mjs";
import { homeAssistantApp } from "./home-assistant-app.mjs";
import { npmPackage } from "./npm-package.mjs";
import { isSdk, openwrtPackages } from "./openwrt-packages.mjs";
import { productKit } from "./product-kit.mjs";
import { isKey, sign } from "./signature.mjs";
import { sourceTarball } from "./source-tarball.mjs";

const root = resolve(import.meta.dirname, "../..");
const dist = resolve(root, "dist");
const work = resolve(root, "build/dist");

/** Ends with a sentence for people. */
function fail(sentence) {
  console.error(`nound: ${sentence}`);
  process.exit(1);
}

/** The output of git, or undefined if this is not a checkout or git is not installed. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

const { configurePresets } = JSON.parse(readFileSync(resolve(root, "CMakePresets.json"), "utf8"));
const known = configurePresets.filter(({ inherits }) => inherits === "target").map(({ name }) => name);

/** The options; no engine where they are wrong. */
function readOptions() {
  try {
    const engine = { type: "string", default: "pinned" };
    const [few, text] = [{ type: "boolean" }, { type: "string" }];
    const options = {
      engine,
      few,
      debian: text,
      source: { type: "boolean" },
      openwrt: { type: "boolean" },
      oci: { type: "boolean" },
      sign: text,
    };
    return parseArgs({ options }).values;
  } catch {
    return {};
  }
}

const { engine, few, debian, source, openwrt, oci, sign: key } = readOptions();
if (!["pinned", "any"].includes(engine))
  fail(
    "the options are --engine any, to use any engine if the pinned one is not available, --few, for armv7 alone, " +
      "--debian ARCHITECTURE, for that package of Debian alone, --source, for the source tarball and the packaging " +
      "of OpenWrt's and Buildroot's trees alone, --openwrt, for these and OpenWrt's packages alone, --oci, for the " +
      "container image and Home Assistant's app alone, and " +
      "--sign KEY, to sign SHA256SUMS with a key of ssh or gpg",
  );
if (key !== undefined && !isKey(key)) fail(`--sign ${key}: there is no such private key of ssh or gpg`);
const { OPENWRT_SDK: sdk = "" } = process.env;
if (sdk !== "" && !isSdk(sdk)) fail(`OPENWRT_SDK=${sdk} is no SDK of OpenWrt: it has no scripts/feeds`);
if (openwrt && sdk === "")
  fail(
    "--openwrt makes the packages by OpenWrt's SDK: set OPENWRT_SDK to its folder. For a tree of OpenWrt, --source " +
      "is enough",
  );
const targets = known.filter((target) => !few || target === "armv7");
// Some targets have no architecture of Debian.
const debianTarget = debian === undefined ? undefined : known.find((target) => architectures[target] === debian);
if (debian !== undefined && debianTarget === undefined)
  fail(`--debian ${debian}: the architectures are ${Object.values(architectures).join(", ")}`);

const seconds = Number(git("log", "-1", "--format=%ct"));
if (!(seconds > 0)) fail("a release is made of a commit: run this in a checkout with git");
if (git("status", "--porcelain", "--untracked-files=no") !== "")
  console.error("nound: there are uncommitted changes; this release belongs to no commit");
const isWhole = debian === undefined && !source && !openwrt && !oci;
if (isWhole && releaser().maintainer === "")
  console.error("nound: NOUND_MAINTAINER is empty; users of this release cannot see whom to write to");

// It compresses, after minutes of building.
const missing = installPrograms(["xz"]);
if (missing !== undefined) fail(missing);

const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));

/** Builds a part of the program for some targets. Nothing of an earlier configuration goes into a release. */
function build(part, names) {
  const options = ["--fresh", `--part=${part}`, `-DNOUND_ENGINE=${engine}`];
  const { status } = spawnSync("node", ["tools/build/build.mjs", ...options, ...names], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(1);
}

if (debianTarget !== undefined) {
  build("nound-product", [debianTarget]);
  mkdirSync(dist, { recursive: true });
  const linked = components(resolve(root, "build", debianTarget));
  console.log(debianPackage({ version, components: linked, seconds, dist, work, target: debianTarget }));
  process.exit(0);
}

if (oci) {
  const imaged = targets.filter((target) => target in platforms);
  build("nound-product", imaged);
  mkdirSync(dist, { recursive: true });
  console.log(containerImage({ version, seconds, dist, work, targets: imaged }));
  console.log(homeAssistantApp({ dist, targets: imaged }));
  process.exit(0);
}

if (source || openwrt) {
  const [first] = targets;
  // One after the other: several targets at once would have their engines compiled, which no script needs.
  build("nound-script", [first]);
  build("nound-page", [first]);
  build("nound-script", ["mips"]);
  mkdirSync(dist, { recursive: true });
  const made = { version, components: components(resolve(root, "build", first)), seconds, dist, work, targets };
  const file = sourceTarball(made);
  execFileSync("node", [resolve(root, "packaging/pin.mjs"), file]);
  console.log(`${file}\n${resolve(dist, "packaging")}`);
  if (openwrt) for (const path of openwrtPackages({ sdk, dist, sourceFile: file })) console.log(path);
  process.exit(0);
}

build("nound-product", targets);
// The source tarball has the script for big-endian processors, too.
if (!targets.includes("mips")) build("nound-script", ["mips"]);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const linked = components(resolve(root, "build", targets[0]));
const release = { version, components: linked, seconds, dist, work };
const boardFiles = targets.map((target) => boardTarball({ ...release, target }));
const debianFiles = targets
  .filter((target) => target in architectures)
  .map((target) => debianPackage({ ...release, target }));
const sourceFile = sourceTarball({ ...release, targets });
const npmFile = npmPackage({ ...release, targets });
const imageFile = containerImage({ ...release, targets });
homeAssistantApp({ dist, targets });
const binaryFiles = [...boardFiles, ...debianFiles, npmFile, imageFile];
const spdxFile = billOfMaterials({ ...release, binaryFiles, sourceFile });
productKit({
  ...release,
  folder: resolve(dist, "product"),
  commit: git("rev-parse", "HEAD"),
  files: [...binaryFiles, sourceFile].map((path) => ({ path, hash: sha256(path) })),
  spdxFile,
});
execFileSync("node", [resolve(root, "packaging/pin.mjs"), sourceFile]);
if (sdk !== "") openwrtPackages({ sdk, dist, sourceFile });

const sums = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .filter((name) => statSync(resolve(dist, name)).isFile())
  .sort()
  .map((name) => `${sha256(resolve(dist, name))}  ${name}\n`);
writeFileSync(resolve(dist, "SHA256SUMS"), sums.join(""));
if (key !== undefined) sign(resolve(dist, "SHA256SUMS"), key);
rmSync(work, { recursive: true, force: true });
process.stdout.write(`\ndist/SHA256SUMS:\n${sums.join("")}`);
