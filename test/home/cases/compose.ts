/**
 * examples/compose: what its README types, by podman-compose. No network is there to fetch two of the images, so these
 * are made of this machine's mosquitto and of the Home Assistant of this suite, under the names that the file has.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, run } from "../../fleet/namespaces.ts";
import { mosquittoRoot } from "../../harness/mosquitto-root.ts";
import { top } from "../../harness/top.ts";
import { type HomeCase, must, mustEqual } from "../case.ts";
import { configuration, Home, until } from "../home.ts";
import { newest, rootOf } from "../installation.ts";

const work = join(folder, "compose");
const example = join(work, "example");
const nound = "http://127.0.0.1:8080";
const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string };

/** Runs a line of a shell beside compose.yaml. */
const type = (line: string): string => run("sh", "-c", `cd ${example} && PATH=${work}/bin:$PATH && ${line}`);

/** @returns why it cannot be tried; undefined if it can. */
function obstacle(): string | undefined {
  const missing = ["podman", "podman-compose"].find((name) => spawnSync(name, ["--version"]).error !== undefined);
  if (missing !== undefined) return `${missing} is missing`;
  const services = ["/usr/lib/podman/aardvark-dns", "/usr/lib/cni/dnsname"];
  return services.some((path) => existsSync(path)) ? undefined : "containers have no names: aardvark-dns is missing";
}

/** Has `podman` mean one whose files are all here, by the runtime that this machine lets run. @returns whether one does. */
function placePodman(image: string): boolean {
  const places = ["root", "runroot", "network-config-dir"].map((name) => `--${name}=${work}/podman/${name}`);
  mkdirSync(join(work, "bin"));
  for (const runtime of ["crun", "runc"]) {
    const words = ["podman", ...places, "--cgroup-manager=cgroupfs", `--runtime=${runtime}`];
    const script = `#!/bin/sh\nPATH=/usr/sbin:/usr/bin:/sbin:/bin\nexec ${words.join(" ")} "$@"\n`;
    writeFileSync(join(work, "bin/podman"), script, { mode: 0o755 });
    try {
      type(
        `podman tag "$(podman pull --quiet oci-archive:${image})" tried && podman run --rm --net=host tried --version`,
      );
      return true;
    } catch (error) {
      console.log(String(error));
    }
  }
  return false;
}

/** Makes the images that the file would fetch. */
function makeImages(): void {
  const broker = mosquittoRoot(join(work, "broker"));
  const command = `CMD ["/usr/sbin/mosquitto", "-c", "/mosquitto/config/mosquitto.conf"]`;
  type(`tar -C ${broker} -c . | podman import --change='${command}' - docker.io/library/eclipse-mosquitto:2`);

  // A new volume begins with what the image has in its place.
  const config = join(work, "home/config");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "configuration.yaml"), configuration(8123));
  writeFileSync(join(config, "automations.yaml"), "[]\n");
  const tar = `tar --one-file-system --anchored --exclude=./config -C ${rootOf(newest)} -c . -C ${work}/home config`;
  const hass = ["/home-assistant/bin/hass", "--config", "/config", "--skip-pip", "--log-no-color"];
  const settings = [`CMD ${JSON.stringify(hass)}`, "ENV PATH=/home-assistant/bin:/usr/bin:/bin", "ENV HOME=/root"];
  const changes = settings.map((one) => `--change='${one}'`).join(" ");
  type(`${tar} | podman import ${changes} - ghcr.io/home-assistant/home-assistant:stable`);
}

/** Adds the broker as the README says; switches the lamp in Home Assistant, and on the device. */
async function play(): Promise<string> {
  const log = () => type("podman logs --tail=20 example_home-assistant_1 2>&1");
  const home = await Home.join(newest, 8123, log);
  await home.addMqtt({ broker: "mosquitto", port: 1883 });
  const { id } = JSON.parse(readFileSync(join(example, "nound/nound.json"), "utf8")) as { id: string };
  let lamp = "";
  await until("Home Assistant has the lamp", async () => {
    lamp = (await home.entities(id)).find(({ unique_id: unique }) => unique === `${id}/lamp/on`)?.entity_id ?? "";
    return lamp !== "";
  });
  await home.shows(lamp, "off");
  await home.call("switch.turn_on", lamp);
  await home.shows(lamp, "on");
  mustEqual("the lamp", await (await fetch(`${nound}/lamp`)).json(), { on: 1 });
  const headers = { "content-type": "application/json" };
  await fetch(`${nound}/lamp`, { method: "PUT", headers, body: '{"on":0}' });
  await home.shows(lamp, "off");
  await home.stop();
  return `${lamp} switched there and back`;
}

export const compose: readonly HomeCase[] = [
  {
    name: "compose.yaml, by podman-compose",
    isForNewest: true,
    async run() {
      const reason = obstacle();
      if (reason !== undefined) return `not tried: ${reason}`;
      const image = `nound-${version}-oci.tar`;
      const made = join(top, "dist", image);
      if (!existsSync(made)) run("npm", "run", "dist", "--", "--oci", "--engine", "any");
      cpSync(join(top, "examples/compose"), example, { recursive: true });
      symlinkSync(made, join(example, image));
      if (!placePodman(image)) return "not tried: podman runs no container here";
      makeImages();
      const lines = readFileSync(join(example, "README.md"), "utf8").match(/(?<=^\$ ).*/gm) ?? [];
      must(lines.length === 2, "the README types two lines");
      try {
        for (const line of lines) type(line);
        return await play();
      } finally {
        type("podman-compose down");
      }
    },
  },
];
