/** OpenWrt's packages of a release: the commands of docs/install.md, in an SDK that is stubs here. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { project } from "./harness/relocated-root.ts";

/** `make` leaves a package where OpenWrt's does. */
const make = `#!/bin/sh
echo "make $*" >> log
name=\${1#package/}
[ "$name" != "$1" ] || exit 0
mkdir -p bin/packages/arm/nound
: > "bin/packages/arm/nound/\${name%/compile}_0.2.0-r1.ipk"
`;

/** The commands of a section of a page that begin so. */
function documented(page: string, section: string, beginning: RegExp): readonly string[] {
  const text = readFileSync(join(project, page), "utf8").split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  return text.split("\n").filter((line) => beginning.test(line));
}

test("the SDK runs the commands of the page, and the release gets both packages", () => {
  const folder = mkdtempSync(join(tmpdir(), "nound-sdk-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string) => {
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o755);
  };
  for (const name of ["scripts", "programs", "dist"]) mkdirSync(join(folder, name));
  write("scripts/feeds", '#!/bin/sh\necho "./scripts/feeds $*" >> log\n');
  write("programs/make", make);
  write("feeds.conf.default", "src-git packages https://example.org/packages.git\n");
  write("dist/nound-0.2.0.tar.xz", "the source");
  const script = `import { openwrtPackages } from ${JSON.stringify(join(project, "tools/dist/openwrt-packages.mjs"))};
    for (const dist of ["last", "dist"])
      openwrtPackages({ sdk: ".", dist, sourceFile: "dist/nound-0.2.0.tar.xz" });`;
  execFileSync("node", ["--input-type=module", "--eval", script], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, "programs")}:${process.env["PATH"]}` },
    stdio: "pipe",
  });
  const commands = documented("docs/install.md", "OpenWrt", /^(?:\.\/scripts\/feeds|make) /);
  expect(commands.length).toBe(5);
  expect(readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n")).toEqual([...commands, ...commands]);
  const feeds = readFileSync(join(folder, "feeds.conf"), "utf8").trimEnd().split("\n");
  expect(feeds).toEqual([
    expect.stringMatching(/^src-git packages/),
    `src-link nound ${folder}/dist/packaging/openwrt`,
  ]);
  expect(readFileSync(join(folder, ".config"), "utf8")).toContain("CONFIG_PACKAGE_nound=m\n");
  expect(readFileSync(join(folder, "dl/nound-0.2.0.tar.xz"), "utf8")).toBe("the source");
  expect(readdirSync(join(folder, "dist/openwrt")).sort()).toEqual([
    "luci-app-nound_0.2.0-r1.ipk",
    "nound_0.2.0-r1.ipk",
  ]);
});
