/** The example of a fleet: what its scripts make is what a broker and devices need. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../harness/address.ts";
import { isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, mosquittoMissing, OtherClient } from "../harness/mosquitto.ts";
import { NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";

const example = resolve(import.meta.dirname, "../../examples/fleet");
const reason = mosquittoMissing();

/** Names of devices. */
function list(count: number): string {
  return Array.from({ length: count }, (_, index) => `dev${index}\n`).join("");
}

/** Runs new-devices.sh. @returns its standard error. */
function make(template: string, folder: string, input: string, names: readonly string[] = []): string {
  const script = join(example, "new-devices.sh");
  return spawnSync(script, [template, folder, ...names], { input, encoding: "utf8" }).stderr;
}

const skipped = reason === undefined ? "" : ` (skipped: ${reason})`;

test.skipIf(reason !== undefined)(
  `from a list of names to all online at a broker that knows nobody${skipped}`,
  async () => {
    const [folder, port] = [temporaryPath("fleet"), await freePort()];
    const count = isLong ? 500 : 4;
    const text = readFileSync(join(example, "template.json"), "utf8").replace("broker.example", `127.0.0.1:${port}`);
    const template = temporaryPath("template.json");
    writeFileSync(template, isLong ? text : text.replace('"spread": 10000', '"spread": 0'));
    expect(make(template, folder, list(count))).toBe("");
    const broker = await Mosquitto.start([
      `acl_file ${example}/mosquitto.acl`,
      `listener ${port} 127.0.0.1`,
      ...["cafile authority.pem", "certfile server.pem", "keyfile server.key"].map((line) =>
        line.replace(" ", ` ${folder}/broker/`),
      ),
      "require_certificate true",
      "use_identity_as_username true",
    ]);
    const panel = await OtherClient.connect(broker.port, { username: "panel" });
    for (let index = 0; index < count; index++) {
      // What is in /etc and /var on a device is in its folder here.
      const device = join(folder, `dev${index}`);
      mkdirSync(join(device, "states"));
      const config = join(device, "nound.json");
      const made = readFileSync(config, "utf8").replaceAll("/etc/nound", device);
      writeFileSync(
        config,
        made.replace("/var/lib/nound", join(device, "states")).replace("0.0.0.0:8080", "127.0.0.1:0"),
      );
      endedByThisTest(new NoundProcess(["--simulate", "--config", config], "127.0.0.1:0"));
    }
    const online = () => new Set(panel.messages.filter((one) => one.payload === "online").map((one) => one.topic)).size;
    await eventually("all are online", () => online() === count);
    await broker.stop();
  },
);

test.skipIf(reason !== undefined)(
  `what was made for a device stays the same when others are added, and nobody else may read it${skipped}`,
  () => {
    const folder = temporaryPath("fleet");
    const template = temporaryPath("template.json");
    const mqtt = { id: "@NAME@", user: "@NAME@", password: "/etc/nound/mqtt-password" };
    const text = JSON.parse(readFileSync(join(example, "template.json"), "utf8")) as { mqtt: object };
    writeFileSync(template, JSON.stringify({ ...text, mqtt: { ...text.mqtt, ...mqtt } }).replaceAll('":', '": '));
    const read = () =>
      readdirSync(join(folder, "hall")).map((name) => readFileSync(join(folder, "hall", name), "utf8"));
    expect(make(template, folder, "", ["hall"])).toBe("");
    const before = read();
    expect(make(template, folder, "", ["porch", "hall"])).toBe("");
    expect(read()).toEqual(before);
    expect(before).toHaveLength(6);
    expect(readFileSync(join(folder, "broker/passwords"), "utf8")).toMatch(/^hall:\$.*\nporch:\$.*\n$/);
    expect(readFileSync(join(folder, "tokens.csv"), "utf8")).toMatch(/^hall,[0-9a-f]{40}\nporch,[0-9a-f]{40}\n$/);
    expect(statSync(join(folder, "hall/client.key")).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
  },
);

test("a withdrawn certificate is on the broker's list, and the other ones are not", () => {
  const folder = temporaryPath("fleet");
  expect(make(join(example, "template.json"), folder, "", ["hall", "porch"])).toBe("");
  const [authority, list] = [join(folder, "broker/authority.pem"), join(folder, "broker/revoked.pem")];
  const judge = (name: string) =>
    spawnSync(
      "openssl",
      ["verify", "-crl_check", "-CAfile", authority, "-CRLfile", list, join(folder, name, "client.pem")],
      { encoding: "utf8" },
    );
  for (const name of ["hall", "porch"]) expect(judge(name)).toMatchObject({ status: 0, stderr: "" });
  const withdraw = (name: string) =>
    spawnSync(join(example, "withdraw-devices.sh"), [folder, name], { encoding: "utf8" });
  // Twice is no mistake.
  for (const name of ["porch", "porch"]) expect(withdraw(name)).toMatchObject({ status: 0, stderr: "" });
  expect(judge("hall").status).toBe(0);
  expect(judge("porch").stderr).toContain("certificate revoked");
  expect(withdraw("cellar").stderr).toContain("no certificate was made for cellar");
});

test.each([
  ["a name that is no name", ["../etc"], "../etc: a name has letters, digits, _ and -"],
  ["no name", [], "no name is given, and none is on standard input"],
])("%s is refused in a sentence", (_, names, sentence) => {
  const error = make(join(example, "template.json"), temporaryPath("fleet"), "", names);
  expect(error).toBe(`new-devices.sh: ${sentence}\n`);
});

test.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
  "a device may have the name of a file that comes and goes, and a pattern is no name",
  () => {
    const folder = temporaryPath("fleet");
    const template = join(example, "template.json");
    expect(make(template, folder, "extensions\nrevoking\n")).toBe("");
    for (const name of ["extensions", "revoking"]) expect(existsSync(join(folder, name, "client.pem"))).toBe(true);
    const taken = "this name is taken by a file of the folder";
    expect(make(template, folder, "revoked\n")).toBe(`new-devices.sh: revoked: ${taken}\n`);
    expect(make(template, folder, "*\n")).toBe("new-devices.sh: *: a name has letters, digits, _ and -\n");
  },
);

test("the first boot takes the device's files from the boot partition, and leaves none there", () => {
  const [boot, etc] = [temporaryPath("boot"), temporaryPath("etc")];
  for (const folder of [boot, etc]) mkdirSync(folder);
  const source = join(boot, "nound");
  const group = execFileSync("id", ["-gn"], { encoding: "utf8" }).trim();
  const run = () => spawnSync(join(example, "first-boot.sh"), [source, etc, group], { encoding: "utf8" });
  expect(run()).toMatchObject({
    status: 1,
    stderr: `first-boot.sh: ${source}/nound.json is missing: copy the folder of this device to ${source}\n`,
  });
  mkdirSync(source);
  for (const name of ["nound.json", "client.key"]) writeFileSync(join(source, name), name);
  expect(run()).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(etc).sort()).toEqual(["client.key", "nound.json"]);
  expect(statSync(join(etc, "client.key")).mode & 0o777).toBe(0o640);
  expect(readdirSync(boot)).toEqual([]);
});
