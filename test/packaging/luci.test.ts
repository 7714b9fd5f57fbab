/** nound's page in LuCI, OpenWrt's web interface: its files, its JavaScript, and its form in a browser. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { luciKeys } from "../../packaging/openwrt-keys.mjs";
import { newPage, noChromium, startChromium } from "../harness/chromium.ts";
import { onBuildServer } from "../harness/environment.ts";
import { project } from "./harness/relocated-root.ts";

const folder = join(project, "packaging/openwrt/luci-app-nound");
const text = (path: string): string => readFileSync(join(folder, path), "utf8");
const view = text("htdocs/luci-static/resources/view/nound.js");
const keys = luciKeys();
const stub = readFileSync(join(project, "test/packaging/harness/luci-stub.mjs"), "utf8");
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));

/** What the schema of the configuration says of a kind of noun. */
interface Schema {
  readonly properties: Readonly<Record<string, { readonly properties?: object; readonly enum?: readonly string[] }>>;
}

const schema = JSON.parse(readFileSync(join(project, "docs/nound.schema.json"), "utf8"));

/** The keys of a noun of this kind. */
function keysOf(kind: string): readonly string[] {
  const kinds: readonly { if: { properties: { kind: { const: string } } }; then: Schema }[] =
    schema.properties.nouns.additionalProperties.allOf;
  return Object.keys(kinds.find((one) => one.if.properties.kind.const === kind)?.then.properties ?? {});
}

const kinds: readonly string[] = schema.properties.nouns.additionalProperties.properties.kind.enum;

describe("the package", () => {
  test("has the version of the project, and needs nound", () => {
    expect(text("Makefile")).toContain(`\nPKG_VERSION:=${version}\n`);
    expect(text("Makefile")).toMatch(/^ {2}DEPENDS:=.*\+nound\b/m);
  });

  test("has a place in the menu for those who may use it, which shows the view", () => {
    const menu = JSON.parse(text("root/usr/share/luci/menu.d/luci-app-nound.json"));
    const acl = JSON.parse(text("root/usr/share/rpcd/acl.d/luci-app-nound.json"));
    const [entry] = Object.values(menu) as { action: { path: string }; depends: { acl: string[] } }[];
    expect(readdirSync(join(folder, "htdocs/luci-static/resources/view"))).toEqual([`${entry?.action.path}.js`]);
    expect(Object.keys(acl)).toEqual(entry?.depends.acl);
  });

  test("may read and write nound's configuration, see whether it runs, and do nothing else", () => {
    const acl = JSON.parse(text("root/usr/share/rpcd/acl.d/luci-app-nound.json"))["luci-app-nound"];
    expect({ read: acl.read, write: acl.write }).toEqual({
      read: { file: { "/var/run/nound/refused": ["read"] }, ubus: { service: ["list"] }, uci: ["nound"] },
      write: { uci: ["nound"] },
    });
    const called = [...view.matchAll(/object: '(\w+)',\s+method: '(\w+)'/g)].map(([, object, method]) => [
      object,
      method,
    ]);
    expect(called).toEqual([["service", "list"]]);
    expect([...view.matchAll(/fs\.\w+\(.*?\)/g)].map(([call]) => call)).toEqual(["fs.read('/var/run/nound/refused')"]);
  });
});

/** Why the linter's test is skipped, or undefined when the linter is there, or has to be. */
const biome = join(project, "node_modules/.bin/biome");
const noBiome = existsSync(biome) || onBuildServer ? undefined : " (skipped: only `npm run check` installs biome)";

test.skipIf(noBiome !== undefined)(
  `the view passes the linter of the project, as LuCI wraps it${noBiome ?? ""}`,
  () => {
    const required = [...view.matchAll(/^'require (\S+?)(?: as (\w+))?';$/gm)].map(([, name, as]) => as ?? name);
    const body = view.replace(/^'use strict';\n/, "").replace(/^'require .*\n/gm, "");
    const wrapped = `export function nound(${[...required, "E", "L", "_"].join(", ")}) {\n${body}}\n`;
    // A folder with the project's rules: a file on standard input would be checked, but not named in the report.
    const judged = mkdtempSync(join(tmpdir(), "nound-luci-"));
    onTestFinished(() => rmSync(judged, { recursive: true }));
    const { linter } = JSON.parse(readFileSync(join(project, "biome.json"), "utf8"));
    writeFileSync(join(judged, "biome.json"), JSON.stringify({ linter }));
    writeFileSync(join(judged, "nound.js"), wrapped);
    const { status, stdout, stderr } = spawnSync(biome, ["lint", "--error-on-warnings", "nound.js"], {
      cwd: judged,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect({ status, said: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, said: "" });
  },
);

describe.skipIf(noChromium !== undefined)(`in Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await newPage(browser);
  });
  afterAll(() => browser.close());

  const device = {
    uci: {
      nound: {
        main: { type: "nound", values: { port: "8080", interface: ["lan"], log: "errors" } },
        cfg02: { type: "access", values: { hosts: ["hall.lan"] } },
        pump: { type: "noun", values: { kind: "gpio-output", chip: "gpiochip0", offset: "17", key: "pump" } },
      },
    },
    ubus: {
      "service.list": {
        nound: {
          instances: {
            instance1: {
              running: true,
              command: ["/usr/sbin/nound", "--config", "/c.json", "--listen", "192.0.2.1:8080", "--listen", "[::]:81"],
            },
          },
        },
      },
    },
  };

  async function show(shown: object = device): Promise<void> {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto("about:blank");
    await page.addScriptTag({ content: stub });
    await page.evaluate(
      ([source, options, values]) =>
        (
          globalThis as unknown as { renderView(source: string, options: string, values: object): Promise<void> }
        ).renderView(source, options, values),
      [view, keys, shown] as const,
    );
    expect(errors).toEqual([]);
  }

  /** The names of the fields of a section of UCI that are seen. */
  async function fields(section: string): Promise<readonly string[]> {
    const rows = page.locator(`[data-option^="${section}."]:visible`);
    const names = await rows.evaluateAll((all) =>
      all.map((row) => (row as unknown as { dataset: { option: string } }).dataset.option),
    );
    return names.map((name) => name.slice(section.length + 1));
  }

  const field = (section: string, name: string) => page.locator(`[data-option="${section}.${name}"] > :last-child`);

  async function stored(section: string): Promise<unknown> {
    return page.evaluate(
      (name) => (globalThis as unknown as { device: typeof device }).device.uci.nound[name as "pump"].values,
      section,
    );
  }

  test("it says whether nound runs, and links the pages of its addresses", async () => {
    await show();
    expect(await page.locator("#nound-status").textContent()).toBe("nound is running.");
    const links = page.locator("a");
    expect(await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href))).toEqual([
      "http://192.0.2.1:8080/",
      expect.stringMatching(/^http:\/\//),
    ]);
    await show({ ...device, ubus: {} });
    expect(await page.locator("#nound-status").textContent()).toContain("not running");
    expect(await links.count()).toBe(0);
  });

  test("it says that a change was refused, and why, until one is accepted", async () => {
    const sentence = "nound: /etc/config/nound: $.nouns.pump.offset: expected a whole number";
    await show({ ...device, files: { "/var/run/nound/refused": `${sentence}\n` } });
    const refusal = page.locator("#nound-refusal");
    expect(await page.locator("#nound-status").textContent()).toBe("nound is running.");
    expect(await refusal.textContent()).toContain(`goes on with the configuration before it:${sentence}`);
    await page.evaluate(async () => {
      const { device } = globalThis as unknown as { device: { files: object; update(): Promise<void> } };
      device.files = {};
      await device.update();
    });
    expect(await refusal.count()).toBe(0);
    await show({ ...device, ubus: {}, files: { "/var/run/nound/refused": `${sentence}\n` } });
    expect(await refusal.textContent()).toContain(`The configuration was refused:${sentence}`);
  });

  const sections = Object.entries(schema.properties as Record<string, Schema & { type?: string }>)
    .filter(([key, { type }]) => type === "object" && key !== "nouns")
    .map(([key, { properties }]) => [key, Object.keys(properties).filter((name) => name !== "$comment")] as const);
  const registers = ["Coil", "Discrete", "Holding", "Input"].map((table) => `registers${table}`);

  test.each(sections)("it has a form for the section %s with all its keys", async (type, names) => {
    await show({ ...device, uci: { nound: { cfg09: { type, values: {} } } } });
    // UCI has a list for each table of the registers.
    expect(await fields("cfg09")).toEqual(names.flatMap((name) => (name === "registers" ? registers : [name])));
  });

  test("it shows the service and the access rules that UCI has", async () => {
    await show();
    expect(await field("main", "port").inputValue()).toBe("8080");
    expect(await field("main", "interface").inputValue()).toBe("lan");
    expect(await field("main", "enabled").isChecked()).toBe(true);
    expect(await field("cfg02", "hosts").inputValue()).toBe("hall.lan");
  });

  test("it refuses a value that is not a port", async () => {
    await show();
    await field("main", "port").fill("99999");
    expect(await field("main", "port").getAttribute("aria-invalid")).toBe("true");
    await field("main", "port").fill("81");
    expect(await field("main", "port").getAttribute("aria-invalid")).toBe("false");
    expect(await stored("main")).toMatchObject({ port: "81" });
  });

  test.each(kinds)("a noun of the kind %s has a field for each of its keys, with its description", async (kind) => {
    await show();
    await field("pump", "kind").selectOption(kind);
    // UCI has two lists for the two ends of a cover, and sections for the keys of a state.
    const shown = (await fields("pump")).map((name) => (name.startsWith("stopAt") ? "stopAt" : name));
    const records = kind === "value" ? "shape" : "keys";
    const expected = keysOf(kind).filter((name) => name !== records && name !== "$comment");
    expect([...new Set(shown)].toSorted()).toEqual(expected.toSorted());
  });

  test("a field has the widget and the type of its key, and the words of the documentation", () => {
    const { nouns, main } = JSON.parse(keys.slice(keys.indexOf("extend(") + 7, keys.lastIndexOf(")")));
    const of = (name: string) => nouns.find((one: { name: string }) => one.name === name);
    expect(of("activeLow")).toMatchObject({ widget: "Flag", default: "0", kinds: ["gpio-output", "gpio-input"] });
    expect(of("edges")).toMatchObject({ widget: "ListValue", values: ["none", "rising", "falling", "both"] });
    expect(of("debounce")).toMatchObject({
      widget: "Value",
      datatype: "and(float, range(0, 999))",
      description: "How long a level must last before it counts, in ms, 0 to 999.",
    });
    expect(of("when")).toMatchObject({ widget: "DynamicList", kinds: ["rule"] });
    expect(of("title")).not.toHaveProperty("kinds");
    expect(main.find((one: { name: string }) => one.name === "log")).toMatchObject({
      widget: "ListValue",
      values: ["none", "errors", "requests"],
    });
  });

  test("a key of a noun has its section, with what a shape, a Modbus unit and Home Assistant need", async () => {
    const values = { noun: "climate", name: "target" };
    await show({ ...device, uci: { nound: { cfg10: { type: "key", values } } } });
    const expected = ["noun", "name", "type", "minimum", "values", "at", "unit", "labels", "homeAssistant"];
    expect(await fields("cfg10")).toEqual(expect.arrayContaining(expected));
  });

  test("another kind of noun leaves nothing of the one before", async () => {
    await show();
    await field("pump", "kind").selectOption("led");
    await field("pump", "device").fill("green:status");
    await field("pump", "default").fill("brightness=0 trigger=heartbeat");
    expect(await stored("pump")).toEqual({
      kind: "led",
      device: "green:status",
      default: ["brightness=0", "trigger=heartbeat"],
    });
  });

  test("the fields of the service are options of the service's or keys of the whole configuration", async () => {
    await show();
    const init = readFileSync(join(project, "packaging/openwrt/nound/files/nound.init"), "utf8");
    const [, own = ""] = init.match(/^SERVICE_OPTIONS='(.*)'$/m) ?? [];
    const known = [...own.split(" "), ...Object.keys(schema.properties)];
    expect(known).toEqual(expect.arrayContaining([...(await fields("main"))]));
    expect(Object.keys(schema.properties.access.properties)).toEqual(
      expect.arrayContaining([...(await fields("cfg02"))]),
    );
  });
});
