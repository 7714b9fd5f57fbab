/** Hardware and files that are missing stop neither a start, nor a reload, an update or the end of a token. */
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { missing } from "../harness/client-program.ts";
import { eventually } from "../harness/eventually.ts";
import { Installed } from "../harness/installed-program.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { Service } from "../harness/reloaded-service.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";
import { expectMedian } from "../harness/waiting-time.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;

/** A file that can be taken away. */
function fileWith(text: string): string {
  const path = temporaryPath("given");
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** The token file of a test. */
class Tokens {
  readonly path = fileWith("");
  private readonly tokens = new Map<string, string>();

  /** Makes a token. */
  add(name: string): string {
    const token = randomBytes(20).toString("hex");
    this.tokens.set(name, token);
    this.write();
    return token;
  }

  withdraw(name: string): void {
    this.tokens.delete(name);
    this.write();
  }

  private write(): void {
    const lines = Array.from(this.tokens, ([name, token]) => {
      return `${name} * * ${createHash("sha256").update(token).digest("hex")}\n`;
    });
    writeFileSync(this.path, lines.join(""));
  }
}

/** @returns the status of a GET with a token. */
async function statusOf(service: Service, path: string, token: string): Promise<number | undefined> {
  const [host, port] = service.address.split(":");
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const asking = request({ host, port, path, agent: false, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
    });
    asking.once("error", reject).end();
  });
}

/** Something that a noun or the broker needs, and how it is taken away. */
interface Lack {
  readonly noun?: object;
  readonly rest?: object;
  readonly take: (sys: SysfsTree) => void;
  /** Where it listens for encrypted connections besides. */
  readonly sealed?: string;
  /** The status of a GET of the noun after a start without it; 200 where its value is null. */
  readonly answers: number;
}

function putChip(sys: SysfsTree, base: number): void {
  sys.put(`/sys/class/gpio/gpiochip${base}/base`, `${base}\n`);
  sys.put(`/sys/class/gpio/gpiochip${base}/ngpio`, "8\n");
  sys.put(`/sys/class/gpio/gpiochip${base}/label`, `chip${base}\n`);
  for (const file of ["direction", "value", "active_low", "edge"])
    sys.put(`/sys/class/gpio/gpio${base}/${file}`, "0\n");
}

/** A device with one of everything. */
function device(): SysfsTree {
  const sys = new SysfsTree();
  for (const file of ["export", "unexport"]) sys.put(`/sys/class/gpio/${file}`, "");
  for (const base of [0, 64]) putChip(sys, base);
  sys.put("/sys/class/leds/green/brightness", "0\n");
  sys.put("/sys/class/leds/green/max_brightness", "255\n");
  sys.put("/sys/class/leds/green/trigger", "[none] timer\n");
  sys.put("/sys/bus/w1/devices/28-0316a2796ee1/w1_slave", "a1 01 4b 46 7f ff 0c 10 5e : crc=5e YES\n t=26062\n");
  sys.put("/sys/class/backlight/panel/brightness", "7\n");
  sys.put("/sys/class/hwmon/hwmon0/name", "lm75\n");
  sys.put("/sys/class/hwmon/hwmon0/temp1_input", "21000\n");
  sys.put("/sys/class/thermal/thermal_zone0/type", "cpu\n");
  sys.put("/sys/class/thermal/thermal_zone0/temp", "51000\n");
  sys.put("/sys/class/tty/ttyS0/dev", "4:64\n");
  return sys;
}

const onChip = (base: number, kind: string) => ({
  kind,
  chip: `gpiochip${base}`,
  offset: 0,
  key: "on",
});

const lacks: { readonly [what: string]: () => Lack | Promise<Lack> } = {
  "a thermometer": () => ({
    noun: { kind: "sensor", device: "28-0316a2796ee1" },
    take: (sys) => sys.remove("/sys/bus/w1/devices/28-0316a2796ee1"),
    answers: 500,
  }),
  "a chip of GPIO lines": () => ({
    noun: onChip(64, "gpio-output"),
    take: (sys) => {
      for (const name of ["gpiochip64", "gpio64"]) sys.remove(`/sys/class/gpio/${name}`);
    },
    answers: 500,
  }),
  "an LED": () => ({
    noun: { kind: "led", device: "green" },
    take: (sys) => sys.remove("/sys/class/leds/green"),
    answers: 503,
  }),
  "an attribute": () => ({
    noun: { kind: "sysfs", path: "/sys/class/backlight/panel/brightness" },
    take: (sys) => sys.remove("/sys/class/backlight/panel"),
    answers: 500,
  }),
  "a monitoring chip": () => ({
    noun: { kind: "sensor", device: "lm75", channel: "temp1" },
    take: (sys) => sys.remove("/sys/class/hwmon/hwmon0"),
    answers: 500,
  }),
  "a thermal zone": () => ({
    noun: { kind: "sensor", device: "cpu" },
    take: (sys) => sys.remove("/sys/class/thermal/thermal_zone0"),
    answers: 500,
  }),
  "the serial line of a Modbus unit": () => ({
    noun: { kind: "modbus", device: "/dev/ttyNOUND9", keys: { volts: { at: "holding 0" } } },
    take: () => {},
    answers: 200,
  }),
  "a Modbus unit that answers": async () => ({
    noun: { kind: "modbus", server: await freeAddress(), keys: { volts: { at: "holding 0" } } },
    take: () => {},
    answers: 200,
  }),
  "the token for a webhook": () => {
    const token = fileWith("abc\n");
    return {
      noun: { kind: "webhook", url: "http://127.0.0.1:9/", token },
      take: () => rmSync(token),
      answers: 503,
    };
  },
  "the broker's password": async () => {
    const password = fileWith("secret\n");
    return {
      rest: { mqtt: { server: await freeAddress(), id: "hall", user: "hall", password } },
      take: () => rmSync(password),
      answers: 404,
    };
  },
  "the broker's authorities": async () => {
    const authorities = fileWith(certificate({ name: "House", isAuthority: true }).pem);
    return {
      rest: { mqtt: { server: `mqtts://${await freeAddress()}`, id: "hall", tls: { authorities } } },
      take: () => rmSync(authorities),
      answers: 404,
    };
  },
  "a certificate for https that has not ended": async () => {
    const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });
    const ended = certificate({ name: "hall", hosts: ["127.0.0.1"], keys: own.keys, to: "2020-02-01T00:00:00Z" });
    const file = fileWith(own.pem);
    return {
      rest: { https: { certificate: file, key: fileWith(own.key) } },
      sealed: await freeAddress(),
      take: () => writeFileSync(file, ended.pem),
      answers: 404,
    };
  },
};

test.skipIf(noSysfsTree !== undefined).each(Object.keys(lacks))(
  `without %s, a start, a reload, an update and a token's end work (judged by test:time), and no output moves${title}`,
  async (what) => {
    const lack = await lacks[what]?.();
    if (lack === undefined) throw new Error(what);
    const sys = device();
    const installed = new Installed();
    const tokens = new Tokens();
    const mine = tokens.add("mine");
    const stolen = [tokens.add("first"), tokens.add("second"), tokens.add("third")] as const;
    const nouns = { ...(lack.noun && { it: lack.noun }), lamp: onChip(0, "gpio-output") };
    const rest = { access: { tokens: tokens.path }, ...lack.rest };
    const address = await freeAddress();
    const args = lack.sealed === undefined ? [] : ["--listen", address, "--listen", `https://${lack.sealed}`];
    const options = {
      args,
      address,
      wrapper: [...sys.wrapper, ...installed.wrapper],
      ...rest,
    };
    const service = await Service.start(nouns, options);
    const direction = "/sys/class/gpio/gpio0/direction";
    sys.put(direction, "untouched");
    lack.take(sys);

    // A reload of another noun.
    service.configure({ ...nouns, other: { kind: "value" } }, rest);
    expect(await service.command()).toEqual({ status: 0, stderr: "" });
    expect(await statusOf(service, "/other", mine)).toBe(200);
    // A token that ends alone.
    const { pid } = service.process;
    tokens.withdraw("first");
    let began = performance.now();
    process.kill(service.process.keeper, "SIGHUP");
    await eventually("the token has ended", async () => (await statusOf(service, "/lamp", stolen[0])) === 401);
    expectMedian(`ms to the 401 without ${what}`, [performance.now() - began], 1_000);
    expect(service.process.pid).toBe(pid);
    // One that ends with a change of the nouns.
    service.configure(nouns, rest);
    tokens.withdraw("second");
    began = performance.now();
    expect(await service.command()).toEqual({ status: 0, stderr: "" });
    expect(await statusOf(service, "/lamp", stolen[1])).toBe(401);
    expectMedian(`ms to the 401 of a changed configuration without ${what}`, [performance.now() - began], 1_000);
    // One that ends with an update.
    installed.update();
    tokens.withdraw("third");
    began = performance.now();
    expect(await service.command()).toEqual({ status: 0, stderr: "" });
    expect(await statusOf(service, "/lamp", stolen[2])).toBe(401);
    expectMedian(`ms to the 401 of an updated program without ${what}`, [performance.now() - began], 1_000);
    expect(await statusOf(service, "/lamp", mine)).toBe(200);
    expect(sys.cat(direction)).toBe("untouched");
    await service.process.stop();

    const again = await Service.start(nouns, options);
    expect(await statusOf(again, "/lamp", mine)).toBe(200);
    expect(await statusOf(again, "/it", mine)).toBe(lack.answers);
    expect(existsSync(`/proc/${again.process.pid}`)).toBe(true);
  },
);

/** @returns a program that takes over, but refuses each configuration. */
function refusing(): string {
  const path = temporaryPath("refusing");
  writeFileSync(`${path}.c`, 'const char *name = "NOUND_KEPT";\nint main(void) { return 1; }\n');
  execFileSync("cc", ["-o", path, `${path}.c`]);
  return path;
}

interface Refused {
  readonly service: Service;
  readonly installed: Installed;
  readonly certificate: string;
  readonly rest: object;
}

/** What a reload is refused for. */
const refusals: { readonly [what: string]: (refused: Refused) => void } = {
  "a configuration that is no JSON": ({ service }) => writeFileSync(service.file, "{"),
  "a mistake in the configuration": ({ service, rest }) => service.configure({ lamp: { kind: "lamb" } }, rest),
  "another token file that is not there": ({ service, rest }) =>
    service.configure({ lamp: { kind: "value" } }, { ...rest, access: { tokens: "/nowhere/tokens" } }),
  "a certificate that is missing": ({ certificate }) => rmSync(certificate),
  "a certificate that is missing, at an update": ({ certificate, installed }) => {
    rmSync(certificate);
    installed.update();
  },
  "a new program that refuses": ({ installed }) => installed.update(refusing()),
  "a new program that is no nound": ({ installed }) => installed.update("/bin/true"),
};

/** Programs that are compiled here. */
const compiled = ["a new program that refuses"];
const noCompiler = missing("cc", "--version");
const isCompiled = ([what]: readonly [string, unknown]): boolean => compiled.includes(what);
const refused = Object.entries(refusals);
const tried = noCompiler === undefined ? refused : refused.filter((one) => !isCompiled(one));
if (noCompiler !== undefined)
  test.skip.each(refused.filter(isCompiled).map(([what]) => what))(`%s${noCompiler}`, () => undefined);

test.each(tried)(
  "%s: the reload is refused, and a withdrawn token ends (within a second: judged by test:time)",
  async (_, refuse) => {
    const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });
    const [file, key] = [fileWith(own.pem), fileWith(own.key)];
    const tokens = new Tokens();
    const mine = tokens.add("mine");
    const stolen = [tokens.add("first"), tokens.add("second")] as const;
    const rest = { access: { tokens: tokens.path }, https: { certificate: file, key } };
    const nouns = { lamp: { kind: "switch", key: "on" } };
    const plain = await freeAddress();
    const args = ["--listen", plain, "--listen", `https://${await freeAddress()}`];
    const installed = new Installed();
    const service = await Service.start(nouns, { args, ...rest, address: plain, wrapper: installed.wrapper });
    const { pid } = service.process;
    refuse({ service, installed, certificate: file, rest });
    const times: number[] = [];
    for (const [index, token] of stolen.entries()) {
      tokens.withdraw(["first", "second"][index] ?? "");
      const began = performance.now();
      expect(await service.command()).toMatchObject({ status: 69 });
      await eventually("the token has ended", async () => (await statusOf(service, "/lamp", token)) === 401);
      times.push(performance.now() - began);
    }
    expectMedian("ms from the reload to the 401", times, 1_000);
    // A new token counts as well, and one that comes back.
    tokens.add("first");
    expect(await service.command()).toMatchObject({ status: 69 });
    expect(await statusOf(service, "/lamp", mine)).toBe(200);
    expect(service.process.pid).toBe(pid);
    expect(service.process.printed).toContain("nound: the tokens are those of the token file all the same\n");
  },
);

test("a refused reload with the tokens of the start takes back the tokens that came since", async () => {
  const tokens = new Tokens();
  tokens.add("mine");
  const rest = { access: { tokens: tokens.path } };
  const service = await Service.start({ lamp: { kind: "switch", key: "on" } }, rest);
  const guest = tokens.add("guest");
  expect(await service.command()).toMatchObject({ status: 0 });
  await eventually("the token counts", async () => (await statusOf(service, "/lamp", guest)) === 200);
  tokens.withdraw("guest");
  writeFileSync(service.file, "{");
  expect(await service.command()).toMatchObject({ status: 69 });
  await eventually("the token has ended", async () => (await statusOf(service, "/lamp", guest)) === 401);
});

test("without its certificate, nound serves the rest, and https from a reload on", async () => {
  const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });
  const [file, key] = [temporaryPath("missing"), fileWith(own.key)];
  const [plain, sealed] = [await freeAddress(), `https://${await freeAddress()}`];
  const nouns = { lamp: { kind: "switch", key: "on" } };
  const args = ["--listen", plain, "--listen", sealed];
  const service = await Service.start(nouns, {
    args,
    address: plain,
    ...{ log: "none", https: { certificate: file, key } },
  });
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 0 });
  expect(service.process.printed).toContain(`https: nound does not listen on ${sealed} until a reload: `);
  writeFileSync(file, own.pem);
  expect(await service.command()).toMatchObject({ status: 0 });
});
