/** Hardware and files that are missing stop neither a start, nor a reload, an update or the end of a token. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { eventually } from "../harness/eventually.ts";
import { Installed } from "../harness/installed-program.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { Service } from "../harness/reloaded-service.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

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
  backend: "sysfs",
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
    noun: { kind: "modbus", device: "/dev/ttyNOUND9", keys: { volts: { read: "holding", at: 0 } } },
    take: () => {},
    answers: 200,
  }),
  "a Modbus unit that answers": async () => ({
    noun: { kind: "modbus", server: await freeAddress(), keys: { volts: { read: "holding", at: 0 } } },
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
      rest: { mqtt: { broker: await freeAddress(), id: "hall", user: "hall", password } },
      take: () => rmSync(password),
      answers: 404,
    };
  },
  "the broker's authorities": async () => {
    const authorities = fileWith(certificate({ name: "House", isAuthority: true }).pem);
    return {
      rest: { mqtt: { broker: `mqtts://${await freeAddress()}`, id: "hall", tls: { authorities } } },
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
  `without %s, a start, a reload, an update and the end of a token work, and no output moves${title}`,
  { timeout: 60_000 },
  async (what) => {
    const lack = await lacks[what]?.();
    if (lack === undefined) throw new Error(what);
    const sys = device();
    const installed = new Installed();
    const tokens = new Tokens();
    const mine = tokens.add("mine");
    const stolen = [tokens.add("first"), tokens.add("second"), tokens.add("third")] as const;
    const nouns = { ...(lack.noun && { it: lack.noun }), lamp: onChip(0, "gpio-output") };
    const rest = { gpioBackend: "sysfs", access: { tokens: tokens.path }, ...lack.rest };
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
    process.kill(service.process.keeper, "SIGHUP");
    await eventually("the token has ended", async () => (await statusOf(service, "/lamp", stolen[0])) === 401);
    expect(service.process.pid).toBe(pid);
    // One that ends with a change of the nouns.
    service.configure(nouns, rest);
    tokens.withdraw("second");
    expect(await service.command()).toEqual({ status: 0, stderr: "" });
    expect(await statusOf(service, "/lamp", stolen[1])).toBe(401);
    // One that ends with an update.
    installed.update();
    tokens.withdraw("third");
    expect(await service.command()).toEqual({ status: 0, stderr: "" });
    expect(await statusOf(service, "/lamp", stolen[2])).toBe(401);
    expect(await statusOf(service, "/lamp", mine)).toBe(200);
    expect(sys.cat(direction)).toBe("untouched");
    await service.process.stop();

    const again = await Service.start(nouns, options);
    expect(await statusOf(again, "/lamp", mine)).toBe(200);
    expect(await statusOf(again, "/it", mine)).toBe(lack.answers);
    expect(existsSync(`/proc/${again.process.pid}`)).toBe(true);
  },
);

test("without its certificate, nound keeps https: a reload is refused, but a withdrawn token ends", async () => {
  const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });
  const [file, key] = [fileWith(own.pem), fileWith(own.key)];
  const tokens = new Tokens();
  const mine = tokens.add("mine");
  const stolen = tokens.add("stolen");
  const rest = { access: { tokens: tokens.path }, https: { certificate: file, key } };
  const nouns = { lamp: { kind: "switch", key: "on" } };
  const plain = await freeAddress();
  const sealed = `https://${await freeAddress()}`;
  const args = ["--listen", plain, "--listen", sealed];
  const service = await Service.start(nouns, { args, ...rest, address: plain });
  const { pid } = service.process;
  rmSync(file);
  service.configure({ ...nouns, other: { kind: "value" } }, rest);
  tokens.withdraw("stolen");
  expect(await service.command()).toMatchObject({ status: 69 });
  await eventually("the token has ended", async () => (await statusOf(service, "/lamp", stolen)) === 401);
  expect(await statusOf(service, "/lamp", mine)).toBe(200);
  expect(service.process.pid).toBe(pid);
  expect(service.process.printed).toContain(
    "nound: not reloaded: the new configuration is refused; the previous one remains in force, with the new tokens\n",
  );
  await service.process.stop();

  const again = await Service.start(nouns, { args, ...rest, address: plain });
  expect(await statusOf(again, "/lamp", mine)).toBe(200);
  expect(again.process.printed).toContain(`https: nound does not listen on ${sealed} until a reload: `);
  writeFileSync(file, own.pem);
  expect(await again.command()).toMatchObject({ status: 0 });
});
