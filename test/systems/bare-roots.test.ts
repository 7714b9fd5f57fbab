/**
 * The two commands of the README on twelve bare machines: `npm ci && npm start` serves a page, and `npm ci && npm test`
 * passes, or skips by name. The second takes a quarter of an hour on each, so `npm run test:machines` alone runs it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installHostPackages } from "../harness/host-packages.ts";
import { top } from "../release/work-folder.ts";
import { BareRoot, type Circumstances, obstacle } from "./harness/bare-root.ts";

const reason = obstacle();
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;
const isLong = process.env["NOUND_LONG"] === "1";

/** What a test of the page, of TLS or of a protocol uses besides, if it is there. */
const python = ["aiohttp", "jinja2", "pymodbus", "requests", "serial", "serial-asyncio", "yaml"];
const servers = ["mosquitto", "nginx-light"];

/** A row has several circumstances that do not hide each other. Fonts are those that the browser finds. */
const machines: Readonly<Record<string, Circumstances>> = {
  "Debian 12 with Node 22": { suite: "bookworm", node: "22" },
  "Debian 13 with Node 24, Python and curl, without openssl": {
    suite: "trixie",
    node: "24",
    packages: ["curl", ...python.map((name) => `python3-${name}`)],
    without: ["openssl"],
  },
  "a home that is not ASCII, with a space, of a user without sudo, umask 077": {
    suite: "trixie",
    user: "ada",
    clone: "Jörg Müller/nound",
    umask: "077",
  },
  "a German desktop with Noto Sans and Firefox, without Python and curl": {
    suite: "bookworm",
    environment: { LANG: "de_DE.UTF-8", LANGUAGE: "de" },
    packages: ["chromium", "firefox-esr", "fonts-noto-core"],
  },
  "a French desktop with Ubuntu's font, curl and Python without requests": {
    suite: "trixie",
    environment: { LANG: "fr_FR.UTF-8", LANGUAGE: "fr", TZ: "Europe/Paris" },
    packages: ["chromium", "curl", "fonts-ubuntu", "python3-yaml"],
  },
  "all programs of the tests, with Liberation": {
    suite: "trixie",
    packages: [
      ...["busybox", "chromium", "curl", "firefox-esr", "fonts-liberation", "shellcheck", ...servers],
      ...python.map((name) => `python3-${name}`),
    ],
  },
  "a user with Chromium and DejaVu, and servers without their clients": {
    suite: "bookworm",
    user: "ada",
    packages: ["chromium", "fonts-dejavu-core", ...servers],
  },
  "Chromium without any font, and requests": {
    suite: "trixie",
    packages: ["chromium", "chromium-sandbox", "python3-requests"],
    without: ["fonts-liberation"],
  },
  "/tmp without programs, and no IPv6": { suite: "bookworm", noexecTmp: true, network: "IPv4 loopback" },
  "one core, in the time zone of Chatham": {
    suite: "trixie",
    oneCore: true,
    environment: { TZ: "Pacific/Chatham" },
  },
  "no network after npm ci": { suite: "trixie", network: "none" },
  "a user without sudo and without a compiler": { suite: "bookworm", user: "ada", without: ["gcc"] },
};

const address = `127.0.0.1:${process.env["NOUND_FIRST_PORT"] ?? 8470}`;

/** Starts the demonstration in the background, asks it for its page, and ends it. */
const serve = `
  npm start -- --listen ${address} > /tmp/started 2>&1 &
  for _ in $(seq 600); do
    node -e 'fetch("http://${address}/", { headers: { accept: "text/html" } }).then(async (page) => {
      console.log(page.status, (await page.text()).includes("<title>"));
    }).catch(() => process.exit(1))' && break
    kill -0 $! 2> /dev/null || break
    sleep 0.5
  done
  kill $!
  cat /tmp/started`;

describe.skipIf(reason !== undefined).each(Object.entries(machines))(`on %s${notTried}`, (name, circumstances) => {
  let root: BareRoot;
  const folder = name.replaceAll(/\W+/g, "-");
  const log = join(top, "build/systems", `${folder}.log`);
  beforeAll(() => {
    installHostPackages({ debootstrap: "debootstrap" }, "The test of bare machines");
    root = new BareRoot(circumstances, folder);
  }, 1_200_000);
  afterAll(() => root?.remove());

  test("npm ci installs what the build needs", { timeout: 600_000 }, () => {
    const { status, printed } = root.run("npm ci", true, 500);
    expect({ status, said: status === 0 ? "" : printed }).toEqual({ status: 0, said: "" });
  });

  // The engine comes with the first build.
  const isCut = circumstances.network !== undefined;
  test.skipIf(!isCut)("without a network, npm start says what cannot be downloaded", { timeout: 600_000 }, () => {
    expect(root.run(serve, false, 500).printed).toMatch(/nound: QuickJS-ng \S+ can be downloaded neither/);
  });

  test("npm start serves the page", { timeout: 600_000 }, () => {
    root.bringSources();
    const { printed } = root.run(serve, false, 500);
    expect(printed).toContain("200 true\n");
    expect(printed).toContain(`http://${address}`);
  });

  test.skipIf(!isLong)(
    `npm test passes, or skips by name${isLong ? "" : " (run by test:machines)"}`,
    { timeout: 7_200_000 },
    () => {
      if (circumstances.network === "IPv4 loopback")
        expect(root.run("node tools/build/packages.mjs test targets", true, 500).status).toBe(0);
      const { status, printed } = root.run("npm test", false, 7_000);
      writeFileSync(log, printed);
      if (circumstances.network === "none") {
        expect(printed.trimEnd().split("\n").at(-1)).toMatch(/skipped: .*try again with a network/);
        return;
      }
      expect({ status, said: status === 0 ? "" : printed.slice(-8_000) }).toEqual({ status: 0, said: "" });
      expect(printed).toMatch(/: about \d+ minutes on two quiet processors/);
      expect(printed.trimEnd().split("\n").at(-1)).toMatch(/^nound: [\d,]+ passed, 0 failed, [\d,]+ skipped$/);
    },
  );
});
