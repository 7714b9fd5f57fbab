/**
 * examples/compose: nound's container as compose.yaml describes it, with the example's broker and configuration. The
 * machine's mosquitto and the Home Assistant of this suite stand in for the other two images, which no network is there
 * to fetch.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { folder, run } from "../../fleet/namespaces.ts";
import { isListening } from "../../harness/address.ts";
import { top } from "../../harness/top.ts";
import { type HomeCase, must, mustEqual } from "../case.ts";
import { type Home, until } from "../home.ts";

/** What is used of a service of compose. */
interface Service {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly volumes?: readonly string[];
}

const example = join(top, "examples/compose");
const nound = "http://127.0.0.1:8080";

/** @returns the words by which podman runs a service; its names are those of this machine. */
function wordsOf({ image, read_only: isReadOnly, cap_drop: dropped = [], ...more }: Service): readonly string[] {
  const volumes = (more.volumes ?? []).map((volume) => `--volume=${volume.replace(/^\.\//, `${example}/`)}`);
  return [
    ...["--network=host", "--add-host=mosquitto:127.0.0.1", ...(isReadOnly ? ["--read-only"] : [])],
    ...dropped.map((name) => `--cap-drop=${name}`),
    ...(more.security_opt ?? []).map((option) => `--security-opt=${option}`),
    ...[...volumes, image],
  ];
}

/** @returns podman with a storage of its own, by the runtime that this machine lets run; undefined without one. */
function startPodman(image: string): ((...words: readonly string[]) => string) | undefined {
  const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string };
  const file = join(top, `dist/nound-${version}-oci.tar`);
  if (!existsSync(file)) run("npm", "run", "dist", "--", "--oci", "--engine", "any");
  const places = [`--root=${folder}/podman`, `--runroot=${folder}/podman-run`, "--cgroup-manager=cgroupfs"];
  for (const place of ["podman", "podman-run"]) mkdirSync(join(folder, place), { recursive: true });
  for (const runtime of ["crun", "runc"]) {
    const podman = (...words: readonly string[]) => run("podman", ...places, `--runtime=${runtime}`, ...words).trim();
    podman("tag", podman("pull", "--quiet", `oci-archive:${file}`).split("\n").at(-1) ?? "", image);
    try {
      podman("run", "--rm", "--network=host", image, "--version");
      return podman;
    } catch (error) {
      console.log(String(error));
    }
  }
  return undefined;
}

/** Switches the example's lamp in Home Assistant, and on the device. */
async function play(home: Home): Promise<string> {
  await home.addMqtt({ port: 1883 });
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
  return `${lamp} switched there and back`;
}

export const compose: readonly HomeCase[] = [
  {
    name: "compose.yaml, by podman",
    isForNewest: true,
    async run({ home, broker }) {
      if (spawnSync("podman", ["--version"]).status !== 0) return "not tried: podman is missing";
      const { services } = parse(readFileSync(join(example, "compose.yaml"), "utf8")) as {
        services: Readonly<Record<string, Service>>;
      };
      const service = services["nound"];
      if (service === undefined) throw new Error("compose.yaml has no service nound");
      const podman = startPodman(service.image);
      if (podman === undefined) return "not tried: podman runs no container here";
      must(
        services["mosquitto"]?.volumes?.[0] === "./mosquitto.conf:/mosquitto/config/mosquitto.conf:ro",
        "the broker has the example's configuration",
      );
      await home.removeMqtt();
      const mosquitto = spawn("mosquitto", ["-c", join(example, "mosquitto.conf")], { stdio: "ignore" });
      try {
        await until("the broker listens", () => isListening("127.0.0.1:1883"));
        podman("run", "--detach", "--name=nound", ...wordsOf(service));
        return await play(home);
      } finally {
        podman("rm", "--force", "--time=10", "nound");
        mosquitto.kill();
        await home.removeMqtt();
        await home.addMqtt({ port: broker.port });
      }
    },
  },
];
