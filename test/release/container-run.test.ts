/**
 * The image run by podman as a user without rights: rootless, with a read-only root and no capabilities. `newuidmap`
 * gives that user the numbers of the container's users.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { checksum, rtuFrame } from "../../ts/parts/modbus/framing.ts";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { Pseudoterminal } from "../harness/pseudoterminal.ts";
import { dist, temporaryFolder, top } from "./work-folder.ts";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string };
const folder = temporaryFolder();
const image = `nound:${version}`;
const isRoot = process.getuid?.() === 0;

/** @returns the words before a command of the user; undefined if root finds no user with numbers for containers. */
function prefixOfUser(): readonly string[] | undefined {
  const environment = ["env", `XDG_RUNTIME_DIR=${folder}/run`, `HOME=${folder}/home`];
  if (!isRoot) return environment;
  if (!existsSync("/etc/subuid")) return undefined;
  const [name = ""] = readFileSync("/etc/subuid", "utf8").split(":");
  const id = spawnSync("id", ["-u", name], { encoding: "utf8" }).stdout.trim();
  if (!(Number(id) > 0)) return undefined;
  spawnSync("chown", ["-R", name, folder]);
  return ["setpriv", `--reuid=${id}`, `--regid=${id}`, "--clear-groups", ...environment];
}

for (const name of ["run", "home", "storage"]) mkdirSync(join(folder, name), { mode: 0o700 });
chmodSync(folder, 0o755);
const prefix = prefixOfUser();

/** The words that start podman, as far as this machine lets it run. */
let words: readonly string[] = ["podman"];

function podman(...args: readonly string[]) {
  const [command = "", ...rest] = [...(prefix ?? []), ...words, ...args];
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd: folder, encoding: "utf8" });
  return { status, stdout: (stdout ?? "").trim(), stderr: (stderr ?? "").trim() };
}

/** What a device in a house should give it: nothing but the network of the host. */
const rights = ["--ulimit=host", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host"];

/** @returns why nothing can be tried here; undefined if the image runs. */
function obstacle(): string | undefined {
  if (spawnSync("podman", ["--version"]).status !== 0) return "podman is missing";
  if (prefix === undefined) return "no user has numbers in /etc/subuid: useradd -m somebody";
  const file = join(dist, `nound-${version}-oci.tar`);
  let reason = "";
  // crun refuses some ways to have cgroups.
  for (const runtime of ["crun", "runc"]) {
    const places = [`--root=${folder}/storage`, `--runroot=${folder}/run`];
    words = ["podman", ...places, "--cgroup-manager=cgroupfs", `--runtime=${runtime}`];
    const { stdout, stderr } = podman("pull", "--quiet", `oci-archive:${file}`);
    const { status } = podman("tag", stdout.split("\n").at(-1) ?? "", image);
    if (status !== 0) return stderr;
    const tried = podman("run", "--rm", ...rights, image, "--version");
    if (tried.status === 0) return undefined;
    reason = tried.stderr;
  }
  return reason.split("\n").at(-1);
}

const reason = obstacle();

afterAll(() => {
  if (prefix === undefined) return;
  // Files of the container's users are not the tester's to remove.
  podman("unshare", "rm", "-rf", join(folder, "storage"));
  podman("system", "migrate"); // ends the process that holds the user's namespace
});

const greeting = { kind: "value", default: { text: "hello" }, boot: "restore" };

/** Starts a container with a configuration. @returns the path of the configuration. */
function start(name: string, configuration: object, ...options: readonly string[]): string {
  const etc = join(folder, name);
  mkdirSync(etc);
  const path = join(etc, "nound.json");
  writeFileSync(path, JSON.stringify(configuration));
  for (const [one, mode] of [[etc, 0o755] as const, [path, 0o644] as const]) chmodSync(one, mode);
  onTestFinished(() => {
    podman("rm", "--force", "--time=0", name);
  });
  const run = podman(
    "run",
    "--detach",
    `--name=${name}`,
    ...rights,
    `--volume=${etc}:/etc/nound:ro`,
    ...options,
    image,
  );
  expect(run.stderr).toBe("");
  return path;
}

/** @returns what a path of the server has; undefined as long as nothing answers. */
async function text(address: string, path: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://${address}${path}`);
    return answer.status === 200 ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}

describe.skipIf(reason !== undefined)(`by podman${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  test("it serves, is healthy, reloads at SIGHUP, ends at SIGTERM, and keeps states over a restart", async () => {
    const listen = await freeAddress();
    const configuration = { listen, stateDirectory: "/var/lib/nound", nouns: { greeting } };
    const path = start("served", configuration);
    const metrics = await eventually("it is healthy", () => text(listen, "/metrics"));
    expect(metrics).toContain('nound_noun_up{noun="greeting"} 1');
    const headers = { "Content-Type": "application/json" };
    const body = '{"text":"kept"}';
    expect((await fetch(`http://${listen}/greeting`, { method: "PUT", headers, body })).status).toBe(200);

    writeFileSync(path, JSON.stringify({ ...configuration, nouns: { greeting, more: greeting } }));
    expect(podman("kill", "--signal=HUP", "served")).toMatchObject({ status: 0, stderr: "" });
    await eventually("it has the new noun", () => text(listen, "/more"));
    expect(await text(listen, "/greeting")).toBe(body);

    // After ten seconds, podman would send SIGKILL, whose status is 137.
    expect(podman("stop", "served")).toMatchObject({ status: 0, stderr: "" });
    expect(podman("inspect", "served", "--format={{.State.ExitCode}}").stdout).toBe("0");
    expect(podman("start", "served")).toMatchObject({ status: 0, stderr: "" });
    await eventually("it serves again", () => text(listen, "/greeting"));
    expect(await text(listen, "/greeting")).toBe(body);
  });

  test.skipIf(!existsSync("/usr/bin/python3"))("a character device that is passed to it can be used", async () => {
    const terminal = await Pseudoterminal.open();
    onTestFinished(() => terminal.unplug());
    chmodSync(terminal.path, 0o666); // as --group-add gives a group of the host
    const listen = await freeAddress();
    const keys = { volts: { at: "holding 0" } };
    start(
      "passed",
      { listen, nouns: { meter: { kind: "modbus", device: "/dev/ttyUSB0", unit: 7, keys } } },
      `--device=${terminal.path}:/dev/ttyUSB0`,
    );
    terminal.onReceived = (bytes) => {
      const question = bytes.toString("latin1");
      const isWhole = question.length === 8 && question.slice(6) === checksum(question.slice(0, 6));
      if (isWhole) terminal.send(Buffer.from(rtuFrame(7, "\x03\x02\x00\xe6"), "latin1"));
    };
    await eventually("the meter is read", async () => (await text(listen, "/meter"))?.startsWith('{"volts":230,'));
  });

  test("without a token, it is not for a network that could be reached: the log says so", async () => {
    const listen = (await freeAddress()).replace("127.0.0.1", "0.0.0.0");
    start("open", { listen, access: { required: true }, stateDirectory: "/var/lib/nound", nouns: { greeting } });
    await eventually("it has ended", () => podman("inspect", "open", "--format={{.State.Status}}").stdout === "exited");
    const { stdout, stderr } = podman("logs", "open");
    expect(stdout + stderr).toContain("the network reaches");
  });
});
