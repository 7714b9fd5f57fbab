/** The image run by podman as a user without rights: rootless, with a read-only root and no capabilities. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { checksum, rtuFrame } from "../../ts/parts/modbus/framing.ts";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { Pseudoterminal } from "../harness/pseudoterminal.ts";
import { answered, folder, obstacle, podman, tidy } from "./podman.ts";
import { dist, top } from "./work-folder.ts";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string };
const image = `nound:${version}`;

/** What a device in a house should give it: nothing but the network of the host. */
const rights = ["--ulimit=host", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host"];

const reason = obstacle(() => {
  const pulled = podman("pull", "--quiet", `oci-archive:${join(dist, `nound-${version}-oci.tar`)}`);
  const tagged = podman("tag", pulled.stdout.split("\n").at(-1) ?? "", image);
  return tagged.status === 0 ? podman("run", "--rm", ...rights, image, "--version") : pulled;
});

afterAll(tidy);

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

describe.skipIf(reason !== undefined)(`by podman${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  test("it serves, is healthy, reloads at SIGHUP, ends at SIGTERM, and keeps states over a restart", async () => {
    const listen = await freeAddress();
    const configuration = { listen, stateDirectory: "/var/lib/nound", nouns: { greeting } };
    const path = start("served", configuration);
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
    await eventually("the meter is read", async () => (await answered(listen, "/meter"))?.startsWith('{"volts":230,'));
  });

  test("without a token, it is not for a network that could be reached: the log says so", async () => {
    const listen = (await freeAddress()).replace("127.0.0.1", "0.0.0.0");
    start("open", { listen, access: { required: true }, stateDirectory: "/var/lib/nound", nouns: { greeting } });
    await eventually("it has ended", () => podman("inspect", "open", "--format={{.State.Status}}").stdout === "exited");
    const { stdout, stderr } = podman("logs", "open");
    expect(stdout + stderr).toContain("the network reaches");
  });
});
