/** The example of a fleet: what its scripts make is what a broker and devices need. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { array, assert, constantFrom, property, record, subarray } from "fast-check";
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
    writeFileSync(template, isLong ? text : text.replace('"startDelay": 10000', '"startDelay": 0'));
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

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const noOpenssl = hasOpenssl ? "" : " (skipped: openssl is missing)";

/** Runs withdraw-devices.sh. */
function withdraw(folder: string, ...names: readonly string[]) {
  return spawnSync(join(example, "withdraw-devices.sh"), [folder, ...names], { encoding: "utf8" });
}

test.skipIf(!hasOpenssl)(
  `a withdrawn certificate is on the broker's list, and a device that returns has another one${noOpenssl}`,
  () => {
    const folder = temporaryPath("fleet");
    const template = join(example, "template.json");
    expect(make(template, folder, "", ["hall", "porch"])).toBe("");
    const [authority, list] = [join(folder, "broker/authority.pem"), join(folder, "broker/revoked.pem")];
    const judge = (certificate: string) =>
      spawnSync("openssl", ["verify", "-crl_check", "-CAfile", authority, "-CRLfile", list, certificate], {
        encoding: "utf8",
      });
    const [hall, porch] = [join(folder, "hall/client.pem"), join(folder, "porch/client.pem")];
    for (const certificate of [hall, porch]) expect(judge(certificate)).toMatchObject({ status: 0, stderr: "" });
    const stolen = temporaryPath("stolen.pem");
    copyFileSync(porch, stolen);
    // Twice is no mistake.
    for (const name of ["porch", "porch"]) expect(withdraw(folder, name)).toMatchObject({ status: 0, stderr: "" });
    expect(judge(hall).status).toBe(0);
    expect(judge(stolen).stderr).toContain("certificate revoked");
    expect(existsSync(porch)).toBe(false);
    expect(make(template, folder, "", ["porch"])).toBe("");
    expect(judge(porch)).toMatchObject({ status: 0, stderr: "" });
    expect(judge(stolen).stderr).toContain("certificate revoked");
    expect(withdraw(folder, "cellar").stderr).toContain("no files were made for cellar");
  },
);

/** A template whose devices have a token and no certificate: these take openssl's time. */
function templateOfTokens(): string {
  const template = temporaryPath("template.json");
  writeFileSync(template, '{ "title": "@NAME@", "access": { "tokens": "/etc/nound/tokens" }, "nouns": {} }\n');
  return template;
}

/** The lines of a file that are not empty. */
function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

/** The files of a device that are secrets, or name one. */
const secretFiles = ["tokens", "mqtt-password", "client.key", "client.pem"];

/**
 * @returns the secrets in a file, one a line. A certificate or a key is one: two certificates that are made in the same
 * second share the line with issuer and first day.
 */
function secretsIn(path: string): readonly string[] {
  const lines = linesOf(path);
  return lines[0]?.startsWith("-----") ? [lines.join("\n")] : lines;
}

test.skipIf(!hasOpenssl || reason !== undefined)(
  `no key, token or password of a withdrawn device is given or valid again, and no file is written over${skipped}`,
  () => {
    // Names of which one begins as another does.
    const names = isLong ? Array.from({ length: 500 }, (_, index) => `dev${index}`) : ["hall", "porch", "hal"];
    const step = record({
      does: constantFrom("add", "withdraw", "change"),
      on: subarray(names, { minLength: 1 }),
    });
    const template = temporaryPath("template.json");
    const { mqtt, ...others } = JSON.parse(readFileSync(join(example, "template.json"), "utf8")) as { mqtt: object };
    const user = { user: "@NAME@", password: "/etc/nound/mqtt-password" };
    writeFileSync(template, JSON.stringify({ ...others, mqtt: { ...mqtt, ...user } }).replaceAll('":', '": '));
    const law = property(array(step, { minLength: 3, maxLength: isLong ? 6 : 4 }), (steps) => {
      const folder = temporaryPath("fleet");
      const secretsOf = (name: string) => secretFiles.flatMap((file) => secretsIn(join(folder, name, file)));
      /** Each secret that was withdrawn, and the serial numbers of the certificates. */
      const [withdrawn, serials] = [new Set<string>(), new Set<string>()];
      const changed = new Map<string, string>();
      expect(make(template, folder, "", names)).toBe("");
      for (const { does, on } of steps) {
        if (does === "change") {
          for (const name of on) writeFileSync(join(folder, name, "nound.json"), `{ "title": "by hand" }\n`);
          for (const name of on) changed.set(name, `{ "title": "by hand" }\n`);
        } else if (does === "withdraw") {
          for (const name of on) {
            for (const secret of secretsOf(name)) withdrawn.add(secret);
            const [row] = linesOf(join(folder, "tokens.csv")).filter((line) => line.startsWith(`${name},`));
            if (row !== undefined) withdrawn.add(row.slice(name.length + 1));
            const certificate = join(folder, name, "client.pem");
            if (existsSync(certificate)) {
              const words = ["x509", "-in", certificate, "-noout", "-serial"];
              serials.add(execFileSync("openssl", words, { encoding: "utf8" }).trim().replace("serial=", ""));
            }
          }
          expect(withdraw(folder, ...on)).toMatchObject({ status: 0, stderr: "" });
        } else {
          expect(make(template, folder, "", on)).toBe("");
          for (const name of on) {
            const empty = secretFiles.filter((file) => secretsIn(join(folder, name, file)).length === 0);
            expect([name, empty]).toEqual([name, []]);
          }
        }
        for (const name of names)
          expect([name, secretsOf(name).filter((one) => withdrawn.has(one))]).toEqual([name, []]);
        const known = ["tokens.csv", "users"].flatMap((file) =>
          linesOf(join(folder, file)).map((line) => line.replace(/^[^,:]*[,:]/, "")),
        );
        expect(known.filter((one) => withdrawn.has(one))).toEqual([]);
        // The broker's own list has the hashes of those passwords, and of no others.
        const users = (file: string) => linesOf(join(folder, file)).map((line) => line.replace(/:.*/, ""));
        expect(users("broker/passwords").sort()).toEqual(users("users").sort());
        const words = ["crl", "-in", join(folder, "broker/revoked.pem"), "-noout", "-text"];
        const revoked = execFileSync("openssl", words, { encoding: "utf8", maxBuffer: 2 ** 26 });
        const listed = new Set(Array.from(revoked.matchAll(/Serial Number: (\w+)/g), ([, serial]) => serial));
        expect([...serials].filter((serial) => !listed.has(serial))).toEqual([]);
        for (const [name, text] of changed) expect(readFileSync(join(folder, name, "nound.json"), "utf8")).toBe(text);
      }
    });
    assert(law, { numRuns: isLong ? 1 : 2, endOnFailure: isLong });
  },
);

test.skipIf(!hasOpenssl)(`a file that differs from the template stays, and is named${noOpenssl}`, () => {
  const [folder, template] = [temporaryPath("fleet"), templateOfTokens()];
  expect(make(template, folder, "hall\r\nporch\r\n")).toBe("");
  const tokens = join(folder, "porch/tokens");
  writeFileSync(tokens, `${readFileSync(tokens, "utf8")}plumber GET pump ${"0".repeat(64)}\n`);
  const before = readFileSync(tokens, "utf8");
  const { stdout } = spawnSync(join(example, "new-devices.sh"), [template, folder, "hall", "porch", "cellar"], {
    encoding: "utf8",
  });
  expect(stdout).toBe(`porch/tokens stays, and differs from the template\n3 devices are in ${folder}\n`);
  expect(readFileSync(tokens, "utf8")).toBe(before);
});

test.skipIf(!hasOpenssl)(`the broker's certificate is for each broker of the template${noOpenssl}`, () => {
  const [folder, template] = [temporaryPath("fleet"), temporaryPath("template.json")];
  const brokers = [
    "mqtts://broker.example",
    "mqtts://[fd00::1]:8884",
    "mqtts://192.0.2.7:8883",
    "mqtts://cafe.example:1",
  ];
  const text = readFileSync(join(example, "template.json"), "utf8");
  writeFileSync(template, text.replace('"mqtts://broker.example"', JSON.stringify(brokers)));
  const run = () => spawnSync(join(example, "new-devices.sh"), [template, folder, "hall"], { encoding: "utf8" }).stdout;
  expect(run()).toBe(`1 devices are in ${folder}\n`);
  const certificate = join(folder, "broker/server.pem");
  const judged = ["-checkhost broker.example", "-checkip fd00::1", "-checkip 192.0.2.7", "-checkhost cafe.example"].map(
    (check) => spawnSync("openssl", ["x509", "-in", certificate, "-noout", ...check.split(" ")], { encoding: "utf8" }),
  );
  for (const { stdout } of judged) expect(stdout).toContain("does match certificate");
  writeFileSync(template, text.replace("broker.example", "other.example"));
  expect(run()).toContain("broker/server.pem stays, and is not for other.example: remove it to get another one\n");
});

test.each([
  ["a name that is no name", ["../etc"], "../etc: a name has letters, digits, _ and -"],
  ["no name", [], "no name is given, and none is on standard input"],
])("%s is refused in a sentence", (_, names, sentence) => {
  const error = make(join(example, "template.json"), temporaryPath("fleet"), "", names);
  expect(error).toBe(`new-devices.sh: ${sentence}\n`);
});

test.skipIf(!hasOpenssl)(
  `a device may have the name of a file that comes and goes, and a pattern is no name${noOpenssl}`,
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

test("if the power is cut at any command of the first boot, no file is lost, and the next boot goes on", () => {
  const group = execFileSync("id", ["-gn"], { encoding: "utf8" }).trim();
  const names = ["client.key", "nound.json", "tokens"];
  // The power may end before a command: what was copied since the last sync is lost then.
  const commands = temporaryPath("commands");
  mkdirSync(commands);
  for (const name of ["install", "rm", "sync"]) {
    const text = `#!/bin/sh
echo x >> "$CUT/count"
[ "$(wc -l < "$CUT/count")" -le "$LEFT" ] || { kill -9 $PPID; exit 1; }
${name === "sync" ? 'rm -rf "$CUT/disk" && cp -r "$ETC" "$CUT/disk"' : `PATH=$OLD ${name} "$@"`}
`;
    writeFileSync(join(commands, name), text, { mode: 0o755 });
  }
  let isWhole = false;
  for (let left = 0; !isWhole; left++) {
    expect(left).toBeLessThan(20);
    const [boot, etc, cut] = [temporaryPath("boot"), temporaryPath("etc"), temporaryPath("cut")];
    const source = join(boot, "nound");
    for (const folder of [boot, source, etc, cut, join(cut, "disk")]) mkdirSync(folder);
    for (const name of names) writeFileSync(join(source, name), `secret of ${name}`);
    const [script, { PATH = "" }] = [join(example, "first-boot.sh"), process.env];
    const env = { PATH: `${commands}:${PATH}`, OLD: PATH, CUT: cut, ETC: etc, LEFT: String(left) };
    isWhole = spawnSync(script, [source, etc, group], { env }).status === 0;
    // The disk as it is found.
    rmSync(etc, { recursive: true });
    cpSync(join(cut, "disk"), etc, { recursive: true });
    for (const name of names)
      expect([left, name, [etc, source].some((one) => existsSync(join(one, name)))]).toContain(true);
    const again = spawnSync(script, [source, etc, group], { encoding: "utf8" });
    expect({ left, ...again }).toMatchObject({ left, status: 0, stderr: "" });
    for (const name of names) expect(readFileSync(join(etc, name), "utf8")).toBe(`secret of ${name}`);
  }
});
