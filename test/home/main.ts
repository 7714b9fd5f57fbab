/**
 * Devices at a real Home Assistant: `npm run test:home [-- word ...]`, where a word chooses the cases whose names hold
 * it. `--version oldest` tries the oldest version alone, `--version newest` the newest; `--document` renews the picture
 * of the docs. From nothing, it fetches both first. As root only, because Home Assistant has a Debian of its own.
 * Prints a table, and leaves build/home.json.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { isInside, run, runInNamespaces } from "../fleet/namespaces.ts";
import { buildPrograms } from "../harness/build.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import type { HomeCase } from "./case.ts";
import { areas } from "./cases/areas.ts";
import { classes } from "./cases/classes.ts";
import { compose } from "./cases/compose.ts";
import { covers } from "./cases/covers.ts";
import { devices } from "./cases/devices.ts";
import { identities } from "./cases/identities.ts";
import { kinds } from "./cases/kinds.ts";
import { knobs } from "./cases/knobs.ts";
import { latency } from "./cases/latency.ts";
import { pictures } from "./cases/pictures.ts";
import { presses } from "./cases/presses.ts";
import { restarts } from "./cases/restarts.ts";
import { statistics } from "./cases/statistics.ts";
import { supervisor } from "./cases/supervisor.ts";
import { tenMinutes } from "./cases/ten-minutes.ts";
import { things } from "./cases/things.ts";
import { House } from "./house.ts";
import { install, isInstalled, newest, oldest, type Version } from "./installation.ts";

const cases: readonly HomeCase[] = [
  ...kinds,
  ...things,
  ...knobs,
  ...covers,
  ...classes,
  ...devices,
  ...areas,
  ...presses,
  ...identities,
  ...restarts,
  ...latency,
  ...pictures,
  ...statistics,
  ...compose,
  ...supervisor,
  ...tenMinutes,
];

const words = process.argv.slice(2);
const at = words.indexOf("--version");
const only = at < 0 ? undefined : words.splice(at, 2)[1];
const fetchAt = words.indexOf("--fetch");
const documentAt = words.indexOf("--document");
const isDocumenting = documentAt >= 0 && words.splice(documentAt, 1).length > 0;
const versions = [newest, oldest].filter((one) => only === undefined || one === { newest, oldest }[only]);
const width = Math.max(...cases.map(({ name }) => name.length));

function casesOf(version: Version): readonly HomeCase[] {
  const all = version === newest ? cases : cases.filter(({ isForNewest }) => isForNewest !== true);
  return all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}

/** @returns whether the devices did what they should, and nothing of it is in Home Assistant's log. */
async function judge({ name, run: perform }: HomeCase, house: House): Promise<boolean> {
  const since = performance.now();
  const line = (seen: string): void => {
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    console.log(`${house.home.version.name.padEnd(9)} ${name.padEnd(width)} ${seconds.padStart(6)} s  ${seen}`);
  };
  const said = house.home.log.length;
  try {
    const seen = await perform(house);
    const complaints = house.home.complaints(/nound|case\d/i, said);
    if (complaints.length > 0)
      throw new Error(`${seen}; Home Assistant's log says ${complaints.slice(0, 5).join("\n  ")}`);
    line(seen);
    return true;
  } catch (error) {
    line(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await house.tidy();
  }
}

/** Fetches what is missing, side by side: each version by a process of its own. */
async function fetchAll(): Promise<void> {
  const [, script = ""] = process.argv;
  const fetching = versions
    .filter((version) => !isInstalled(version))
    .map(({ name }) => once(spawn(process.execPath, [script, "--fetch", name], { stdio: "inherit" }), "close"));
  if ((await Promise.all(fetching)).some(([status]) => status !== 0)) process.exit(1);
}

if (fetchAt >= 0) {
  for (const version of versions) if (version.name === words[fetchAt + 1]) install(version);
  process.exit(0);
}
if (versions.length === 0 || versions.every((version) => casesOf(version).length === 0)) {
  console.error("test:home: expects words of names of cases, and --version newest or oldest.");
  process.exit(1);
}
if (!isInside()) {
  installHostPackages(
    {
      ip: "iproute2",
      mosquitto: "mosquitto",
      debootstrap: "debootstrap",
      chromium: "chromium",
      "systemd-nspawn": "systemd-container",
    },
    "npm run test:home",
  );
  buildPrograms();
  await fetchAll();
  process.env["NODE_OPTIONS"] = "--experimental-websocket";
  process.exit(runInNamespaces());
}
// Home Assistant looks for others by multicast, and does not start where that is impossible.
for (const words of [
  ["link", "set", "lo", "multicast", "on"],
  ["route", "add", "224.0.0.0/4", "dev", "lo"],
]) {
  run("ip", ...words);
}
const results: boolean[] = [];
// All begin before the first case, because what takes minutes goes on during the cases of another version.
const houses: House[] = [];
for (const version of versions) {
  const chosen = casesOf(version);
  if (chosen.length === 0) continue;
  const house = await House.start(version, isDocumenting);
  for (const one of chosen) await one.prepare?.(house);
  houses.push(house);
}
for (const house of houses) {
  for (const one of casesOf(house.home.version)) results.push(await judge(one, house));
  await house.home.stop("SIGKILL");
  await house.broker.stop("SIGKILL");
}
const passed = results.filter(Boolean).length;
const failed = results.length - passed;
writeFileSync("build/home.json", JSON.stringify({ numPassedTests: passed, numFailedTests: failed }));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
