/**
 * The two commands of the README on twelve bare machines: `npm ci && npm start` serves a page, and `npm ci && npm test`
 * passes, or skips by name. The second takes a quarter of an hour on each, so `npm run test:machines` alone runs it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installHostPackages } from "../harness/host-packages.ts";
import { BareRoot, type Circumstances, obstacle } from "./harness/bare-root.ts";

const reason = obstacle();
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;
const isLong = process.env["NOUND_LONG"] === "1";

const machines: Readonly<Record<string, Circumstances>> = {
  "Debian 12": { suite: "bookworm" },
  "Debian 13": { suite: "trixie" },
  "a path that is not ASCII, with a space": { suite: "trixie", clone: "Jörg Müller/nound" },
  "a German desktop": { suite: "bookworm", environment: { LANG: "de_DE.UTF-8", LANGUAGE: "de" } },
  "umask 077": { suite: "trixie", umask: "077" },
  "the time zone of Chatham": { suite: "bookworm", environment: { TZ: "Pacific/Chatham" } },
  "no IPv6": { suite: "trixie", network: "IPv4 loopback" },
  "/tmp without programs": { suite: "bookworm", noexecTmp: true },
  "a user without sudo": { suite: "trixie", user: "ada" },
  "one core": { suite: "bookworm", oneCore: true },
  "no network after npm ci": { suite: "trixie", network: "none" },
  "a user without sudo and without a compiler": { suite: "bookworm", user: "ada", withoutCompiler: true },
};

/** Starts the demonstration in the background, asks it for its page, and ends it. */
const serve = `
  npm start -- --listen 127.0.0.1:8470 > /tmp/started 2>&1 &
  for _ in $(seq 600); do
    node -e 'fetch("http://127.0.0.1:8470/", { headers: { accept: "text/html" } }).then(async (page) => {
      console.log(page.status, (await page.text()).includes("<title>"));
    }).catch(() => process.exit(1))' && break
    kill -0 $! 2> /dev/null || break
    sleep 0.5
  done
  kill $!
  cat /tmp/started`;

describe.skipIf(reason !== undefined).each(Object.entries(machines))(`on %s${notTried}`, (name, circumstances) => {
  let root: BareRoot;
  beforeAll(() => {
    installHostPackages({ debootstrap: "debootstrap" }, "The test of bare machines");
    root = new BareRoot(circumstances, name.replaceAll(/\W+/g, "-"));
  }, 1_200_000);
  afterAll(() => root?.remove());

  test("npm ci installs what the build needs", { timeout: 600_000 }, () => {
    const { status, printed } = root.run("npm ci", true, 500);
    expect({ status, said: status === 0 ? "" : printed }).toEqual({ status: 0, said: "" });
  });

  // The engine comes with the first build.
  const hasNetwork = circumstances.network === undefined;
  test.skipIf(hasNetwork)("without a network, npm start says what cannot be downloaded", { timeout: 600_000 }, () => {
    expect(root.run(serve, false, 500).printed).toMatch(/nound: QuickJS-ng \S+ can be downloaded neither/);
  });

  test("npm start serves the page", { timeout: 600_000 }, () => {
    root.bringEngine();
    const { printed } = root.run(serve, false, 500);
    expect(printed).toContain("200 true\n");
    expect(printed).toContain("http://127.0.0.1:8470");
  });

  test.skipIf(!isLong)(
    `npm test passes, or skips by name${isLong ? "" : " (run by test:machines)"}`,
    { timeout: 7_200_000 },
    () => {
      const { status, printed } = root.run("npm test", false, 7_000);
      if (hasNetwork) {
        expect({ status, said: status === 0 ? "" : printed.slice(-8_000) }).toEqual({ status: 0, said: "" });
        expect(printed).toMatch(/not installed, so that their tests are skipped by name: .*chromium/);
      } else expect(printed.trimEnd().split("\n").at(-1)).toMatch(/skipped: .*try again with a network/);
    },
  );
});
