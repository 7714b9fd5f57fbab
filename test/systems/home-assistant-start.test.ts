/**
 * The ten minutes of docs/home-assistant.md: a person who types the commands on Debian 12 has a device that Home
 * Assistant accepts. The hardware is simulated, and the broker is mosquitto.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { checkDiscovery, componentsOf } from "../harness/home-assistant/checker.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { run, top } from "../release/work-folder.ts";
import { fetchDebian, obstacle, runInDebian } from "./harness/debian-container.ts";

const whole = readFileSync(join(top, "docs/home-assistant.md"), "utf8");
const [, page = ""] = /^## Raspberry Pi to Home Assistant in ten minutes$(.*?)^## /ms.exec(whole) ?? [];
const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string };
/** Its blocks of shell, in their order. */
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
/** What the page tells its reader to install, and what every Raspberry Pi has. */
const packages = ["mosquitto", "mosquitto-clients", "sudo"];

const reason = process.arch === "x64" ? obstacle() : "its binary is for amd64";
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;

/** Makes the package as README's reader does. @returns its path. */
function makePackage(): string {
  run("npm", ["run", "dist", "--", "--debian", "amd64", "--engine", "any"], { folder: top });
  return join(top, `dist/nound_${version}_amd64.deb`);
}

test("the ten minutes have at most 700 words", () => {
  expect(blocks.length).toBeGreaterThan(3);
  const text = page.replaceAll(/^```.*?^```$/gms, "");
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(700);
});

describe.skipIf(reason !== undefined)(`on Debian 12${notTried}`, () => {
  let file = "";
  beforeAll(() => {
    installHostPackages({ "systemd-nspawn": "systemd-container", debootstrap: "debootstrap" }, "The test of systems");
    file = makePackage();
    fetchDebian(packages);
  });

  test("each command of the page succeeds, and Home Assistant accepts what it is told", () => {
    const password = "$(sed -n 's/^The password of home: //p' /root/printed.*)";
    const listen = `mosquitto_sub -h 127.0.0.1 -V 5 -u home -P "${password}" -C 1 -W 60 -t`;
    const simulated = "ExecStart=\\nExecStart=/usr/bin/nound --simulate --config /etc/nound/nound.json";
    const typed = blocks.map((text, index): [string, string] => {
      // What the hardware would answer is not known here.
      const script = `set -e; cd /root\n${text.replace("nound --check", "nound --simulate --check")}`;
      // What it prints is kept: the password for Home Assistant.
      const kept = `(${script}) > /root/printed.${index} 2>&1; status=$?; cat /root/printed.${index}; exit $status`;
      return [`block ${index}`, kept];
    });
    const outcomes = runInDebian(
      { [basename(file)]: file },
      {
        simulate: `mkdir -p /etc/systemd/system/nound.service.d
          printf '[Service]\\n${simulated}\\n' > /etc/systemd/system/nound.service.d/simulate.conf`,
        ...Object.fromEntries(typed),
        message: `${listen} homeassistant/device/hall/config`,
        state: `${listen} nound/hall/cellar`,
      },
      packages,
    );
    for (const [name, { status, output }] of Object.entries(outcomes)) expect(status, `${name}: ${output}`).toBe(0);
    const message = outcomes["message"]?.output ?? "";
    expect(checkDiscovery("homeassistant/device/hall/config", message)).toEqual([]);
    expect(componentsOf(message).map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        "switch:lamp/on",
        "binary_sensor:bell/pressed",
        "event:bell:event",
        "sensor:cellar/celsius",
      ]),
    );
    expect(JSON.parse(outcomes["state"]?.output ?? "null")).toEqual({ celsius: 20 });
  });
});
