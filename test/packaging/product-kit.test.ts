/** dist/product/: what a maker of devices has to show. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { project } from "./harness/relocated-root.ts";

const folder = mkdtempSync(join(tmpdir(), "nound-product-"));
afterAll(() => rmSync(folder, { recursive: true }));

const apacheOrGpl = "Apache-2.0 OR GPL-2.0-or-later";
const parts = [
  ["quickjs-ng", "0.17.0", "pkg:github/quickjs-ng/quickjs@v", ["quickjs-ng", "quickjs"], "MIT AND Unicode-3.0"],
  ["libgpiod", "2.2.1", "pkg:generic/libgpiod@", ["kernel", "libgpiod"], "LGPL-2.1-or-later"],
  ["mbedtls", "3.6.7", "pkg:github/mbed-tls/mbedtls@mbedtls-", ["trustedfirmware", "mbed_tls", "arm"], apacheOrGpl],
  ["musl", "1.2.5", "pkg:generic/musl@", ["musl-libc", "musl"], "MIT"],
  ["zig", "0.16.0", "pkg:generic/zig@", ["ziglang", "zig"], "MIT"],
] as const;

const components = parts.map(([name, version, purl, cpe, license]) => ({
  ...{ name, version, cpe, license, purl: `${purl}${version}` },
  ...{ what: `the part ${name}`, address: "https://parts.example", hash: "ab".repeat(32) },
}));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (...args: readonly string[]): Run => spawnSync("node", args, { cwd: project, encoding: "utf8" });

/** Makes the files of a release with these parts. */
function make(name: string, linked: readonly object[] = components): Run {
  const kit = JSON.stringify(join(project, "tools/dist/product-kit.mjs"));
  const options = {
    ...{ folder: join(folder, name), version: "0.2.0", seconds: 1_795_000_000, commit: "ab".repeat(20) },
    ...{ components: linked, files: [{ path: "/a/nound-0.2.0-armv7.tar.gz", hash: "cd".repeat(32) }] },
  };
  const script = `import { productKit } from ${kit}; productKit(${JSON.stringify(options)});`;
  return run("--input-type=module", "--eval", script);
}

const read = (name: string, file: string) => JSON.parse(readFileSync(join(folder, name, file), "utf8"));

/** The files of a release with the right parts. */
let right: Run;
beforeAll(() => {
  right = make("right");
});

test("the files are made", () => expect(right).toEqual(expect.objectContaining({ status: 0, stderr: "" })));

/** @returns what judges a bill of materials by CycloneDX's own schema. */
function validator() {
  const require = createRequire(import.meta.url);
  const schemas = join(dirname(require.resolve("@cyclonedx/cyclonedx-library/package.json")), "res/schema");
  const schema = (file: string) => JSON.parse(readFileSync(join(schemas, file), "utf8"));
  const ajv = new Ajv({ strict: false });
  for (const format of ["iri-reference", "idn-email", "email", "uri"]) ajv.addFormat(format, true);
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
  for (const name of ["jsf-0.82", "spdx", "cryptography-defs"]) {
    const file = `${name}.SNAPSHOT.schema.json`;
    ajv.addSchema(schema(file), `http://cyclonedx.org/schema/${file}`);
  }
  return ajv.compile(schema("bom-1.6.SNAPSHOT.schema.json"));
}

test("the bill of materials is valid by CycloneDX's own schema", () => {
  const isValid = validator();
  const bom = read("right", "nound.cdx.json");
  expect([isValid(bom), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...bom, specVersion: 6 })).toBe(false);
});

test("each linked part has version, licence, hash, package URL and CPE", () => {
  const bom = read("right", "nound.cdx.json");
  const cpe = (vendor: string, product: string, version: string) =>
    `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`;
  expect(bom.components).toEqual(
    parts.map(([name, version, purl, [vendor, product, ...former], license]) =>
      expect.objectContaining({
        ...{ name, version, purl: `${purl}${version}`, cpe: cpe(vendor, product, version) },
        ...(former.length > 0 && {
          properties: former.map((by) => ({ name: "syft:cpe23", value: cpe(by, product, version) })),
        }),
        licenses: [{ expression: license }],
        hashes: [{ alg: "SHA-256", content: "ab".repeat(32) }],
      }),
    ),
  );
  expect(bom.dependencies[0].dependsOn).toEqual(components.map(({ purl }) => purl));
});

const built = join(project, "build/host");
test.skipIf(!existsSync(join(built, "CMakeCache.txt")) || !existsSync(join(built, "nound")))(
  "the parts of a build are those that its program names (skipped without a build)",
  () => {
    const module = JSON.stringify(join(project, "tools/dist/components.mjs"));
    const script = `import { components } from ${module};
      console.log(JSON.stringify(components(${JSON.stringify(built)}).map(({ notice, files, ...one }) => one)));`;
    const { stdout, stderr } = run("--input-type=module", "--eval", script);
    expect(stderr).toBe("");
    const linked = JSON.parse(stdout);
    expect(linked.map(({ name }: { name: string }) => name)).toEqual(parts.map(([name]) => name));
    expect(make("built", linked)).toEqual(expect.objectContaining({ status: 0, stderr: "" }));
    const version = spawnSync(join(built, "nound"), ["--version"], { encoding: "utf8" }).stdout;
    const engine = linked.find(({ name }: { name: string }) => name === "quickjs-ng");
    expect(version).toContain(`quickjs-ng ${engine.version},`);
    // The program's own bill has all but hashes and descriptions.
    const { stdout: own } = spawnSync(join(built, "nound"), ["--bom"], { encoding: "utf8" });
    const whole = read("built", "nound.cdx.json");
    const named = whole.components.map(
      ({ hashes: _, description: __, externalReferences: ___, ...one }: Record<string, unknown>) => one,
    );
    const bom = JSON.parse(own);
    expect(bom.components).toEqual(named);
    expect(bom.metadata.component).toEqual(whole.metadata.component);
    expect(bom.dependencies).toEqual(whole.dependencies);
    const isValid = validator();
    expect([isValid(bom), isValid.errors]).toEqual([true, null]);
  },
);

test.each([
  ["a version that no scanner can compare", { version: "as in zig 0.16.0" }, "no scanner can compare it"],
  ["no hash", { hash: "" }, "has no SHA-256"],
])("a part with %s fails the build", (_, wrong, reason) => {
  const { status, stderr } = make("wrong", [{ ...components[0], ...wrong }, ...components.slice(1)]);
  expect([status, stderr.includes(reason)]).toEqual([1, true]);
});

test("a part that is older than a statement says fails the build", () => {
  const old = components.map((one) => (one.name === "mbedtls" ? { ...one, version: "3.6.4" } : one));
  const { status, stderr } = make("old", old);
  expect(status).toBe(1);
  expect(stderr).toContain("CVE-2025-54764 is fixed in mbedtls 3.6.5, but 3.6.4 is linked");
});

/** A list as the National Vulnerability Database gives it. */
function listed(id: string, criteria: string, range: object = {}): string {
  const configurations = [{ nodes: [{ cpeMatch: [{ vulnerable: true, criteria, ...range }] }] }];
  const file = join(folder, `${id}.json`);
  writeFileSync(file, JSON.stringify({ vulnerabilities: [{ cve: { id, configurations } }] }));
  return file;
}

/** How the database names Mbed TLS: in entries until 2025, and in later ones. */
const ofMbedtls = "cpe:2.3:a:arm:mbed_tls:*:*:*:*:*:*:*:*";
const ofMbedtlsToday = "cpe:2.3:a:trustedfirmware:mbed_tls:*:*:*:*:*:*:*:*";

function compare(bom: string, ...lists: readonly string[]): Run {
  const statements = join(folder, "right/nound.vex.json");
  return run("tools/dist/vulnerabilities.mjs", bom, statements, ...lists);
}

describe("the comparison with known vulnerabilities", () => {
  const right = join(folder, "right/nound.cdx.json");

  test.each([
    ["CVE-2025-59438", ofMbedtls, { versionEndExcluding: "3.6.5" }],
    ["CVE-2026-34873", ofMbedtlsToday, { versionStartIncluding: "3.5.0", versionEndExcluding: "3.6.6" }],
  ])("finds an old Mbed TLS that was planted, which no statement covers: %s", (cve, criteria, range) => {
    const known = listed(cve, criteria, range);
    const bom = read("right", "nound.cdx.json");
    const old = JSON.parse(JSON.stringify(bom).replaceAll("3.6.7", "3.6.4"));
    const file = join(folder, "planted.cdx.json");
    writeFileSync(file, JSON.stringify(old));
    expect(compare(file, known)).toMatchObject({ status: 1, stdout: `${cve}: mbedtls 3.6.4: NO STATEMENT\n` });
    expect(compare(right, known)).toMatchObject({ status: 0, stdout: "" });
  });

  test("takes a vulnerability with a statement, and fails for a planted one without", () => {
    const musl = "cpe:2.3:a:musl-libc:musl:*:*:*:*:*:*:*:*";
    const iconv = listed("CVE-2025-26519", musl, { versionEndIncluding: "1.2.5" });
    expect(compare(right, iconv)).toMatchObject({ status: 0, stdout: "CVE-2025-26519: musl 1.2.5: not_affected\n" });
    const planted = listed("CVE-2026-99999", "cpe:2.3:a:quickjs-ng:quickjs:0.17.0:*:*:*:*:*:*:*");
    expect(compare(right, iconv, planted)).toMatchObject({
      status: 1,
      stderr: "nound: 1 without a statement: see tools/dist/known-vulnerabilities.json\n",
    });
  });

  test.each([
    [{}, true],
    [{ versionStartIncluding: "3.6.0", versionEndExcluding: "3.6.8" }, true],
    [{ versionStartIncluding: "3.6.7" }, true],
    [{ versionStartExcluding: "3.6.7" }, false],
    [{ versionEndIncluding: "3.6.7" }, true],
    [{ versionEndExcluding: "3.6.7" }, false],
    [{ versionStartIncluding: "3.10.0" }, false],
    [{ versionEndExcluding: "3.6.10" }, true],
    [{ vulnerable: false }, false],
  ])("compares versions by their numbers: %j", (range, isFound) => {
    expect(compare(right, listed("CVE-2026-1", ofMbedtls, range)).status).toBe(isFound ? 1 : 0);
  });
});

test("the origin names the commit, what was linked and each file", () => {
  const { subject, predicateType, predicate } = read("right", "provenance.json");
  expect(predicateType).toBe("https://slsa.dev/provenance/v1");
  expect(subject).toEqual([{ name: "nound-0.2.0-armv7.tar.gz", digest: { sha256: "cd".repeat(32) } }]);
  const [commit, ...linked] = predicate.buildDefinition.resolvedDependencies;
  expect(commit.digest.gitCommit).toBe("ab".repeat(20));
  expect(linked.map(({ uri }: { uri: string }) => uri)).toEqual(components.map(({ purl }) => purl));
});

describe.each(["en18031.md", "cra.md"])("%s", (name) => {
  const rows = readFileSync(join(project, "docs/product", name), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));

  test("has rows, and each row points at tests that exist, or is the maker's", () => {
    expect(rows.length).toBeGreaterThan(15);
    for (const [, clause, , tests = "", maker = ""] of rows) {
      const files = [...tests.matchAll(/`(test\/[^`]+)`/g)].map(([, file = ""]) => file);
      expect(
        files.filter((file) => !existsSync(join(project, file))),
        clause,
      ).toEqual([]);
      expect(files.length > 0 || maker.includes("**maker**"), clause).toBe(true);
    }
  });
});
