/** `--forget`: nothing that was stored of a device is left, on it or at its broker, whenever it was interrupted. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { commandOf, hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, mosquittoMissing, OtherClient, retainedAt } from "../harness/mosquitto.ts";
import { NoundProcess, runNound, temporaryPath } from "../harness/nound-process.ts";

const missing = mosquittoMissing();
/** Sanitizers and runners make other calls, and are traced themselves. */
const noStrace = spawnSync("strace", ["-V"]).status !== 0 || hasSanitizers || commandOf("nound").length > 1;
const password = "planted-password-4711";
const hash = "ab12".repeat(16);
const state = "planted-state-0815";
const tokenOfHook = "planted-token-of-a-webhook-2342";

interface Device {
  readonly folder: string;
  readonly configuration: string;
  readonly address: string;
}

/** Makes the files of a device. */
async function makeDevice(broker: string | undefined): Promise<Device> {
  const folder = temporaryPath("device");
  const states = join(folder, "states");
  mkdirSync(states, { recursive: true, mode: 0o700 });
  const [address, sealed] = [await freeAddress(), await freeAddress()];
  const files = { tokens: `owner GET,PUT * ${hash}\n`, password: `${password}\n`, hook: `${tokenOfHook}\n` };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const id = "00000000-0000-4000-8000-000000000000";
  const configuration = join(folder, "nound.json");
  const shape = { text: { type: "string", maximum: 40 }, on: { type: "integer", minimum: 0, maximum: 1 } };
  const note = { kind: "value", shape, default: { text: "", on: 0 }, boot: "restore" };
  const hook = { kind: "webhook", url: "http://127.0.0.1:1/", token: join(folder, "hook") };
  const mqtt = { server: broker, id: "hall", user: "hall", password: join(folder, "password"), interval: 0 };
  writeFileSync(
    configuration,
    JSON.stringify({
      ...{ id, listen: [address, `https://${sealed}`], stateDirectory: states, nouns: { note, hook } },
      ...(broker !== undefined && { mqtt: { ...mqtt, homeAssistant: true } }),
    }),
  );
  return { folder, configuration, address };
}

/** Names the token file, which the serving nound of the test does without. */
function requireTokens({ folder, configuration }: Device): void {
  const written = JSON.parse(readFileSync(configuration, "utf8"));
  writeFileSync(configuration, JSON.stringify({ ...written, access: { tokens: join(folder, "tokens") } }));
}

/** @returns a text about a device as it is about a copy of it: its id, and its name at the broker. */
function named(text: string, number: number): string {
  const digits = `${number}`.padStart(12, "0");
  return text.replaceAll("nound/hall", `nound/hall-${number}`).replaceAll("000000000000", digits);
}

/** @returns a copy of a device that was served, with addresses and a name of its own. */
async function copyOf(device: Device, number: number): Promise<Device> {
  const folder = temporaryPath(`copy-${number}`);
  cpSync(device.folder, folder, { recursive: true });
  const announced = join(folder, "states", "mqtt-announced");
  writeFileSync(announced, named(readFileSync(announced, "utf8"), number));
  const [address, sealed] = [await freeAddress(), await freeAddress()];
  const configuration = join(folder, "nound.json");
  const text = named(readFileSync(configuration, "utf8"), number).replaceAll(device.folder, folder);
  const written = JSON.parse(text);
  const mqtt = { ...written.mqtt, id: `hall-${number}` };
  writeFileSync(configuration, JSON.stringify({ ...written, listen: [address, `https://${sealed}`], mqtt }));
  return { folder, configuration, address };
}

/** Serves the device until it has stored and published its state. */
async function live({ configuration, address, folder }: Device, broker: Mosquitto | undefined): Promise<void> {
  const program = new NoundProcess(["--config", configuration], address);
  await program.listening();
  const body = JSON.stringify({ text: state, on: 1 });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`http://${address}/note`, { method: "PUT", headers, body });
  expect(answer.status).toBe(200);
  await eventually("the state is stored", () => contentsOf(folder).some((text) => text.includes(state)));
  if (broker !== undefined) {
    await eventually("the broker retains it", async () => {
      const retained = [...(await retainedAt(broker.port)).keys()];
      return retained.some((topic) => topic.endsWith("/note")) && retained.some((topic) => topic.endsWith("/config"));
    });
  }
  await program.stop();
}

/** @returns the texts of all files but the configuration. */
function contentsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith("nound.json"))
    .map((path) => readFileSync(path, "latin1"));
}

async function brokerOf(): Promise<Mosquitto> {
  const broker = await Mosquitto.start();
  onTestFinished(() => broker.stop("SIGKILL"));
  return broker;
}

const forget = (device: Device, ...words: readonly string[]) =>
  runNound("--forget", ...words, "--config", device.configuration);

describe.skipIf(missing !== undefined)(`with a broker (skipped: ${missing ?? "never here"})`, () => {
  test("--forget all leaves no file and no retained message, and a second run finds nothing", async () => {
    const broker = await brokerOf();
    const device = await makeDevice(broker.address);
    await live(device, broker);
    requireTokens(device);
    const { status, stdout, stderr } = await forget(device, "all");
    expect([status, stderr]).toEqual([0, ""]);
    const topics = [
      "homeassistant/device/00000000-0000-4000-8000-000000000000/config",
      "nound/hall",
      "nound/hall/note",
    ];
    for (const topic of topics) expect(stdout).toContain(`cleared at the broker: ${topic}\n`);
    for (const name of ["tokens", "password", "hook", "states/https-key.pem"]) {
      expect(stdout).toContain(`deleted: ${join(device.folder, name)}\n`);
    }
    expect(contentsOf(device.folder)).toEqual([]);
    expect([...(await retainedAt(broker.port)).keys()]).toEqual([]);
    expect(await forget(device, "all")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("--forget keeps the secrets that the configuration names", async () => {
    const broker = await brokerOf();
    const device = await makeDevice(broker.address);
    await live(device, broker);
    expect(await forget(device)).toMatchObject({ status: 0, stderr: "" });
    expect(contentsOf(device.folder).toSorted()).toEqual(
      [`owner GET,PUT * ${hash}\n`, `${password}\n`, `${tokenOfHook}\n`].toSorted(),
    );
    expect([...(await retainedAt(broker.port)).keys()]).toEqual([]);
  });

  test.skipIf(noStrace)(
    "interrupted at any write of a whole device and run again, it leaves the same (skipped without strace)",
    async () => {
      const broker = await brokerOf();
      const device = await makeDevice(broker.address);
      await live(device, broker);
      requireTokens(device);
      const retained = await retainedAt(broker.port);
      const others = await OtherClient.connect(broker.port);
      let copies = 0;

      /** Runs it under strace, on a copy of the device. @returns the files that are left, and the copy. */
      async function traced(...options: readonly string[]) {
        const number = ++copies;
        const copy = await copyOf(device, number);
        for (const [topic, text] of retained) await others.publish(named(topic, number), text, { retain: true });
        const program = new NoundProcess(["--forget", "all", "--config", copy.configuration], "", {
          wrapper: ["strace", "-D", "-f", "-qq", ...options],
        });
        const { status } = await program.ending();
        return { copy, status, left: contentsOf(copy.folder).length };
      }

      const trace = temporaryPath("calls");
      const calls = ["unlinkat", "sendto", "sendmsg", "write"];
      expect((await traced("-o", trace, "-e", `trace=${calls.join(",")}`)).status).toBe(0);
      // strace counts the calls of each kind and of each process for themselves.
      const counts = new Map<string, number>();
      for (const [key] of readFileSync(trace, "latin1").matchAll(/^[0-9]+ +[a-z]+(?=\()/gm))
        counts.set(key, (counts.get(key) ?? 0) + 1);
      const cuts = calls.flatMap((call) => {
        const most = Math.max(...Array.from(counts).map(([key, count]) => (key.endsWith(` ${call}`) ? count : 0)));
        return Array.from({ length: most }, (_, at) => [call, at + 1] as const);
      });
      const left = new Set<number>();
      // Several at once, because mostly they wait for the broker.
      const next = cuts.values();
      const cutNext = async () => {
        for (const [call, when] of next) {
          const inject = `inject=${call}:signal=KILL:when=${when}`;
          const cut = await traced("-o", temporaryPath("calls"), "-e", `trace=${call}`, "-e", inject);
          left.add(cut.left);
          expect(await forget(cut.copy, "all"), inject).toMatchObject({ status: 0, stderr: "" });
          expect(contentsOf(cut.copy.folder), inject).toEqual([]);
        }
      };
      await Promise.all(Array.from({ length: 16 }, cutNext));
      // Each file was once the next one to go.
      const files = contentsOf(device.folder).length;
      expect([...left].toSorted()).toEqual(Array.from(Array(files + 1).keys()));

      await others.end();
      expect(await retainedAt(broker.port)).toEqual(retained);
    },
  );
});

test("without its broker, it deletes all but the secrets for the broker, and says so", async () => {
  const device = await makeDevice(await freeAddress());
  await live(device, undefined);
  requireTokens(device);
  const { status, stderr } = await forget(device, "all");
  expect(status).toBe(69);
  expect(stderr).toMatch(/^nound: the broker still retains messages of this device: .*stay for the next run\n$/);
  expect(contentsOf(device.folder)).toEqual([`${password}\n`]);
});

test("it says which secret is a symbolic link, whose file stays", async () => {
  const device = await makeDevice(undefined);
  await live(device, undefined);
  requireTokens(device);
  const [path, target] = [join(device.folder, "tokens"), join(device.folder, "elsewhere")];
  renameSync(path, target);
  symlinkSync(target, path);
  const { status, stderr } = await forget(device, "all");
  expect([status, stderr]).toEqual([69, `nound: ${path} is a symbolic link: delete the file that it leads to\n`]);
  unlinkSync(target);
  expect(await forget(device, "all")).toMatchObject({ status: 0, stderr: "" });
});

test("it refuses while a nound serves the device", async () => {
  const device = await makeDevice(undefined);
  const program = new NoundProcess(["--config", device.configuration], device.address);
  await program.listening();
  await eventually("it has written its certificate", () => contentsOf(device.folder).length === 5);
  const before = contentsOf(device.folder);
  const { status, stderr } = await forget(device);
  expect(status).toBe(69);
  expect(stderr).toContain("stop nound first, as by systemctl stop nound");
  expect(contentsOf(device.folder)).toEqual(before);
  await program.stop();
});
