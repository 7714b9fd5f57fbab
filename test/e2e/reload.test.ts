/** A reload by SIGHUP: what goes on, what is set again, and what a mistake changes: nothing. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { isListening } from "../harness/address.ts";
import { commandOf, hasSanitizers, isLong } from "../harness/environment.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { awaitsHangup } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { Service } from "../harness/reloaded-service.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";
import { ample } from "../harness/time-limits.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;

const memory = {
  lamp: { kind: "switch", key: "on" },
  note: { kind: "value", default: { text: "" } },
};

/** A device with two lines of the older interface, a LED and a PWM channel. Nothing moves by itself. */
function device(): SysfsTree {
  const sys = new SysfsTree();
  for (const name of ["export", "unexport"]) sys.put(`/sys/class/gpio/${name}`, "");
  sys.put("/sys/class/gpio/gpiochip0/base", "0\n");
  sys.put("/sys/class/gpio/gpiochip0/ngpio", "32\n");
  sys.put("/sys/class/gpio/gpiochip0/label", "chip\n");
  for (const line of [17, 18]) {
    for (const name of ["direction", "value", "active_low", "edge"])
      sys.put(`/sys/class/gpio/gpio${line}/${name}`, "0\n");
  }
  sys.put("/sys/class/leds/green/brightness", "0\n");
  sys.put("/sys/class/leds/green/max_brightness", "255\n");
  sys.put("/sys/class/pwm/pwmchip0/npwm", "1\n");
  sys.put("/sys/class/pwm/pwmchip0/export", "");
  for (const name of ["period", "duty_cycle", "enable"]) sys.put(`/sys/class/pwm/pwmchip0/pwm0/${name}`, "0\n");
  return sys;
}

const pump = { kind: "gpio-output", chip: "gpiochip0", offset: 17, key: "on" };
const hardware = {
  pump,
  valve: { ...pump, offset: 18 },
  status: { kind: "led", device: "green", default: { brightness: 7 } },
  fan: { kind: "pwm", chip: "pwmchip0", channel: 0, frequency: 25_000 },
};
const touched = [
  ...["17/direction", "17/active_low", "17/value", "18/direction", "18/active_low", "18/value"].map(
    (name) => `/sys/class/gpio/gpio${name}`,
  ),
  "/sys/class/leds/green/brightness",
  ...["period", "duty_cycle", "enable"].map((name) => `/sys/class/pwm/pwmchip0/pwm0/${name}`),
];

/** Marks each file that moves something. @returns the files that were written since. */
function marks(sys: SysfsTree): () => readonly string[] {
  // The kernel's own texts: a value that is read is a number.
  const before = new Map(touched.map((path) => [path, `${sys.cat(path).trim()}\n\n`]));
  for (const [path, text] of before) sys.put(path, text);
  return () => touched.filter((path) => sys.cat(path) !== before.get(path));
}

test("states of switches and values go on, also with --simulate and without a folder for states", async () => {
  const service = await Service.start(memory, { args: ["--simulate"] });
  await service.ask("PUT", "/lamp", { on: 1 });
  await service.ask("PUT", "/note", { text: "a “quoted” text" });
  service.configure({ lamp: { ...memory.lamp, title: "Lamp" }, note: memory.note, more: memory.lamp });
  await service.reload();
  expect(await service.ask("GET", "/")).toEqual({
    lamp: { on: 1 },
    note: { text: "a “quoted” text" },
    more: { on: 0 },
  });
  await service.reload();
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 1 });
  expect((await service.process.stop()).status).toBe(0);
});

test("states that were taken over count as those that a client sets", async () => {
  const notes = Object.fromEntries([0, 1].map((index) => [`note${index}`, { kind: "value", default: { text: "" } }]));
  const service = await Service.start(notes, {
    limits: { memoryBytes: 4_194_304, bodyBytes: 400_000, stateBytes: 400_000 },
  });
  const text = "x".repeat(390_000);
  const put = (index: number) => service.ask("PUT", `/note${index}`, { text });
  expect(await put(0)).toEqual({ text });
  expect(await put(1)).toMatchObject({ status: 413 });
  await service.reload();
  expect(await service.ask("GET", "/note0")).toEqual({ text });
  expect(await put(1)).toMatchObject({ status: 413 });
  expect(await put(0)).toEqual({ text });
});

test("a noun of another shape begins with its default", async () => {
  const service = await Service.start(memory);
  await service.ask("PUT", "/lamp", { on: 1 });
  service.configure({ lamp: { ...memory.lamp, values: [0, 2] }, note: memory.note });
  await service.reload();
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 0 });
});

test("a rule that holds does not run again, and one that waits goes on waiting", async () => {
  const rules = {
    lit: { kind: "rule", when: { lamp: { on: 1 } }, then: { "PUT note": { text: "lit" } } },
    later: { kind: "rule", when: { lamp: { on: 1 } }, for: 600_000, then: { "PUT note": { text: "later" } } },
  };
  const service = await Service.start({ ...memory, ...rules });
  await service.ask("PUT", "/lamp", { on: 1 });
  await eventually("the rule has run", async () => {
    return JSON.stringify(await service.ask("GET", "/note")) === '{"text":"lit"}';
  });
  await service.ask("PUT", "/note", { text: "by a client" });
  await service.reload();
  await eventually("the rules have begun", async () => {
    const { holds } = (await service.ask("GET", "/lit")) as { holds: boolean };
    return holds;
  });
  expect(await service.ask("GET", "/lit")).toMatchObject({ enabled: true, holds: true, runs: 1, failed: 0 });
  expect(await service.ask("GET", "/later")).toMatchObject({ enabled: true, holds: true, runs: 0, last: null });
  expect(await service.ask("GET", "/note")).toEqual({ text: "by a client" });
});

test("a threshold of a guard that holds goes on to its other value", async () => {
  const nouns = {
    tank: { kind: "value", default: { level: 0 } },
    valve: { kind: "switch", key: "open", guard: { tank: { level: { above: 5, until: 2 } } } },
  };
  const service = await Service.start(nouns);
  await service.ask("PUT", "/tank", { level: 6 });
  await service.ask("PUT", "/valve", { open: 1 });
  await service.ask("PUT", "/tank", { level: 3 });
  service.configure({ ...nouns, valve: { ...nouns.valve, title: "Valve" } });
  await service.reload();
  expect(await service.ask("GET", "/valve")).toEqual({ open: 1 });
  const guard = { tank: { level: { above: 4, until: 2 } } };
  service.configure({ ...nouns, valve: { ...nouns.valve, guard } });
  await service.reload();
  expect(await service.ask("GET", "/valve")).toEqual({ open: 0 });
});

test("counts of edges go on, and a pulse ends before one that began after it", async () => {
  const pulsed = { kind: "gpio-output", line: "A", key: "on", pulse: 2_000 };
  const door = { kind: "gpio-input", line: "B", key: "open", edges: "both" };
  const nouns = { first: pulsed, second: { ...pulsed, line: "C" }, door };
  const service = await Service.start(nouns, { args: ["--simulate"] });
  await service.ask("PUT", "/first", { on: 1 });
  for (let i = 0; i < 12; i += 1) await service.ask("POST", "/simulated.door", {});
  await service.reload();
  expect(await service.ask("GET", "/door")).toMatchObject({ open: 0, edges: 12, missed: 0 });
  // A stream misses no step, however busy the machine is.
  const stream = new EventClient(service.address, "/");
  await stream.count(1);
  await service.ask("PUT", "/second", { on: 1 });
  const stepsSinceSecond = (): readonly string[] => {
    const outputs: { [name: string]: { readonly on: number } } = {};
    const steps = stream.events.map(({ data }) => {
      Object.assign(outputs, data);
      return `${outputs["first"]?.on}${outputs["second"]?.on}`;
    });
    return steps.slice(steps.findIndex((step) => step.endsWith("1")));
  };
  await eventually("both pulses are over", () => stepsSinceSecond().length > 1 && stepsSinceSecond().at(-1) === "00");
  expect(stepsSinceSecond()).not.toContain("10");
});

test.skipIf(noSysfsTree !== undefined)(
  `lines, LEDs and PWM that are configured the same are not touched${title}`,
  async () => {
    const sys = device();
    const service = await Service.start(hardware, { wrapper: sys.wrapper });
    await service.ask("PUT", "/pump", { on: 1 });
    await service.ask("PUT", "/status", { brightness: 200 });
    await service.ask("PUT", "/fan", { percent: 50, enabled: true });
    const written = marks(sys);
    service.configure({ ...hardware, pump: { ...pump, title: "Pump" }, lamp: memory.lamp });
    await service.reload();
    expect(written()).toEqual([]);
    expect(await service.ask("GET", "/")).toEqual({
      pump: { on: 1 },
      valve: { on: 0 },
      status: { brightness: 200 },
      fan: { percent: 50, enabled: true },
      lamp: { on: 0 },
    });
    // At the end all get their defaults, as ever.
    await service.process.stop();
    expect(sys.cat("/sys/class/gpio/gpio17/value")).toMatch(/^0/);
    expect(sys.cat("/sys/class/leds/green/brightness")).toMatch(/^7/);
  },
);

test.skipIf(noSysfsTree !== undefined)(`a changed default sets that line alone${title}`, async () => {
  const sys = device();
  const service = await Service.start(hardware, { wrapper: sys.wrapper });
  const written = marks(sys);
  service.configure({ ...hardware, valve: { ...hardware.valve, default: 1 } });
  await service.reload();
  expect(written().every((path) => path.includes("/gpio18/"))).toBe(true);
  expect(sys.cat("/sys/class/gpio/gpio18/direction")).toMatch(/^high/);
});

test.skipIf(noSysfsTree !== undefined)(`what no noun has any more is left as its exit says${title}`, async () => {
  const sys = device();
  const service = await Service.start(hardware, { wrapper: sys.wrapper });
  await service.ask("PUT", "/pump", { on: 1 });
  await service.ask("PUT", "/valve", { on: 1 });
  await service.ask("PUT", "/status", { brightness: 200 });
  await service.ask("PUT", "/fan", { percent: 50, enabled: true });
  service.configure({ valve: hardware.valve });
  await service.reload();
  await eventually("the line is set", () => sys.cat("/sys/class/gpio/gpio17/value").startsWith("0"));
  expect(sys.cat("/sys/class/leds/green/brightness")).toMatch(/^7/);
  expect(sys.cat("/sys/class/pwm/pwmchip0/pwm0/enable")).toMatch(/^0/);
  expect(await service.ask("GET", "/valve")).toEqual({ on: 1 });
});

/** Kills a process, unless a busy machine has let it hand over and end by itself meanwhile. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

test.skipIf(noSysfsTree !== undefined)(`kill -9 of the process with the nouns moves nothing${title}`, async () => {
  const sys = device();
  const service = await Service.start(hardware, { wrapper: sys.wrapper });
  await service.ask("PUT", "/pump", { on: 1 });
  const written = marks(sys);
  for (const turns of [0, 1, 10, 100]) {
    const before = service.process.pid;
    process.kill(service.process.keeper, "SIGHUP");
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    killIfThere(before);
    await service.replaced(before);
    expect(written()).toEqual([]);
    expect(await service.ask("GET", "/pump")).toEqual({ on: 1 });
  }
});

test.skipIf(noSysfsTree !== undefined)(
  `after each mistake the log has a sentence, and the running one serves on${title}`,
  async () => {
    const sys = device();
    sys.put("/sys/bus/w1/devices/28-0316a2796ee1/w1_slave", "a1 01 4b : crc=5e YES\n t=26062\n");
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await eventually("the port is in use", () => other.listening);
    const { port } = other.address() as { port: number };
    const water = { kind: "sensor", device: "28-0316a2796ee1" };
    const lamp = memory.lamp;
    const service = await Service.start({ lamp, pump, water }, { wrapper: sys.wrapper });
    await service.ask("PUT", "/pump", { on: 1 });
    const written = marks(sys);
    const tokens = temporaryPath("tokens");
    writeFileSync(tokens, "panel GET\n", { mode: 0o600 });
    const nouns = (more: object) => () => service.configure({ lamp, pump, water, ...more });
    const rest = (more: object) => () => service.configure({ lamp, pump, water }, more);
    const mistakes: readonly (readonly [begin: () => void, said: string])[] = [
      [() => writeFileSync(service.file, '{ "nouns": '), "line 1"],
      [() => rmSync(service.file), "no such file"],
      [rest({ access: { tokens: `${tokens}-2` } }), "no such file"],
      [rest({ access: { tokens } }), "line 1"],
      [nouns({ more: { kind: "swich" } }), "swich"],
      [rest({ listen: [service.address, `127.0.0.1:${port}`] }), "in use"],
    ];
    for (const [begin, expected] of mistakes) {
      begin();
      // One that begins to serve says its version.
      const said = (await service.refuse()).filter((line) => !line.startsWith("nound 0."));
      expect(said).toHaveLength(2);
      expect(said[0]).toContain(expected);
      expect(await service.ask("GET", "/pump")).toEqual({ on: 1 });
    }
    // Hardware that is not there is no mistake, and the log has a sentence all the same.
    const lacks: readonly (readonly [begin: () => void, said: string])[] = [
      [nouns({ more: { ...pump, offset: 99 } }), "99"],
      [nouns({ more: { kind: "led", device: "red" } }), "red"],
      [nouns({ water: { ...water, device: "28-0316a2796ee9" } }), "28-0316a2796ee9"],
    ];
    for (const [begin, expected] of lacks) {
      begin();
      const before = service.process.printed.length;
      expect(await service.command()).toEqual({ status: 0, stderr: "" });
      expect(service.process.printed.slice(before)).toContain(expected);
      expect(await service.ask("GET", "/pump")).toEqual({ on: 1 });
    }
    // What was to be served in vain with the port in use has moved nothing either.
    expect(written()).toEqual([]);
  },
);

test("if the new configuration cannot be served, the previous one is, with its states", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await eventually("the port is in use", () => other.listening);
  const { port } = other.address() as { port: number };
  const service = await Service.start(memory);
  await service.ask("PUT", "/lamp", { on: 1 });
  service.configure({ lamp: memory.lamp }, { listen: [service.address, `127.0.0.1:${port}`] });
  const said = await service.refuse();
  expect(said.join("\n")).toContain("the address is in use by another program");
  expect(await service.ask("GET", "/")).toEqual({ lamp: { on: 1 }, note: { text: "" } });
  // The file is read again by the next reload.
  service.configure({ lamp: memory.lamp });
  await service.reload();
  expect(await service.ask("GET", "/")).toEqual({ lamp: { on: 1 } });
});

test("clients that try a refused connection once more get all their answers, and the right ones", async () => {
  const service = await Service.start({ note: memory.note });
  let isOver = false;
  let asked = 0;
  async function client(name: string): Promise<void> {
    while (!isOver) {
      const text = `${name} ${asked}`;
      asked += 1;
      const put = () => service.ask("PUT", "/note", { text });
      expect(await put().catch(put)).toEqual({ text });
    }
  }
  async function reloads(): Promise<void> {
    for (let i = 0; i < 5 || asked <= 20; i += 1) await service.reload();
    isOver = true;
  }
  await Promise.all([reloads(), ...["a", "b", "c"].map(client)]);
});

const tokens = {
  panel: "3f0c5d1e9a7b42886f1de0c9b2a45d7733e1f09c",
  other: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
};

/** Writes a token file. */
function writeTokens(path: string, names: readonly (keyof typeof tokens)[]): void {
  const hash = (name: keyof typeof tokens) => createHash("sha256").update(tokens[name]).digest("hex");
  writeFileSync(path, names.map((name) => `${name} * * ${hash(name)}\n`).join(""), { mode: 0o600 });
}

test("a withdrawn token is refused and its stream ends, and nothing else is begun again", async () => {
  const path = temporaryPath("tokens");
  writeTokens(path, ["panel", "other"]);
  const service = await Service.start(memory, { access: { tokens: path } });
  const url = `http://${service.address}/lamp`;
  const headers = (name: keyof typeof tokens) => ({ authorization: `Bearer ${tokens[name]}` });
  const stream = async (name: keyof typeof tokens) => {
    const answer = await fetch(url, { headers: { ...headers(name), accept: "text/event-stream" } });
    expect(answer.status).toBe(200);
    return answer;
  };
  const [withdrawn, going] = [await stream("panel"), await stream("other")];
  const { pid } = service.process;
  writeTokens(path, ["other"]);
  expect(await service.command()).toMatchObject({ status: 0, stderr: "" });
  expect(await withdrawn.text()).toContain("data: ");
  expect((await fetch(url, { headers: headers("panel") })).status).toBe(401);
  expect((await fetch(url, { headers: headers("other") })).status).toBe(200);
  // The other stream gets the next state.
  const type = { "content-type": "application/json" };
  await fetch(url, { method: "PUT", headers: { ...headers("other"), ...type }, body: '{"on":1}' });
  let events = "";
  for await (const part of going.body ?? []) {
    events += Buffer.from(part).toString();
    if (events.includes('{"on":1}')) break;
  }
  expect(service.process.pid).toBe(pid);
  // A file with a mistake changes nothing.
  writeFileSync(path, "nonsense\n");
  expect(await service.command()).toMatchObject({ status: 69 });
  expect((await fetch(url, { headers: headers("other") })).status).toBe(200);
  // With a change of the configuration it is a whole reload.
  writeTokens(path, ["panel"]);
  service.configure({ lamp: memory.lamp }, { access: { tokens: path } });
  await service.reload();
  expect((await fetch(url, { headers: headers("panel") })).status).toBe(200);
});

test("a reload has ended when the new tokens count, not before", async () => {
  const path = temporaryPath("tokens");
  writeTokens(path, ["panel", "other"]);
  const service = await Service.start(memory, { access: { tokens: path } });
  const { pid } = service.process;
  writeTokens(path, ["other"]);
  process.kill(pid, "SIGSTOP");
  const command = service.command();
  const later = eventually("the process that serves is told", () => awaitsHangup(pid)).then(() =>
    setTimeout(100, "not yet"),
  );
  expect(await Promise.race([command, later])).toBe("not yet");
  process.kill(pid, "SIGCONT");
  expect(await command).toEqual({ status: 0, stderr: "" });
  expect(service.process.pid).toBe(pid);
});

test.runIf(isLong)("a process that hangs and is to take new tokens is ended: the next one has them", async () => {
  const path = temporaryPath("tokens");
  writeTokens(path, ["panel", "other"]);
  const service = await Service.start(memory, { access: { tokens: path } });
  writeTokens(path, ["other"]);
  process.kill(service.process.pid, "SIGSTOP");
  expect(await service.command()).toEqual({ status: 0, stderr: "" });
  expect(service.process.printed).toContain("nound: the process with the nouns does not answer, so nound ends it\n");
  const statuses = (["panel", "other"] as const).map(async (name) => {
    const headers = { authorization: `Bearer ${tokens[name]}` };
    return (await fetch(`http://${service.address}/lamp`, { headers })).status;
  });
  expect(await Promise.all(statuses)).toEqual([401, 200]);
});

test.each([
  ["alone", false],
  ["with a changed configuration", true],
])("a token that is withdrawn %s while bodies are on their way executes none of them", async (_, isWhole) => {
  const path = temporaryPath("tokens");
  writeTokens(path, ["panel", "other"]);
  const service = await Service.start(memory, { access: { tokens: path }, limits: { bodyTimeout: ample } });
  const url = `http://${service.address}/lamp`;
  const headers = { authorization: `Bearer ${tokens.other}` };
  const before = await (await fetch(url, { headers })).json();
  const body = '{"on":1}';
  const clients = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const client = await RawConnection.open(service.address);
      client.send(
        `PUT /lamp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokens.panel}\r\nExpect: 100-continue\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      await client.exactly("HTTP/1.1 100 Continue\r\n\r\n");
      client.send(body.slice(0, 4));
      return client;
    }),
  );
  const stream = await fetch(url, {
    headers: { authorization: `Bearer ${tokens.panel}`, accept: "text/event-stream" },
  });
  writeTokens(path, ["other"]);
  if (isWhole) service.configure({ ...memory, more: memory.lamp }, { access: { tokens: path } });
  const command = service.command();
  // The process that serves knows it then. It waits for the bodies.
  await stream.text();
  for (const client of clients) client.send(body.slice(4));
  const answers = await Promise.all(clients.map((client) => client.response("PUT")));
  expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 401));
  expect(answers[0]?.fields.get("www-authenticate")).toBe('Bearer realm="nound", error="invalid_token"');
  expect(await command).toMatchObject({ status: 0, stderr: "" });
  expect(await (await fetch(url, { headers })).json()).toEqual(before);
});

test("a webhook's new token counts after a reload, also beside new tokens of clients", async () => {
  const [path, own] = [temporaryPath("tokens"), temporaryPath("own-token")];
  writeTokens(path, ["panel"]);
  writeFileSync(own, "first\n", { mode: 0o600 });
  const sent: (string | undefined)[] = [];
  const other = createHttpServer(({ headers }, response) => {
    sent.push(headers.authorization);
    response.end();
  });
  await once(other.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void other.close());
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const service = await Service.start({ told: { kind: "webhook", url, token: own } }, { access: { tokens: path } });
  const tell = async (name: keyof typeof tokens): Promise<void> => {
    const before = sent.length;
    // A connection of its own: a reload closes those that rest.
    const form = { connection: "close", "content-type": "application/json" };
    const headers = { authorization: `Bearer ${tokens[name]}`, ...form };
    const { status } = await fetch(`http://${service.address}/told`, { method: "POST", headers, body: "{}" });
    expect(status).toBe(200);
    await eventually("the other server is told", () => sent.length > before);
  };
  await tell("panel");
  writeTokens(path, ["other"]);
  writeFileSync(own, "second\n");
  expect(await service.command()).toMatchObject({ status: 0, stderr: "" });
  await tell("other");
  writeFileSync(own, "third\n");
  expect(await service.command()).toMatchObject({ status: 0, stderr: "" });
  await tell("other");
  expect(sent).toEqual(["Bearer first", "Bearer second", "Bearer third"]);
  const { pid } = service.process;
  writeTokens(path, ["panel"]);
  expect(await service.command()).toMatchObject({ status: 0, stderr: "" });
  await tell("panel");
  expect(service.process.pid).toBe(pid);
});

test("--reload waits for the next process, and fails with one line where it keeps serving as before", async () => {
  const service = await Service.start(memory);
  const { pid, keeper } = service.process;
  expect(await service.command()).toEqual({ status: 0, stderr: "" });
  expect(service.process.pid).not.toBe(pid);
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 0 });
  service.configure({ lamp: { kind: "swich" } });
  const stderr = `nound: cannot reload process ${keeper}: nothing has changed; its log says why\n`;
  expect(await service.command()).toEqual({ status: 69, stderr });
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 0 });
});

test("a file that replaced the program's is run by the same process, with all that it had", async () => {
  const copy = temporaryPath("nound");
  const [program] = commandOf("nound");
  const install = (place: (path: string) => void) => {
    place(`${copy}.new`);
    chmodSync(`${copy}.new`, 0o755);
    renameSync(`${copy}.new`, copy);
  };
  install((path) => copyFileSync(program, path));
  const service = await Service.start(memory, { wrapper: ["sh", "-c", `shift; exec ${copy} "$@"`, "sh"] });
  const { pid, keeper } = service.process;
  await service.ask("PUT", "/lamp", { on: 1 });
  // One that fails the check is not run.
  install((path) => writeFileSync(path, "#!/bin/sh\nexit 1\n"));
  expect(await service.command()).toMatchObject({ status: 69 });
  expect(service.process.pid).toBe(pid);
  install((path) => copyFileSync(program, path));
  expect(await service.command()).toMatchObject({ status: 0 });
  expect(readlinkSync(`/proc/${keeper}/exe`)).toBe(copy);
  expect(await service.ask("GET", "/")).toEqual({ lamp: { on: 1 }, note: { text: "" } });
  // And so on: the one that was taken over can be reloaded.
  expect(await service.command()).toMatchObject({ status: 0 });
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 1 });
  expect((await service.process.stop()).status).toBe(0);
});

test("a signal to both processes, as of a service manager, is one: what has begun is answered", async () => {
  const service = await Service.start(memory);
  const { pid, keeper } = service.process;
  const [host, port] = service.address.split(":");
  const client = connect({ host: host ?? "", port: Number(port) });
  await once(client, "connect");
  client.write("GET /lamp HTTP/1.1\r\n");
  let answer = "";
  client.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  // The request has begun, when another that came later is answered.
  await service.ask("GET", "/lamp");
  process.kill(pid, "SIGTERM");
  process.kill(keeper, "SIGTERM");
  await eventually("it accepts no more", () => !isListening(service.address));
  client.write("Host: nound\r\n\r\n");
  expect((await service.process.ending()).status).toBe(0);
  expect(answer).toContain("200 OK");
});

test("a Unix socket stays where it is", async () => {
  const path = temporaryPath("nound.sock");
  const service = await Service.start(memory);
  const listen = [service.address, `unix:${path}`];
  service.configure(memory, { listen });
  await service.reload();
  await eventually("the socket is there", () => isListening(`unix:${path}`));
  await service.reload();
  expect(isListening(`unix:${path}`)).toBe(true);
  await service.process.stop();
  expect(isListening(`unix:${path}`)).toBe(false);
});

test.skipIf(hasSanitizers)("the keeper has 0.1 MB of its own at most (skipped with sanitizers)", async () => {
  const service = await Service.start(memory);
  await service.reload();
  const rollup = readFileSync(`/proc/${service.process.keeper}/smaps_rollup`, "latin1");
  // Not Private_Dirty, which has pages of a program that was just built.
  const [, kilobytes] = rollup.match(/^Anonymous:\s+(\d+) kB$/m) ?? [];
  expect(Number(kilobytes)).toBeLessThanOrEqual(100);
});
