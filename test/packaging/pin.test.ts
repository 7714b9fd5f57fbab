/** The packages of a release: with the hash of the source tarball, and what the releaser's environment says. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { project } from "./harness/relocated-root.ts";

const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));

/** Pins packages to a tarball in an environment. @returns a reader of their files. */
function pinned(environment: Readonly<Record<string, string>>): (path: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "nound-pin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tarball = join(folder, `nound-${version}.tar.xz`);
  writeFileSync(tarball, "");
  const { NOUND_ADDRESS: _, NOUND_MAINTAINER: __, ...rest } = process.env;
  execFileSync("node", [join(project, "packaging/pin.mjs"), tarball], {
    env: { ...rest, ...environment },
    stdio: "pipe",
  });
  expect(existsSync(join(folder, "packaging/release.json"))).toBe(false);
  return (path) => readFileSync(join(folder, "packaging", path), "utf8");
}

const makefiles = ["openwrt/nound/Makefile", "openwrt/luci-app-nound/Makefile"];

test("without an address and a maintainer, OpenWrt's packages name neither", () => {
  const text = pinned({});
  for (const makefile of makefiles) expect(text(makefile)).not.toMatch(/MAINTAINER|^ *(?:LUCI_)?URL:=|invalid/m);
  expect(text("openwrt/nound/Makefile")).toMatch(/^PKG_SOURCE_URL:=\nPKG_HASH:=e3b0c44298fc1c14/m);
});

test("an address and a maintainer of the environment are in all packages whose format has a place for them", () => {
  const address = "https://example.org/nound/0.2.0";
  const text = pinned({ NOUND_ADDRESS: `${address}/`, NOUND_MAINTAINER: "Ada Lovelace <ada@example.org>" });
  for (const makefile of makefiles)
    expect(text(makefile)).toContain("\nPKG_MAINTAINER:=Ada Lovelace <ada@example.org>\n");
  expect(text("openwrt/nound/Makefile")).toContain(`\nPKG_SOURCE_URL:=${address}\n`);
  expect(text("openwrt/nound/Makefile")).toContain(`\n  URL:=${address}\n`);
  expect(text("openwrt/luci-app-nound/Makefile")).toContain(`\nLUCI_URL:=${address}\n`);
  expect(text("buildroot/package/nound/nound.mk")).toContain(`\nNOUND_SITE = ${address}\n`);
});

test.each([
  { NOUND_ADDRESS: "example.org" },
  { NOUND_ADDRESS: "https://example.org/$(shell id)" },
  { NOUND_MAINTAINER: "Ada" },
  { NOUND_MAINTAINER: "Ada $(shell id) <ada@example.org>" },
])("a value that a makefile would not take as it is, is refused: %j", (environment) => {
  expect(() => pinned(environment as Record<string, string>)).toThrow(/NOUND_MAINTAINER|no address/);
});

const hasSsh = spawnSync("ssh-keygen", ["-?"]).error === undefined;

test.skipIf(!hasSsh)(
  "SHA256SUMS is signed with a key of ssh that the releaser names, and a changed file is not accepted",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "nound-sign-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [key, sums, signers] = ["key", "SHA256SUMS", "signers"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    writeFileSync(sums, "0123  nound\n");
    writeFileSync(signers, `release ${readFileSync(`${key}.pub`, "utf8")}`);
    const script = `import { sign } from ${JSON.stringify(join(project, "tools/dist/signature.mjs"))};`;
    execFileSync("node", ["--input-type=module", "--eval", `${script} sign(${JSON.stringify(sums)}, "${key}");`]);
    const verify = (input: string): string =>
      execFileSync("ssh-keygen", ["-Y", "verify", "-f", signers, "-I", "release", "-n", "nound", "-s", `${sums}.sig`], {
        input,
        encoding: "utf8",
        stdio: "pipe",
      });
    expect(verify("0123  nound\n")).toContain("Good");
    expect(() => verify("4567  nound\n")).toThrow();
  },
);
