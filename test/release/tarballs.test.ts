/** What is in dist/ after `npm run dist`. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { wrongLinks } from "../harness/page-links.ts";
import { selectedTargets } from "../targets/targets.ts";
import { dist, run, temporaryFolder, top } from "./work-folder.ts";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const sums = readFileSync(join(dist, "SHA256SUMS"), "utf8");
const hashes = new Map(
  sums
    .trimEnd()
    .split("\n")
    .map((line) => line.split("  "))
    .map(([hash = "", name = ""]) => [name, hash]),
);
const components = ["libgpiod", "mbedtls", "musl", "quickjs-ng", "zig"];

/** The targets of the release. */
const targets = selectedTargets();

/** Debian's names of the targets that it has. */
const architectures = Object.entries({ x86_64: "amd64", aarch64: "arm64", armv7: "armhf", riscv64: "riscv64" }).filter(
  ([target]) => targets.some(({ name }) => name === target),
);

/** All files in a folder, by their paths from there. */
function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => statSync(join(folder, name)).isFile());
}

test("every file of the release has its hash in SHA256SUMS", () => {
  const ofReleaser = ["pin.mjs", "openwrt-keys.mjs", "openwrt-keys.d.mts", "releaser.mjs", "release.json"];
  const made = [
    "openwrt/nound/files/uci-keys.awk",
    "openwrt/luci-app-nound/htdocs/luci-static/resources/nound/keys.js",
  ];
  const rest = filesIn(join(top, "packaging")).filter((name) => !ofReleaser.includes(name));
  const expected = [
    ...targets.map(({ name }) => `nound-${version}-${name}.tar.gz`),
    ...architectures.map(([, name]) => `nound_${version}_${name}.deb`),
    ...[...rest, ...made].map((name) => join("packaging", name)),
    `nound-${version}-oci.tar`,
    ...filesIn(join(top, "packaging/home-assistant")).map((name) => join("home-assistant", name)),
    ...targets.flatMap(
      ({ name }) => ({ aarch64: "home-assistant/nound-aarch64", x86_64: "home-assistant/nound-amd64" })[name] ?? [],
    ),
    `nound-${version}.spdx.json`,
    ...["nound.cdx.json", "nound.spdx.json", "nound.vex.json", "provenance.json", "en18031.md", "cra.md"].map((name) =>
      join("product", name),
    ),
    `nound-${version}.tar.xz`,
    `nound-${version}.tgz`,
  ];
  expect([...hashes.keys()].sort()).toEqual(expected.sort());
  expect(run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { folder: dist })).toBe("");
});

test("the packages have the hash of the source tarball", () => {
  const hash = hashes.get(`nound-${version}.tar.xz`);
  const text = (path: string): string => readFileSync(join(dist, "packaging", path), "utf8");
  expect(text("openwrt/nound/Makefile")).toContain(`\nPKG_HASH:=${hash}\n`);
  expect(text("buildroot/package/nound/nound.hash")).toContain(`\nsha256  ${hash}  nound-${version}.tar.xz\n`);
});

test("the source tarball has the licences that Buildroot's package names, with their hashes", () => {
  const folder = temporaryFolder();
  const pinned = readFileSync(join(top, "packaging/buildroot/package/nound/nound.hash"), "utf8").replace(
    /^#.*\n/gm,
    "",
  );
  const names = pinned
    .trimEnd()
    .split("\n")
    .flatMap((line) => line.split("  ").slice(2));
  const members = names.map((name) => `nound-${version}/${name}`);
  run("tar", ["-xf", join(dist, `nound-${version}.tar.xz`), "-C", folder, "--strip-components=1", ...members]);
  const sums = pinned.replace(/^sha256 {2}/gm, "");
  writeFileSync(join(folder, "sums"), sums);
  expect(run("sha256sum", ["--check", "--quiet", "--strict", "sums"], { folder })).toBe("");
});

describe.each(targets)("the tarball for $name", ({ name, emulator, processors }) => {
  const folder = temporaryFolder();
  const inside = join(folder, `nound-${version}-${name}`);
  run("tar", ["-xf", join(dist, `nound-${version}-${name}.tar.gz`), "-C", folder]);

  test("has a binary that takes the configuration beside it", () => {
    const [processor] = processors;
    const check = ["-cpu", processor, join(inside, "nound"), "--check", "--config"];
    expect(run(emulator, [...check, join(inside, "nound.json")])).toMatch(/listens on 127\.0\.0\.1:8080/);
  });

  test("has pages whose links lead to files in it", () => {
    const pages = filesIn(inside).filter((file) => file.endsWith(".md"));
    expect(pages).toContain("docs/configuration.md");
    for (const page of pages) expect(wrongLinks(inside, page), page).toEqual([]);
  });

  test("has the notice of all that is linked in", () => {
    const notice = (component: string): string => readFileSync(join(inside, `licences/${component}.txt`), "utf8");
    for (const component of [...components, "nound"]) {
      expect(notice(component), component).toMatch(/Copyright/i);
    }
    expect(notice("libgpiod")).toContain("GNU LESSER GENERAL PUBLIC LICENSE");
    expect(readFileSync(join(inside, "RELINKING.txt"), "utf8")).toContain(`toolchains/${name}.cmake`);
  });
});

describe.each(architectures)("Debian's package for %s", (target, architecture) => {
  const folder = temporaryFolder();
  const file = join(dist, `nound_${version}_${architecture}.deb`);
  run("dpkg-deb", ["--raw-extract", file, folder]);

  test("is of this version and of the architecture's name", () => {
    expect(run("dpkg-deb", ["--field", file, "Package", "Version", "Architecture"])).toBe(
      `Package: nound\nVersion: ${version}\nArchitecture: ${architecture}\n`,
    );
  });

  test("has the target's binary, the unit, and sums of all files but the configuration, which is kept", () => {
    const inside = join(folder, "usr/bin/nound");
    expect(readFileSync(inside).equals(readFileSync(join(top, "build", target, "nound")))).toBe(true);
    expect(statSync(inside).mode & 0o777).toBe(0o755);
    const files = filesIn(folder).filter((name) => !name.startsWith("DEBIAN/"));
    const sums = readFileSync(join(folder, "DEBIAN/md5sums"), "utf8");
    const summed = [...sums.matchAll(/^[0-9a-f]{32} {2}(.+)$/gm)].map(([, name]) => name);
    expect([...summed, "etc/nound/nound.json"].sort()).toEqual(files.sort());
    expect(run("md5sum", ["--check", "--quiet", "DEBIAN/md5sums"], { folder })).toBe("");
    expect(readFileSync(join(folder, "DEBIAN/conffiles"), "utf8")).toBe("/etc/nound/nound.json\n");
    expect(files).toContain("usr/lib/systemd/system/nound.service");
  });
});

interface Document {
  readonly packages: readonly { readonly SPDXID: string; readonly name: string; readonly packageFileName?: string }[];
  readonly relationships: readonly Record<"spdxElementId" | "relationshipType" | "relatedSpdxElement", string>[];
}

test("the bill of materials names what is linked into each binary", () => {
  const document = JSON.parse(readFileSync(join(dist, `nound-${version}.spdx.json`), "utf8")) as Document;
  const nameOf = new Map(document.packages.map(({ SPDXID, name }) => [SPDXID, name]));
  for (const { name } of targets) {
    const file = document.packages.find(({ packageFileName }) => packageFileName === `nound-${version}-${name}.tar.gz`);
    const linked = document.relationships
      .filter(({ spdxElementId }) => spdxElementId === file?.SPDXID)
      .filter(({ relationshipType }) => relationshipType === "STATIC_LINK")
      .map(({ relatedSpdxElement }) => nameOf.get(relatedSpdxElement));
    expect(linked.sort(), name).toEqual(components);
  }
  for (const { spdxElementId, relatedSpdxElement } of document.relationships) {
    expect(nameOf.has(spdxElementId) && nameOf.has(relatedSpdxElement)).toBe(true);
  }
});
