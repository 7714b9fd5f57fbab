/**
 * The ten minutes of docs/home-assistant.md from a bare Debian on: each command as it is written, by a user with sudo
 * and without the hardware, and then each step in Home Assistant.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "../../fleet/namespaces.ts";
import { top } from "../../harness/top.ts";
import { fetchDebian, obstacle, type RunningDebian, startDebian } from "../../systems/harness/debian-container.ts";
import { type HomeCase, must, mustEqual } from "../case.ts";
import { type Home, until } from "../home.ts";

/** Debian's packages that every Raspberry Pi has, and what no network is there to fetch. */
const packages = ["mosquitto", "mosquitto-clients", "sudo"];
/** Where the page's configuration listens. */
const device = "http://127.0.0.1:8080";

/** @returns the blocks of shell of the page's first section, in their order. */
function typed(): readonly string[] {
  const page = readFileSync(join(top, "docs/home-assistant.md"), "utf8");
  const [, section = ""] = /^## Raspberry Pi to Home Assistant in ten minutes$(.*?)^## /ms.exec(page) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
}

/** @returns the commands of the page without the hardware, for the person who has none. */
function commands(blocks: readonly string[]): Readonly<Record<string, string>> {
  const service = "sudo systemctl restart nound\n";
  const instead =
    "sudo systemctl stop nound\nsudo nound --simulate --config /etc/nound/nound.json > nound.log 2>&1 &\nsleep 1\n";
  must(
    blocks.some((text) => text.includes(service)),
    "the page restarts nound",
  );
  const person = [
    "useradd --create-home --shell /bin/bash pi",
    "echo 'pi ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/pi",
  ];
  const log = "journalctl --unit nound --no-pager --lines 30; cat /home/pi/nound.log";
  return {
    person: [...person, "cp /root/*.deb /home/pi/"].join("\n"),
    ...Object.fromEntries(
      blocks.map((text, index) => [
        `block ${index}`,
        `cat > /tmp/typed.${index} <<'TYPED'\nset -e\n${text.replace(service, instead)}TYPED\n` +
          `sudo --login --user pi bash /tmp/typed.${index}`,
      ]),
    ),
    log,
  };
}

/** Does in Home Assistant what the page says, and judges what the person sees. */
async function look(home: Home, password: string): Promise<string> {
  await home.addMqtt({ port: 1883, username: "home", password });
  const began = performance.now();
  let id = "";
  await until("the device Hall appears", async () => {
    const found = (await home.devices()).find(({ name }) => name === "Hall");
    id = found?.identifiers[0]?.[1] ?? "";
    return found !== undefined;
  });
  const seconds = (performance.now() - began) / 1_000;
  const entity = async (place: string): Promise<string> => {
    let found: string | undefined;
    await until(`Home Assistant has ${place}`, async () => {
      found = (await home.entities(id)).find(({ unique_id: unique }) => unique === `${id}/${place}`)?.entity_id;
      return found !== undefined;
    });
    return found ?? "";
  };
  const ask = async (noun: string, state?: object): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const sent = state && { method: "PUT", body: JSON.stringify(state), headers };
    return (await fetch(`${device}/${noun}`, sent)).json();
  };
  const lamp = await entity("lamp/on");
  await home.shows(lamp, "off");
  await home.call("switch.turn_on", lamp);
  await home.shows(lamp, "on");
  mustEqual("the lamp", await ask("lamp"), { on: 1 });
  for (const pressed of [1, 0]) await ask("simulated.bell", { pressed });
  const bell = await entity("bell:event");
  await until("the press is an event", () => home.attribute(bell, "event_type") === "short");
  const cellar = await entity("cellar/celsius");
  await ask("simulated.cellar", { celsius: 21.5 });
  await home.shows(cellar, "21.5");
  await ask("simulated.cellar", { celsius: null });
  await home.shows(cellar, "unavailable");
  return `Hall after ${seconds.toFixed(1)} s; the lamp, a press and the thermometer`;
}

export const tenMinutes: readonly HomeCase[] = [
  {
    name: "the ten minutes of the docs, on a Debian",
    isForNewest: true,
    async run({ home, broker }) {
      const reason = obstacle();
      if (reason !== undefined) return `not tried: ${reason}`;
      const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string };
      const file = join(top, `dist/nound_${version}_amd64.deb`);
      run("npm", "run", "dist", "--", "--debian", "amd64", "--engine", "any");
      fetchDebian(packages);
      await home.removeMqtt();
      let debian: RunningDebian<string> | undefined;
      try {
        debian = await startDebian({ [basename(file)]: file }, commands(typed()), packages);
        for (const [name, { status, output }] of Object.entries(debian.outcomes))
          must(status === 0, `${name} has failed: ${output}`);
        const said = Object.values(debian.outcomes).map(({ output }) => output);
        return await look(home, /^The password of home: (\w+)$/m.exec(said.join("\n"))?.[1] ?? "");
      } finally {
        await debian?.end();
        await home.removeMqtt();
        await home.addMqtt({ port: broker.port });
      }
    },
  },
];
