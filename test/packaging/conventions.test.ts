/**
 * What the trees of OpenWrt and Buildroot ask of a package's files. Buildroot's `utils/check-package` judges the same
 * of a package in its tree; these are its rules for the files there are here.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { luciKeys, uciKeys } from "../../packaging/openwrt-keys.mjs";
import { project } from "./harness/relocated-root.ts";

const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const files = readdirSync(join(project, "packaging"), { recursive: true, encoding: "utf8" })
  .map((name) => join("packaging", name))
  // A picture is no text.
  .filter((name) => !name.endsWith(".png") && statSync(join(project, name)).isFile());

function text(file: string): string {
  return readFileSync(join(project, file), "utf8");
}

function lines(file: string): readonly string[] {
  return text(file).split("\n").slice(0, -1);
}

/** @returns the lines for which a rule is broken, with their places. */
function breaches(file: string, isBreach: (line: string, index: number) => boolean): readonly string[] {
  return lines(file).flatMap((line, index) => (isBreach(line, index) ? [`${file}:${index + 1}: ${line}`] : []));
}

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

describe.each(files)("%s", (file) => {
  test("ends in one newline, with no blanks at the end of a line and no two empty lines", () => {
    expect(text(file)).toMatch(/[^\n]\n$/);
    expect(breaches(file, (line) => /[ \t]$/.test(line))).toEqual([]);
    expect(text(file)).not.toContain("\n\n\n");
  });

  test("is ASCII, and is made executable by the package that installs it alone", () => {
    expect(breaches(file, (line) => /[^\t\x20-\x7e]/.test(line))).toEqual([]);
    expect(statSync(join(project, file)).mode & 0o111).toBe(0);
  });
});

describe("a script", () => {
  const scripts = files.filter((file) => /\.(?:hotplug|init|sh)$|\/S\d\d\w+$/.test(file));
  scripts.push("test/packaging/harness/openwrt.sh");

  test("is among the files", () => {
    expect(scripts.length).toBeGreaterThan(3);
  });

  test.skipIf(!has("shellcheck")).each(scripts)("passes shellcheck: %s", (script) => {
    expect(spawnSync("shellcheck", [script], { cwd: project, encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: "",
    });
  });

  test.each(scripts)("is indented by tabs: %s", (script) => {
    expect(breaches(script, (line) => /^\t* +\S/.test(line))).toEqual([]);
  });
});

describe("the Buildroot package", () => {
  const folder = "packaging/buildroot/package/nound";
  const makefile = `${folder}/nound.mk`;
  const menu = `${folder}/Config.in`;

  test("has the version of the project", () => {
    expect(text(makefile)).toContain(`\nNOUND_VERSION = ${version}\n`);
  });

  test("has a makefile with the header of the tree", () => {
    const bar = "#".repeat(80);
    expect(lines(makefile).slice(0, 6)).toEqual([bar, "#", "# nound", "#", bar, ""]);
  });

  test("sets variables of its own name only, and none twice without a condition", () => {
    const variables = [...text(makefile).matchAll(/^(?:define )?([A-Z0-9_]+_[A-Z0-9_]+)/gm)].map(
      ([, name = ""]) => name,
    );
    expect(variables.filter((name) => !name.startsWith("NOUND_") && name !== "BR_NO_CHECK_HASH_FOR")).toEqual([]);
    const set = [...text(makefile).matchAll(/^([A-Z0-9_]+) = /gm)].map(([, name]) => name);
    expect(set).toEqual([...new Set(set)]);
  });

  test("indents by one tab what is defined or continued, and nothing else", () => {
    let isInside = false;
    let isContinued = false;
    const wrong = breaches(makefile, (line) => {
      const isEdge = /^(?:define |endef)/.test(line);
      if (isEdge) isInside = line.startsWith("define ");
      const isExpected = !isEdge && (isInside || isContinued);
      isContinued = /^[^#].*\\$/.test(line);
      return line !== "" && line.startsWith("\t") !== isExpected;
    });
    expect(wrong).toEqual([]);
    expect(breaches(makefile, (line) => /( {2}|\t ?)\\$|\$\{/.test(line))).toEqual([]);
  });

  test("has a menu indented by tabs, its help by a tab and two blanks in 72 columns", () => {
    const inHelp = (line: string) => line.startsWith("\t  ");
    expect(breaches(menu, (line) => inHelp(line) && !/^\t {2}\S.{0,61}$/.test(line))).toEqual([]);
    expect(breaches(menu, (line) => !inHelp(line) && /^ |^\t+ /.test(line))).toEqual([]);
    const keywords = /^(bool|default|depends|select|help)\b/;
    expect(breaches(menu, (line) => keywords.test(line))).toEqual([]);
  });

  test("has the attributes of its options in the order type, depends, select, help", () => {
    const order = ["bool", "default", "depends", "select", "help"];
    for (const option of text(menu).split(/^(?=config|comment)/m)) {
      const attributes = [...option.matchAll(/^\t(bool|default|depends|select|help)\b/gm)].map(([, name = ""]) => name);
      const ranks = attributes.map((name) => order.indexOf(name));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    }
  });

  test("says of each dependency in its comment what the toolchain lacks", () => {
    const depended = [...text(menu).matchAll(/^\tdepends on (BR2_\w+)/gm)].map(([, name]) => name);
    const missed = [...text(menu).matchAll(/!(BR2_\w+)/g)].map(([, name]) => name);
    expect(missed).toEqual(depended);
  });

  test("has hashes of three fields two blanks apart, and that of the licence is right", () => {
    const hashes = lines(`${folder}/nound.hash`).filter((line) => !line.startsWith("#"));
    for (const hash of hashes) expect(hash).toMatch(/^sha256 {2}[0-9a-f]{64} {2}\S+$/);
    const engine = "tools/dist/quickjs-ng-licence.txt";
    const licences = Object.entries({ LICENSE: "LICENSE", "vendor/quickjs-ng/LICENSE": engine });
    const files = [...licences.map(([name]) => name), "vendor/mbedtls/LICENSE"];
    expect(text(makefile)).toContain(`\nNOUND_LICENSE_FILES = ${files.join(" ")}\n`);
    // A test of the release compares the hash of the last, which only the tarball has.
    expect(hashes.map((hash) => hash.split("  ")[2])).toEqual(files);
    for (const [name, file] of licences)
      expect(hashes).toContain(`sha256  ${createHash("sha256").update(text(file)).digest("hex")}  ${name}`);
  });

  test("has a start script with its daemon's name and the pid file that follows from it", () => {
    const script = text(`${folder}/S25nound`);
    expect(script).toContain('\nDAEMON="nound"\nPIDFILE="/var/run/$DAEMON.pid"\n');
  });

  test("starts before the network, which may take long, and after the devices, the modules and the clock", () => {
    const [number = ""] = readdirSync(join(project, folder)).flatMap((name) => /^S(\d\d)/.exec(name)?.[1] ?? []);
    // Buildroot's S20hwclock and S40network
    expect(Number(number)).toBeGreaterThan(20);
    expect(Number(number)).toBeLessThan(40);
  });

  test("installs every file it has", () => {
    const installed = [...text(makefile).matchAll(/\$\(NOUND_PKGDIR\)\/(\S+)/g)].map(([, name]) => name);
    const rest = ["Config.in", "nound.hash", "nound.mk"];
    const present = readdirSync(join(project, folder)).filter((name) => !rest.includes(name));
    expect(installed.toSorted()).toEqual(present.toSorted());
  });

  test("takes from the source what all systems have in common", () => {
    const taken = [...text(makefile).matchAll(/\$\(NOUND_FILES\)\/(\S+)/g)].map(([, name]) => name);
    const common = readdirSync(join(project, "packaging/systemd")).filter((name) => name !== "nound.sysusers");
    expect(text(makefile)).toContain("\nNOUND_FILES = $(@D)/packaging/systemd\n");
    expect(taken.toSorted()).toEqual(common.toSorted());
  });

  test("leaves libatomic to the source's own test, as a linker flag would come before what needs it", () => {
    expect(text(makefile)).not.toContain("atomic");
  });
});

describe("the OpenWrt package", () => {
  const folder = "packaging/openwrt/nound";
  const makefile = text(`${folder}/Makefile`);

  test("has the version of the project, and names its tarball by it", () => {
    expect(makefile).toContain(`\nPKG_VERSION:=${version}\nPKG_RELEASE:=1\n`);
    expect(makefile).toContain("\nPKG_SOURCE:=$(PKG_NAME)-$(PKG_VERSION).tar.xz\n");
  });

  test.each(["PKG_HASH", "PKG_LICENSE", "PKG_LICENSE_FILES", "PKG_CPE_ID"])("says its %s", (name) => {
    expect(makefile).toMatch(new RegExp(`^${name}:=\\S`, "m"));
  });

  test("indents the lines of a definition by two blanks, and commands by a tab", () => {
    const definitions = [...makefile.matchAll(/^define (\S+)\n([\s\S]*?)^endef$/gm)];
    expect(definitions).not.toEqual([]);
    for (const [, name = "", body = ""] of definitions) {
      const indent = /install$/.test(name) ? /^\t\S/ : /(?:conffiles|preinst|postrm)$/.test(name) ? /^\S/ : /^ {2}\S/;
      for (const line of body.split("\n").slice(0, -1)) if (line !== "") expect(line).toMatch(indent);
    }
  });

  test("installs every file it has, and keeps the configuration over an upgrade", () => {
    const installed = [...makefile.matchAll(/\.\/files\/(\S+)/g)].map(([, name]) => name);
    // A release has the table of keys besides, which is made of the schema.
    const present = [...readdirSync(join(project, folder, "files")), "uci-keys.awk"];
    expect([...new Set(installed)].toSorted()).toEqual(present.toSorted());
    expect(makefile).toMatch(/^define Package\/nound\/conffiles\n\/etc\/config\/nound\n\/etc\/nound\/\nendef$/m);
  });

  test.skipIf(!has("make"))("builds TLS from its source, by the system's package, or not at all", () => {
    const stubs = mkdtempSync(join(tmpdir(), "nound-openwrt-"));
    const print = "print:\n\t@echo $(CMAKE_OPTIONS)\n\t@echo $(DEPENDS)\n";
    writeFileSync(join(stubs, "rules.mk"), print);
    writeFileSync(join(stubs, "cmake.mk"), "");
    writeFileSync(join(stubs, "package.mk"), "define BuildPackage\n$(eval $(Package/$(1)))\nendef\n");
    const options = (...settings: readonly string[]) => {
      const variables = [`TOPDIR=${stubs}`, `INCLUDE_DIR=${stubs}`, ...settings];
      return spawnSync("make", ["-f", `${folder}/Makefile`, ...variables, "print"], { cwd: project, encoding: "utf8" });
    };
    expect(options().stdout).toContain(" -DNOUND_TLS=on -DNOUND_MBEDTLS=bundled\n");
    const system = options("CONFIG_NOUND_TLS_SYSTEM=y").stdout;
    expect(system).toContain(" -DNOUND_TLS=on -DNOUND_MBEDTLS=system\n");
    expect(system).toContain("+NOUND_TLS_SYSTEM:libmbedtls");
    expect(options("CONFIG_NOUND_TLS_OFF=y").stdout).toContain(" -DNOUND_TLS=off ");
    rmSync(stubs, { recursive: true });
  });

  test("gives its user one capability, for ports below 1024", () => {
    const sets = JSON.parse(text(`${folder}/files/nound.capabilities`));
    expect(Object.keys(sets).toSorted()).toEqual(["ambient", "bounding", "effective", "inheritable", "permitted"]);
    for (const set of Object.values(sets)) expect(set).toEqual(["CAP_NET_BIND_SERVICE"]);
  });
});

describe.skipIf(!has("systemd-analyze"))("the systemd unit", () => {
  const unit = text("packaging/systemd/nound.service");

  /** Has systemd judge a unit. */
  function analyze(words: readonly string[], judged: string) {
    const folder = mkdtempSync(join(tmpdir(), "nound-unit-"));
    const file = join(folder, "nound.service");
    writeFileSync(file, judged);
    const { status, stderr } = spawnSync("systemd-analyze", [...words, file], { encoding: "utf8" });
    rmSync(folder, { recursive: true });
    return { status, stderr };
  }

  test("is understood by systemd", () => {
    // nound is not installed here: the program is one that is.
    const judged = unit.replaceAll(/\/usr\/(?:bin\/nound|lib\/nound\/announce\.sh)/g, "/bin/true");
    expect(analyze(["verify"], judged)).toEqual({ status: 0, stderr: "" });
  });

  test("has by systemd's own measure an exposure of at most 1.5 of 10", () => {
    expect(analyze(["security", "--offline=yes", "--threshold=15", "--no-pager"], unit).status).toBe(0);
  });
});

describe.skipIf(!has("systemd-analyze"))("the unit's filter of system calls", () => {
  function membersOf(set: string): readonly string[] {
    const { stdout } = spawnSync("systemd-analyze", ["syscall-filter", set], { encoding: "utf8" });
    return [...stdout.matchAll(/^ {4}([-@\w]+)$/gm)].flatMap(([, name = ""]) =>
      name.startsWith("@") ? membersOf(name) : [name],
    );
  }

  function allowedByUnit(): ReadonlySet<string> {
    const allowed = new Set<string>();
    for (const [, taken, names = ""] of text("packaging/systemd/nound.service").matchAll(
      /^SystemCallFilter=(~?)(.+)$/gm,
    ))
      for (const name of names.split(" ").flatMap((name) => (name.startsWith("@") ? membersOf(name) : [name]))) {
        if (taken === "~") allowed.delete(name);
        else allowed.add(name);
      }
    return allowed;
  }

  test("allows each call that nound's own filter allows, and each by which nound gives up its rights", () => {
    const own = ["nouns", "helpers"].flatMap((table) =>
      Array.from(text(`native/guard/seccomp_${table}.c`).matchAll(/\bSYS_(\w+)/g), ([, name = ""]) => name),
    );
    const rights = [
      "capset",
      "prctl",
      "seccomp",
      "landlock_create_ruleset",
      "landlock_add_rule",
      "landlock_restrict_self",
    ];
    expect(own.length).toBeGreaterThan(50);
    const allowed = allowedByUnit();
    // Of other processors, by names systemd does not list.
    const foreign = /32$|^(?:recv|send|sigreturn|_llseek)$|^fstatat64$/;
    // ProtectClock refuses them to read, too. Then systemd-timesyncd says whether the clock is synchronized.
    const ofClock = /adjtime/;
    const isListed = (name: string) => allowed.has(name) || foreign.test(name) || ofClock.test(name);
    expect([...own, ...rights].filter((name) => !isListed(name))).toEqual([]);
  });
});

describe("the Debian package", () => {
  const folder = "packaging/debian";

  test.skipIf(!has("shellcheck")).each(["postinst", "prerm", "postrm"])("has a %s that shellcheck passes", (name) => {
    expect(spawnSync("shellcheck", [`${folder}/${name}`], { cwd: project, encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: "",
    });
  });

  test("has a description whose lines Debian's tools show as they are", () => {
    const [, description = ""] = text(`${folder}/control`).split("\nDescription: ");
    const [synopsis = "", ...more] = description.trimEnd().split("\n");
    expect(synopsis).toMatch(/^[a-z].{0,78}[^.]$/);
    for (const line of more) expect(line).toMatch(/^ (?:\.|\S.{0,78})$/);
  });
});

describe("the packages of a release", () => {
  test("have the hash of its tarball, and the repository's have none", () => {
    const folder = mkdtempSync(join(tmpdir(), "nound-release-"));
    const tarball = join(folder, `nound-${version}.tar.xz`);
    writeFileSync(tarball, "a tarball");
    const pinned = spawnSync("node", [join(project, "packaging/pin.mjs"), tarball], { encoding: "utf8" });
    expect(pinned).toMatchObject({ status: 0, stderr: "" });
    const hash = createHash("sha256").update("a tarball").digest("hex");
    const read = (path: string) => readFileSync(join(folder, "packaging", path), "utf8");
    expect(read("openwrt/nound/Makefile")).toContain(`\nPKG_HASH:=${hash}\n`);
    expect(read("buildroot/package/nound/nound.hash")).toContain(`\nsha256  ${hash}  nound-${version}.tar.xz\n`);
    expect(read("buildroot/package/nound/nound.mk")).not.toContain("BR_NO_CHECK_HASH_FOR");
    expect(read("systemd/nound.service")).toBe(text("packaging/systemd/nound.service"));
    expect(read("openwrt/nound/files/uci-keys.awk")).toBe(uciKeys());
    expect(read("openwrt/luci-app-nound/htdocs/luci-static/resources/nound/keys.js")).toBe(luciKeys());
    rmSync(folder, { recursive: true });
    expect(text("packaging/openwrt/nound/Makefile")).toContain("\nPKG_HASH:=skip\n");
    expect(text("packaging/buildroot/package/nound/nound.mk")).toContain("\nBR_NO_CHECK_HASH_FOR += $(NOUND_SOURCE)\n");
  });

  test("are not made of a tarball of another version", () => {
    const { status, stderr } = spawnSync("node", [join(project, "packaging/pin.mjs"), "nound-9.9.9.tar.xz"], {
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`nound-${version}.tar.xz`);
  });
});
