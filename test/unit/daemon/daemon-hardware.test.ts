/** The stock program and hardware: when it is opened, what happens when it fails, how it is left, and `--simulate`. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { patience } from "../../harness/patience.ts";
import { output } from "../nouns/simulated-line.ts";
import { TestPlatform, TestSocket } from "./test-platform.ts";

let program: TestPlatform;

beforeEach(() => {
  program = new TestPlatform();
});

/** Asks the program what a client would, and gives the answer's body. */
async function ask(method: string, target: string, body?: string): Promise<unknown> {
  const socket = new TestSocket();
  program.open.get("127.0.0.1:8080")?.(socket);
  const fields = body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.handler?.onBytes(`${method} ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n${body ?? ""}`);
  await vi.waitUntil(() => socket.sent !== "", { interval: 1, timeout: patience });
  socket.handler?.onEnd();
  const [, answer = ""] = socket.sent.split("\r\n\r\n");
  return JSON.parse(answer);
}

function configure(nouns: object, rest: object = {}): void {
  program.files.set("n.json", JSON.stringify({ ...rest, nouns }));
}

const pump = { kind: "gpio-output", chip: "gpiochip0", offset: 17, key: "pump" };
const button = { kind: "gpio-input", line: "BUTTON", activeLow: true, edges: "both", key: "button" };
const battery = { kind: "sensor", device: "iio:device0", channel: "voltage0" };
const pin = () => program.hardware.gpio.pin({ chip: "gpiochip0", offset: 17 });

test("the nouns of the configuration move the device's hardware", async () => {
  configure({ pump });
  await program.run("-c", "n.json");
  expect(await ask("PUT", "/pump", '{"pump":1}')).toEqual({ pump: 1 });
  expect(pin()).toMatchObject({ voltage: 1, settings: { consumer: "nound:pump" } });
  expect(await ask("GET", "/simulated.pump")).toMatchObject({ status: 404 });
});

describe("--check on the device", () => {
  const line = (offset: number) => ({ ...pump, offset });
  const hold = (offset: number, consumer: string) =>
    program.hardware.gpio.openLine("gpiod", { chip: "gpiochip0", offset }, { ...output, consumer });

  beforeEach(() => {
    program.hardware.files.texts.set("/sys/bus/gpio/devices/gpiochip0/label", "chip");
  });

  async function check(...args: string[]) {
    await program.run("--check", "-c", "n.json", ...args);
    return { status: await program.status(), output: program.output, error: program.error };
  }

  test("moves nothing", async () => {
    configure({ pump });
    expect(await check()).toMatchObject({ status: 0, error: "" });
    expect(pin()?.settings).toBeUndefined();
    expect(pin()?.isOutput).toBe(false);
  });

  test("takes a line that the running nound holds", async () => {
    configure({ pump });
    hold(17, "nound:pump");
    expect(await check()).toMatchObject({ status: 0, error: "" });
  });

  test("names each noun whose hardware is not there or in use, each in one line", async () => {
    hold(18, "gpioset");
    hold(19, "nounder");
    program.hardware.files.texts.set("/sys/bus/iio/devices/iio:device1/name", "adc\n");
    configure({ first: pump, second: line(18), third: line(19), battery });
    const { status, output: said, error } = await check();
    expect({ status, error }).toEqual({ status: 0, error: "" });
    expect(said.split("\n").slice(1).join("\n")).toBe(
      'n.json: the noun second: the GPIO line gpiochip0 18 is in use by "gpioset"\n' +
        'n.json: the noun third: the GPIO line gpiochip0 19 is in use by "nounder"\n' +
        'n.json: the noun battery: there is no sensor "iio:device0"; available: adc\n',
    );
  });

  test("says which hardware this machine has none of, and tries the rest", async () => {
    configure({ pump, battery });
    const { status, output: said, error } = await check();
    expect({ status, error }).toEqual({ status: 0, error: "" });
    expect(said).toMatch(/\nn\.json: not checked, because this machine has no such hardware: battery\n$/);
  });

  test("tries no hardware with --simulate, and says so", async () => {
    configure({ pump });
    hold(17, "gpioset");
    const { status, output: said, error } = await check("--simulate");
    expect({ status, error }).toEqual({ status: 0, error: "" });
    expect(said).toMatch(/\nn\.json: not checked: the hardware, because it is simulated\n$/);
  });
});

test("a noun whose hardware cannot be opened fails, and the others are served", async () => {
  const blocker = { ...pump, offset: 18 };
  const actions = JSON.parse('{"then":{"PUT first":{"pump":1}}}') as object;
  const rule = { kind: "rule", when: { lamp: { brightness: 1 } }, ...actions };
  configure({ first: pump, second: blocker, lamp: { kind: "led", device: "none" }, rule }, { log: "errors" });
  program.hardware.gpio.openLine("gpiod", { chip: "gpiochip0", offset: 18 }, { ...output, consumer: "gpioset" });
  program.hardware.sysfs.unplug("leds", "none");
  await program.run("-c", "n.json");
  expect(program.statuses).toEqual([]);
  expect(program.error).toContain('second: the GPIO line gpiochip0 18 is in use by "gpioset"\n');
  expect(await ask("PUT", "/first", '{"pump":1}')).toEqual({ pump: 1 });
  expect(pin().voltage).toBe(1);
  const detail = "The line of this noun is gone.";
  expect(await ask("GET", "/second")).toEqual({ status: 500, title: "Internal Server Error", detail });
  expect(await ask("PUT", "/second", '{"pump":1}')).toEqual({ status: 503, title: "Service Unavailable", detail });
  expect(await ask("GET", "/lamp")).toMatchObject({ status: 503, detail: expect.stringContaining("is missing") });
});

test("without the folder that an output keeps its level in, nothing starts, and what is open is closed", async () => {
  configure({ first: pump, second: { ...pump, offset: 18, boot: "restore" } }, { stateDirectory: "/var/lib/nound" });
  program.hardware.storage.failure = new Error("cannot use /var/lib/nound: read-only");
  await program.run("-c", "n.json");
  expect(await program.status()).toBe(69);
  expect(program.error).toBe("nound: the noun second cannot be made: cannot use /var/lib/nound: read-only\n");
  expect(program.open.size).toBe(0);
  expect(pin().settings).toBeUndefined();
});

test("a hardware failure is answered with 500 and named in the log alone", async () => {
  configure({ pump }, { log: "requests" });
  await program.run("-c", "n.json");
  pin().failure = new Error("Input/output error");
  expect(await ask("PUT", "/pump", '{"pump":1}')).toEqual({
    status: 500,
    title: "Internal Server Error",
    detail: "The noun failed.",
  });
  expect(program.error).toContain("Input/output error");
  pin().failure = undefined;
  expect(await ask("GET", "/pump")).toEqual({ pump: 0 });
});

test.each(["SIGTERM", "SIGINT"] as const)("%s leaves the outputs as they are configured", async (name) => {
  configure({ pump });
  await program.run("-c", "n.json");
  await ask("PUT", "/pump", '{"pump":1}');
  program.signal(name);
  await program.status();
  expect(pin()).toMatchObject({ voltage: 0, settings: undefined });
});

test("a second signal leaves them so at once", async () => {
  configure({ pump });
  await program.run("-c", "n.json");
  await ask("PUT", "/pump", '{"pump":1}');
  const socket = new TestSocket();
  program.open.get("127.0.0.1:8080")?.(socket);
  socket.handler?.onBytes("GET /pump HT"); // begun, and never completed
  program.signal("SIGTERM");
  expect(pin().voltage).toBe(1);
  program.signal("SIGTERM");
  expect(pin().voltage).toBe(0);
});

test("a noun that fails at the end is logged and keeps no other from its own", async () => {
  configure({ bad: { ...pump, offset: 1 }, pump }, { log: "errors" });
  await program.run("-c", "n.json");
  await ask("PUT", "/pump", '{"pump":1}');
  program.hardware.gpio.pin({ chip: "gpiochip0", offset: 1 }).failure = new Error("gone");
  program.signal("SIGTERM");
  expect(await program.status()).toBe(0);
  expect(program.error).toMatch(/^closing bad: .*gone/m);
  expect(pin().voltage).toBe(0);
});

test("what the nouns keep is in the state directory", async () => {
  configure({ pump: { ...pump, boot: "restore" } }, { stateDirectory: "/var/lib/nound" });
  await program.run("-c", "n.json");
  await ask("PUT", "/pump", '{"pump":1}');
  expect(program.hardware.storage.openStore("/var/lib/nound").read("output-pump")).toBe("1");
});

describe("--simulate with a configuration", () => {
  test("leaves the device's own hardware alone", async () => {
    configure({ pump: { ...pump, boot: "restore" } }, { stateDirectory: "/var/lib/nound" });
    await program.run("-c", "n.json", "--simulate");
    expect(await ask("PUT", "/pump", '{"pump":1}')).toEqual({ pump: 1 });
    expect(pin()).toMatchObject({ isOutput: false });
    expect(program.hardware.storage.openStore("/var/lib/nound").read("output-pump")).toBeUndefined();
  });

  test("has beside each noun that only reads one that moves what it reads", async () => {
    configure({ button, battery });
    await program.run("-c", "n.json", "--simulate");
    expect(await ask("GET", "/simulated.button")).toEqual({ button: 0 });
    expect(await ask("PUT", "/simulated.button", '{"button":1}')).toEqual({ button: 1 });
    expect(await ask("GET", "/button")).toEqual({ button: 1, edges: 1, missed: 0, sinceEdge: 0 });
    expect(await ask("POST", "/simulated.button", "{}")).toEqual({ button: 0 });
    expect(await ask("GET", "/button")).toMatchObject({ button: 0, edges: 2 });
    expect(await ask("PUT", "/simulated.battery", '{"volts":2.5}')).toEqual({ volts: 2.5 });
    expect(await ask("GET", "/battery")).toEqual({ volts: 2.5 });
    expect(await ask("PUT", "/simulated.battery", '{"raw":1}')).toMatchObject({ status: 422 });
  });

  test("is what NOUND_SIMULATE=1 asks for, too", async () => {
    configure({ pump });
    program.environment.set("NOUND_SIMULATE", "1");
    await program.run("-c", "n.json");
    expect(await ask("PUT", "/pump", '{"pump":1}')).toEqual({ pump: 1 });
    expect(pin()).toMatchObject({ isOutput: false });
  });

  test("leaves a name alone that the configuration has for something else, or that would be too long", async () => {
    const long = "b".repeat(55);
    configure({ button, "simulated.button": { kind: "value" }, [long]: { ...button, line: "OTHER" } });
    await program.run("-c", "n.json", "--simulate");
    expect(await ask("GET", "/simulated.button")).toEqual({});
    expect(await ask("GET", `/simulated.${long}`)).toMatchObject({ status: 404 });
    expect(await ask("GET", `/${long}`)).toMatchObject({ button: 0 });
  });
});
