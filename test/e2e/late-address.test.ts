/** An address that the device gets after nound has started, as by DHCP. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandOf } from "../harness/environment.ts";
import { temporaryPath } from "../harness/nound-process.ts";

const canIsolate = spawnSync("unshare", ["--net", "ip", "link", "set", "lo", "up"]).status === 0;
const addresses = ["192.0.2.7:8080", "[2001:db8::7]:8080"];

/** Starts nound, waits for its log, gives the device the addresses, and asks at each. */
const script = `
  cd "$1"; shift; ip link set lo up; "$@" --config nound.json 2>log & nound=$!
  until grep -q serving log; do kill -0 $nound || { cat log; exit 1; }; sleep 0.02; done
  ip address add 192.0.2.7/24 dev lo; ip address add 2001:db8::7/64 dev lo nodad
  for url in http://192.0.2.7:8080 http://[2001:db8::7]:8080 https://192.0.2.7:8443; do
    curl --silent --insecure --globoff --max-time 60 --retry 20 --retry-connrefused --retry-delay 1 "$url/led"; echo
  done
  kill $nound; wait $nound; grep 'does not have this address yet' log`;

test.skipIf(!canIsolate)("is waited for: nound starts, and answers there as soon as the device has it", () => {
  const folder = temporaryPath("late");
  mkdirSync(join(folder, "states"), { recursive: true, mode: 0o700 });
  const listen = [...addresses, "https://192.0.2.7:8443"];
  const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } };
  const configuration = { listen, nouns, stateDirectory: join(folder, "states"), log: "requests" };
  writeFileSync(join(folder, "nound.json"), JSON.stringify(configuration));
  const words = ["--net", "sh", "-c", script, "sh", folder, ...commandOf("nound")];
  const { stdout } = spawnSync("unshare", words, { encoding: "utf8" });
  const waits = [...addresses, "192.0.2.7:8443"].map(
    (address) => `${address}: this device does not have this address yet: nound answers there as soon as it does\n`,
  );
  expect(stdout).toBe(`${'{"led":0}\n'.repeat(3)}${waits.join("")}`);
});
