/**
 * The image run by podman as a user without rights: rootless, with a read-only root and no capabilities. And as root,
 * where devices are passed in another way.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { checksum, rtuFrame } from "../../ts/parts/modbus/framing.ts";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { Pseudoterminal } from "../harness/pseudoterminal.ts";
import {
  answered,
  folder,
  group,
  obstacle,
  obstacleToGroups,
  podman,
  podmanCompose,
  podmanOfRoot,
  tidy,
} from "./podman.ts";
import { dist, top } from "./work-folder.ts";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string };
const image = `nound:${version}`;

/** What a device in a house should give it: nothing but the network of the host. */
const rights = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host"];

/** Those, with limits that nobody needs a right for. */
const rightsBy = (engine: Engine) => [
  ...rights,
  ...(engine === podman ? ["--ulimit=host"] : ["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"]),
];

/** podman as the user, or as root. */
type Engine = typeof podman;

/** Gives an engine the image. @returns what went wrong, or what the image's `--version` has printed. */
function attempt(engine: Engine): ReturnType<Engine> {
  const pulled = engine("pull", "--quiet", `oci-archive:${join(dist, `nound-${version}-oci.tar`)}`);
  const tagged = engine("tag", pulled.stdout.split("\n").at(-1) ?? "", image);
  return tagged.status === 0 ? engine("run", "--rm", ...rightsBy(engine), image, "--version") : pulled;
}

const reason = obstacle(() => attempt(podman));
const noPython = existsSync("/usr/bin/python3") ? undefined : "python3 is missing";
const noGroups = noPython ?? obstacleToGroups();
const noCompose =
  noGroups ??
  (spawnSync("podman-compose", ["--version"]).error === undefined ? undefined : "podman-compose is missing");
const noRoot = obstacleToRoot();
const skipped = (why: string | undefined) => (why === undefined ? "" : ` (skipped: ${why})`);

/** @returns why root runs no container here; undefined if it does. */
function obstacleToRoot(): string | undefined {
  if (process.getuid?.() !== 0) return "this is not root";
  const { status, stderr } = attempt(podmanOfRoot);
  return status === 0 ? undefined : stderr.split("\n").at(-1);
}

afterAll(tidy);

const greeting = { kind: "value", default: { text: "hello" }, boot: "restore" };

/** Starts a container with a configuration. @returns the path of the configuration. */
function start(engine: Engine, name: string, configuration: object, ...options: readonly string[]): string {
  const etc = join(folder, name);
  mkdirSync(etc);
  const path = join(etc, "nound.json");
  writeFileSync(path, JSON.stringify(configuration));
  for (const [one, mode] of [[etc, 0o755] as const, [path, 0o644] as const]) chmodSync(one, mode);
  onTestFinished(() => {
    engine("rm", "--force", "--time=0", name);
  });
  const words = ["--detach", `--name=${name}`, ...rightsBy(engine), `--volume=${etc}:/etc/nound:ro`, ...options];
  expect(engine("run", ...words, image).stderr).toBe("");
  return path;
}

/** @returns what a container has said. */
function logOf(engine: Engine, name: string): string {
  const { stdout, stderr } = engine("logs", name);
  return stdout + stderr;
}

/** Lets root and the group open a device, as /dev/gpiochip0 and /dev/ttyUSB0 are. */
function giveGroup(path: string): void {
  chownSync(path, 0, group);
  chmodSync(path, 0o660);
}

/** Starts a container with a meter at a device. @returns the address that it listens on. */
async function startMeter(engine: Engine, name: string, path: string, ...options: readonly string[]): Promise<string> {
  const listen = await freeAddress();
  start(engine, name, meterAt(listen), `--device=${path}:/dev/ttyUSB0`, ...options);
  return listen;
}

const meterAt = (listen: string) => ({
  listen,
  log: "errors",
  nouns: { meter: { kind: "modbus", device: "/dev/ttyUSB0", unit: 7, keys: { volts: { at: "holding 0" } } } },
});

/** Answers as a meter at the other end of a serial device, which only a group may open. */
async function meterOfGroup(): Promise<Pseudoterminal> {
  const terminal = await Pseudoterminal.open();
  onTestFinished(() => terminal.unplug());
  giveGroup(terminal.path);
  terminal.onReceived = (bytes) => {
    const question = bytes.toString("latin1");
    const isWhole = question.length === 8 && question.slice(6) === checksum(question.slice(0, 6));
    if (isWhole) terminal.send(Buffer.from(rtuFrame(7, "\x03\x02\x00\xe6"), "latin1"));
  };
  return terminal;
}

async function isRead(listen: string): Promise<boolean> {
  return (await answered(listen, "/meter"))?.startsWith('{"volts":230,') === true;
}

/** @returns what the log says of such a device, which is opened when the meter is asked for. */
async function refusal(engine: Engine, name: string, path: string, ...options: readonly string[]): Promise<string> {
  const listen = await startMeter(engine, name, path, ...options);
  await eventually("the meter is asked", () => answered(listen, "/meter"));
  return eventually("the log says why", () => /cannot open \/dev\/ttyUSB0: (.*)/.exec(logOf(engine, name))?.[1]);
}

describe.skipIf(reason !== undefined)(`by podman${skipped(reason)}`, () => {
  test("it serves, is healthy, reloads at SIGHUP, ends at SIGTERM, and keeps states over a restart", async () => {
    const listen = await freeAddress();
    const configuration = { listen, stateDirectory: "/var/lib/nound", nouns: { greeting } };
    const path = start(podman, "served", configuration);
    const metrics = await eventually("it is healthy", () => answered(listen, "/metrics"));
    expect(metrics).toContain('nound_noun_up{noun="greeting"} 1');
    const headers = { "Content-Type": "application/json" };
    const body = '{"text":"kept"}';
    expect((await fetch(`http://${listen}/greeting`, { method: "PUT", headers, body })).status).toBe(200);

    writeFileSync(path, JSON.stringify({ ...configuration, nouns: { greeting, more: greeting } }));
    expect(podman("kill", "--signal=HUP", "served")).toMatchObject({ status: 0, stderr: "" });
    await eventually("it has the new noun", () => answered(listen, "/more"));
    expect(await answered(listen, "/greeting")).toBe(body);

    // After ten seconds, podman would send SIGKILL, whose status is 137.
    expect(podman("stop", "served")).toMatchObject({ status: 0, stderr: "" });
    expect(podman("inspect", "served", "--format={{.State.ExitCode}}").stdout).toBe("0");
    expect(podman("start", "served")).toMatchObject({ status: 0, stderr: "" });
    await eventually("it serves again", () => answered(listen, "/greeting"));
    expect(await answered(listen, "/greeting")).toBe(body);
  });

  test.skipIf(noGroups !== undefined)(`a device of a group needs keep-groups${skipped(noGroups)}`, async () => {
    const { path } = await meterOfGroup();
    expect(await refusal(podman, "numbered", path, `--group-add=${group}`)).toContain("this user may not use it");
    const listen = await startMeter(podman, "kept", path, "--group-add=keep-groups");
    await eventually("the meter is read", () => isRead(listen));
  });

  test.skipIf(noCompose !== undefined)(
    `the lines of compose.yaml for a device open it${skipped(noCompose)}`,
    async () => {
      const { path } = await meterOfGroup();
      const listen = await freeAddress();
      const place = join(folder, "compose");
      cpSync(join(top, "examples/compose"), place, { recursive: true });
      // Of the file, this is about the device alone.
      const text = readFileSync(join(place, "compose.yaml"), "utf8")
        .replace(/# (devices: \["\/dev\/)gpiochip0/, `$1../${path}:/dev/ttyUSB0`)
        .replace("# annotations:", "annotations:")
        .replace(/ports: .*8080"\]/, "network_mode: host")
        .replace("    depends_on: [mosquitto]\n  mosquitto:", "  mosquitto:");
      writeFileSync(join(place, "compose.yaml"), text);
      writeFileSync(join(place, "nound/nound.json"), JSON.stringify(meterAt(listen)));
      podman("tag", image, "localhost/nound");
      onTestFinished(() => void podmanCompose(place, "down", "--timeout=0"));
      expect(podmanCompose(place, "up", "--detach", "nound")).toMatchObject({ status: 0 });
      await eventually("the meter is read", () => isRead(listen));
    },
  );

  test.skipIf(noRoot !== undefined)(`a container of root needs the group's number${skipped(noRoot)}`, async () => {
    // Root's podman makes a device anew, which a pseudoterminal does not survive: this one is /dev/null.
    const device = join(folder, "device");
    execFileSync("mknod", [device, "c", "1", "3"]);
    giveGroup(device);
    expect(await refusal(podmanOfRoot, "refused", device)).toContain("this user may not use it");
    expect(await refusal(podmanOfRoot, "opened", device, `--group-add=${group}`)).toBe("it is not a serial device");
  });

  test("without a token, it is not for a network that could be reached: the log says so", async () => {
    const listen = (await freeAddress()).replace("127.0.0.1", "0.0.0.0");
    start(podman, "open", {
      listen,
      access: { required: true },
      stateDirectory: "/var/lib/nound",
      nouns: { greeting },
    });
    await eventually("it has ended", () => podman("inspect", "open", "--format={{.State.Status}}").stdout === "exited");
    expect(logOf(podman, "open")).toContain("the network reaches");
  });
});
