/** The packages of a release: with the hash of the source tarball, and what the releaser's environment says. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { project } from "./harness/relocated-root.ts";

const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));

/** The environment, without what a releaser puts into it. */
const { NOUND_ADDRESS: _, NOUND_MAINTAINER: __, ...unset } = process.env;

/** Pins packages to a tarball in an environment. @returns a reader of their files. */
function pinned(environment: Readonly<Record<string, string>>): (path: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "nound-pin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tarball = join(folder, `nound-${version}.tar.xz`);
  writeFileSync(tarball, "");
  execFileSync("node", [join(project, "packaging/pin.mjs"), tarball], {
    env: { ...unset, ...environment },
    stdio: "pipe",
  });
  expect(existsSync(join(folder, "packaging/release.json"))).toBe(false);
  return (path) => readFileSync(join(folder, "packaging", path), "utf8");
}

const makefiles = ["openwrt/nound/Makefile", "openwrt/luci-app-nound/Makefile"];

test("without an address and a maintainer, OpenWrt's and Buildroot's packages name neither", () => {
  const text = pinned({});
  expect(text("buildroot/package/nound/nound.mk")).toMatch(/^NOUND_SITE = file:/m);
  for (const makefile of makefiles) expect(text(makefile)).not.toMatch(/MAINTAINER|^ *(?:LUCI_)?URL:=|invalid/m);
  expect(text("openwrt/nound/Makefile")).toMatch(
    /^PKG_SOURCE_URL:=file:\S+ \$\(CURDIR\)\S+\nPKG_HASH:=e3b0c44298fc1c14/m,
  );
});

test("an address and a maintainer of the environment are in all packages whose format has a place for them", () => {
  const address = "https://example.org/nound/0.2.0";
  const text = pinned({ NOUND_ADDRESS: `${address}/`, NOUND_MAINTAINER: "Ada Lovelace <ada@example.org>" });
  for (const makefile of makefiles) {
    expect(text(makefile)).toContain("\nPKG_MAINTAINER:=Ada Lovelace <ada@example.org>\n");
    expect(text(makefile)).toContain(`\n  URL:=${address}\n`);
  }
  expect(text("openwrt/nound/Makefile")).toContain(`\nPKG_SOURCE_URL:=${address}\n`);
  expect(text("buildroot/package/nound/nound.mk")).toContain(`\nNOUND_SITE = ${address}\n`);
});

test.each([
  { environment: {}, contact: {} },
  {
    environment: { NOUND_ADDRESS: "https://example.org/nound", NOUND_MAINTAINER: "Ada Lovelace <ada@example.org>" },
    contact: { homepage: "https://example.org/nound", bugs: { email: "ada@example.org" } },
  },
])("the npm package has $contact with $environment in the environment", ({ environment, contact }) => {
  const script = `import { description } from ${JSON.stringify(join(project, "tools/dist/npm-package.mjs"))};
    console.log(JSON.stringify(description("0.2.0")));`;
  const printed = execFileSync("node", ["--input-type=module", "--eval", script], {
    env: { ...unset, ...environment },
    encoding: "utf8",
  });
  const { homepage, bugs } = JSON.parse(printed);
  expect({ ...(homepage && { homepage }), ...(bugs && { bugs }) }).toEqual(contact);
});

test.each([
  { NOUND_ADDRESS: "example.org" },
  { NOUND_ADDRESS: "https://example.org/$(shell id)" },
  { NOUND_MAINTAINER: "Ada" },
  { NOUND_MAINTAINER: "Ada $(shell id) <ada@example.org>" },
])("a value that a makefile would not take as it is, is refused: %j", (environment) => {
  expect(() => pinned(environment as Record<string, string>)).toThrow(/NOUND_MAINTAINER|no address/);
});
