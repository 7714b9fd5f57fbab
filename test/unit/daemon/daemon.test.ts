import { beforeEach, describe, expect, test, vi } from "vitest";
import { helpText } from "../../../ts/program/daemon/help.ts";
import { patience } from "../../harness/patience.ts";
import { TestPlatform, TestSocket } from "./test-platform.ts";

const minimal = '{"nouns":{"led":{"kind":"switch","key":"led"}}}';
let program: TestPlatform;

beforeEach(() => {
  program = new TestPlatform();
  program.files.set("n.json", minimal);
});

test("--help and --version print to standard output and end", async () => {
  await program.run("--help");
  expect(program).toMatchObject({ output: helpText(), error: "", statuses: [0] });
  program = new TestPlatform();
  await program.run("--version");
  expect(program).toMatchObject({
    output: "nound 1.2.3+a52e1cc (engine 4, target; GPIO: gpiod, sysfs)\n",
    error: "",
    statuses: [0],
  });
});

test.each([
  ["wrong usage", ["--foo"], 64, "nound: unknown option --foo; see nound --help\n"],
  ["a missing file", ["-c", "x.json"], 78, "nound: cannot read x.json: there is no such file\n"],
  [
    "a text that is not JSON",
    ["-c", "syntax"],
    78,
    'nound: syntax: line 1, column 2: expected a key in double quotes, found "led"\n',
  ],
  [
    "a wrong configuration to check",
    ["--check", "-c", "kind"],
    78,
    `nound: kind: $.nouns.led.kind: expected one of "switch", "value", "gpio-output", "gpio-input", "cover", ` +
      `"input", "led", "pwm", "sensor", "sysfs", "modbus", ` +
      `"mirror", "rule", "schedule", "webhook", found "swich"; did you mean "switch"?
`,
  ],
])("%s is one line on standard error and a status", async (_what, args, status, error) => {
  program.files.set("syntax", "{led: 1}").set("kind", '{"nouns":{"led":{"kind":"swich"}}}');
  await program.run(...args);
  expect(program).toMatchObject({ output: "", error, statuses: [status] });
  expect(program.open.size).toBe(0);
});

test("--check says what the configuration holds and opens nothing", async () => {
  await program.run("--check", "--config", "n.json");
  expect(program).toMatchObject({
    output: "n.json: 1 noun, listens on 127.0.0.1:8080; serves with little\n",
    error: "",
    statuses: [0],
  });
  expect(program.open.size).toBe(0);
});

test("--check judges the addresses of --listen with it", async () => {
  program.files.set("two.json", '{"listen":["[::]:80"],"nouns":{"a":{"kind":"value"},"b":{"kind":"value"}}}');
  await program.run("--check", "-c", "two.json", "--listen", "127.0.0.1:1", "--listen", "unix:/a");
  expect(program.output).toBe("two.json: 2 nouns, listens on 127.0.0.1:1, unix:/a; serves with little\n");
});

test("--check names the words of an earlier version that are read", async () => {
  program.files.set("n.json", '{"address":"https://a.example","nouns":{"a":{"kind":"value"}}}');
  await program.run("--check", "--config", "n.json");
  expect(program).toMatchObject({ error: "", statuses: [0] });
  expect(program.output.split("\n").slice(1)).toEqual([
    'n.json: $.address: expected what took the place of "address": "url": "https://a.example"',
    "n.json: these words are read until 1.0; `npx nound migrate FILE` writes those of today",
    "",
  ]);
});

describe("--check says whether the nouns could all be full:", () => {
  /** What it prints beside the summary. */
  async function advice(count: number, noun: object, limits: object): Promise<string> {
    const nouns = Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, noun]));
    program.files.set("many.json", JSON.stringify({ limits, nouns }));
    await program.run("--check", "-c", "many.json");
    expect(program).toMatchObject({ error: "", statuses: [0] });
    const [summary = "", ...more] = program.output.split(/(?<=\n)/);
    expect(summary).toContain("serves with little\n");
    return more.join("");
  }

  const values = { kind: "value" };
  const texts = { kind: "value", default: { text: "" }, shape: { text: { type: "string" } } };
  const levels = { kind: "value", default: { level: 1 }, shape: { level: { type: "integer" } } };

  // By default, a state may take 6 times 16 KB, and 256 bytes for each of 64 pairs.
  test.each([
    ["as many as there is room for", 73, values, {}],
    ["many whose shape bounds them", 1_000, levels, {}],
    ["many of another kind", 1_000, { kind: "switch", key: "led" }, {}],
    ["many with small states", 400, values, { bodyBytes: 16 }],
    ["many with much memory", 1_000, values, { memoryBytes: 458_752_000 }],
  ])("nothing of %s", async (_name, count, noun, limits) => {
    expect(await advice(count, noun, limits)).toBe("");
  });

  test.each([
    ["too many", 74, values, {}, 114_688],
    ["too many texts", 74, texts, {}, 114_688],
    ["three with large bodies", 3, values, { bodyBytes: 1_048_576 }, 25_182_208],
    ["three with little memory", 3, texts, { bodyBytes: 65_536, memoryBytes: 4_194_304 }, 1_589_248],
  ])("a sentence of %s", async (_name, count, noun, limits, each) => {
    const told = await advice(count, noun, limits);
    expect(told).toMatch(`many.json: ${count} of the nouns could not all be full: `);
    expect(told).toMatch(`each may take ${each} bytes of memory`);
  });
});

test("a configuration is served in silence on its addresses", async () => {
  program.files.set("n.json", minimal.replace("{", '{"listen":["127.0.0.1:1","[::1]:2"],'));
  await program.run("-c", "n.json", "--simulate");
  expect([...program.open.keys()]).toEqual(["127.0.0.1:1", "[::1]:2"]);
  expect(program).toMatchObject({ output: "", error: "", statuses: [] });
});

test("--listen stands instead of the configuration's addresses", async () => {
  await program.run("-c", "n.json", "--listen", "127.0.0.1:1");
  expect([...program.open.keys()]).toEqual(["127.0.0.1:1"]);
});

describe("the first event of a stream", () => {
  /** @returns its id. */
  async function firstId(): Promise<string> {
    await program.run("-c", "n.json");
    const socket = new TestSocket();
    program.open.get("127.0.0.1:8080")?.(socket);
    socket.handler?.onBytes("GET /led HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n");
    return /^id: (.*)\ndata: \{"led":0\}$/m.exec(socket.sent)?.[1] ?? "";
  }

  test("has random numbers as its id, neither the time nor the count of events", async () => {
    const ids = [await firstId(), await firstId()];
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]+-[0-9]+$/), expect.stringMatching(/^[0-9a-f]+-[0-9]+$/)]);
    const numbers = ids.flatMap((id) => id.split("-"));
    expect(new Set(numbers).size).toBe(4);
    expect(numbers).not.toContain("1");
  });

  test("comes at once where the kernel has no random numbers yet", async () => {
    program.hasNoRandomNumbers = true;
    expect(await firstId()).toBe("0-1");
  });
});

test("the nouns of the configuration answer", async () => {
  await program.run("-c", "n.json");
  const socket = new TestSocket();
  program.open.get("127.0.0.1:8080")?.(socket);
  socket.handler?.onBytes("GET /LED HTTP/1.1\r\nHost: a\r\n\r\n");
  await vi.waitUntil(() => socket.sent !== "", { interval: 1, timeout: patience });
  expect(socket.sent).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"led":0\}$/);
});

test("the limits of the configuration are kept", async () => {
  program.files.set("n.json", minimal.replace("{", '{"limits":{"bodyBytes":16},'));
  await program.run("-c", "n.json");
  const socket = new TestSocket();
  program.open.get("127.0.0.1:8080")?.(socket);
  const fields = "Host: a\r\nContent-Type: application/json\r\nContent-Length: 17";
  socket.handler?.onBytes(`PUT /led HTTP/1.1\r\n${fields}\r\n\r\n`);
  expect(socket.sent).toMatch(/^HTTP\/1\.1 413 /);
});

test("the limits of the process are its own, whatever the server's are", async () => {
  program.files.set("n.json", minimal.replace("{", '{"limits":{"memoryBytes":8388608,"bodyBytes":100},'));
  await program.run("-c", "n.json");
  expect(program.limits).toEqual({ calls: [1_000], memory: [8_388_608] });
});

test("a program that serves nothing is not limited", async () => {
  await program.run("--check", "-c", "n.json");
  expect(program.limits).toEqual({ calls: [], memory: [] });
});

test("the demonstration says in one line where it is and how to try it", async () => {
  await program.run("--simulate", "--listen", "127.0.0.1:0");
  expect(program.error).toBe(
    "nound: serving led, door, greeting, thermostat on 127.0.0.1:40000 for a demonstration; try: curl " +
      "http://127.0.0.1:40000/led, or open http://127.0.0.1:40000/\n",
  );
  expect(program.output).toBe("");
});

test("an address in use ends the start, and what is open already is closed first", async () => {
  program.inUse.add("127.0.0.1:2");
  await program.run("--simulate", "--listen", "unix:/a", "--listen", "127.0.0.1:2");
  expect(await program.status()).toBe(69);
  expect(program.error).toBe("nound: cannot listen on 127.0.0.1:2: the address is in use by another program\n");
  expect(program.open.size).toBe(0);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s stops accepting and ends with 0", async (name) => {
  await program.run("-c", "n.json");
  program.signal(name);
  expect(program.open.size).toBe(0);
  expect(await program.status()).toBe(0);
  expect(program.error).toBe("");
});

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("a second signal, %s, ends at once with %i", async (name, status) => {
  await program.run("-c", "n.json");
  const socket = new TestSocket();
  program.open.get("127.0.0.1:8080")?.(socket);
  socket.handler?.onBytes("GET /led HT"); // begun, and never completed
  program.signal("SIGTERM");
  program.signal(name);
  expect(program.statuses).toEqual([status]);
});

test("SIGHUP changes nothing", async () => {
  await program.run("-c", "n.json");
  program.signal("SIGHUP");
  expect(program.open.size).toBe(1);
  expect(program).toMatchObject({ error: "", statuses: [] });
});

const version = "nound 1.2.3+a52e1cc\n";
const requests = `${version}listening on 127.0.0.1:8080\nserving with little\n`;

test.each([
  ["--debug", ["--debug"], undefined, minimal, requests],
  ["NOUND_DEBUG=1", [], "1", minimal, requests],
  ['the configuration\'s "log": "requests"', [], undefined, minimal.replace("{", '{"log":"requests",'), requests],
  ['the configuration\'s "log": "errors"', [], undefined, minimal.replace("{", '{"log":"errors",'), version],
  ['--debug beside "log": "errors"', ["--debug"], undefined, minimal.replace("{", '{"log":"errors",'), requests],
  ["NOUND_DEBUG=0", [], "0", minimal, ""],
  ["an empty NOUND_DEBUG", [], "", minimal, ""],
])("with %s the log has what its level says of the start", async (_what, args, variable, text, logged) => {
  program.files.set("n.json", text);
  if (variable !== undefined) program.environment.set("NOUND_DEBUG", variable);
  await program.run("-c", "n.json", ...args);
  expect(program.error).toBe(logged);
});

/** For the id of the device. */
const machineId = "read /etc/machine-id";

/** For the model of the device, and its boot. */
const model = [
  ...["/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name", "/tmp/sysinfo/model"],
  "/proc/device-tree/model",
  "/proc/sys/kernel/random/boot_id",
].map((path) => `read ${path}`);

test.each([
  [
    "the command line's user",
    minimal,
    ["--user", "nound", "--group", "gpio"],
    ["become nound:gpio", "read n.json, trusted asRoot", machineId, ...model],
  ],
  [
    "the configuration's user",
    minimal.replace("{", '{"user":"nound",'),
    [],
    ["read n.json, trusted asRoot", "become nound", machineId, ...model],
  ],
  ["no user", minimal, [], ["read n.json, trusted asRoot", machineId, ...model]],
])("with %s, what is not needed is given up once everything is open", async (_what, text, args, before) => {
  for (const step of [machineId, ...model]) program.files.set(step.replace("read ", ""), "");
  program.files.set("n.json", text);
  await program.run("-c", "n.json", ...args);
  expect(program.steps).toEqual([...before, "give up, with 1 open"]);
});

test("a user that there is not keeps the program from starting, before anything is opened", async () => {
  program.files.set("n.json", minimal);
  program.unknownUsers.add("zqx");
  await program.run("-c", "n.json", "--user", "zqx");
  expect(await program.status()).toBe(69);
  expect(program.error).toBe('nound: there is no user "zqx" in /etc/passwd\n');
  expect(program.steps).toEqual([]);
});

test("--check looks for the user of --user", async () => {
  program.files.set("n.json", minimal);
  program.unknownUsers.add("zqx");
  await program.run("--check", "-c", "n.json", "--user", "zqx");
  expect(program).toMatchObject({
    output: "",
    error: 'nound: there is no user "zqx" in /etc/passwd\n',
    statuses: [69],
  });
});

test.each([
  [2, ""],
  [10, ""],
  [11, "nound: n.json: 1 more mistake\n"],
  [250, "nound: n.json: 240 more mistakes\n"],
  [251, "nound: n.json: more than 240 more mistakes\n"],
])("%i mistakes of a configuration are told in a line each, up to ten", async (count, rest) => {
  const nouns = Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, { kind: "switch" }]));
  program.files.set("n.json", JSON.stringify({ nouns }));
  await program.run("--check", "-c", "n.json");
  const lines = Array.from(
    { length: Math.min(count, 10) },
    (_, index) => `nound: n.json: $.nouns.n${index}.key: expected a string that is not empty, found nothing\n`,
  );
  expect(program).toMatchObject({ error: lines.join("") + rest, statuses: [78] });
});

test("errors that nobody caught go to the log, one line each, and the service goes on", async () => {
  await program.run("-c", "n.json", "--debug");
  program.error = "";
  program.uncaughtError?.(new Error("first\nline"));
  program.unhandledRejection?.(new Error("second"), undefined);
  expect(program.error).toMatch(/^uncaught error: .*first.*\nunhandled rejection: .*second.*\n$/);
  expect(program.statuses).toEqual([]);
});

test("without a log, errors that nobody caught are silent, and the service goes on", async () => {
  await program.run("-c", "n.json");
  program.uncaughtError?.(new Error("first"));
  program.unhandledRejection?.("second", undefined);
  expect(program.uncaughtError).toBeDefined();
  expect(program).toMatchObject({ output: "", error: "", statuses: [] });
});

/** An error of which nothing can be read. @param onLook called at each attempt. */
function unreadableError(onLook: () => void): Error {
  const refuse = () => {
    onLook();
    throw new Error("there is no memory");
  };
  return new Proxy(new Error(), { get: refuse, getPrototypeOf: refuse });
}

test("without a log, an error that nobody caught is not even looked at", async () => {
  await program.run("-c", "n.json");
  let looks = 0;
  program.uncaughtError?.(
    unreadableError(() => {
      looks += 1;
    }),
  );
  expect(program.uncaughtError).toBeDefined();
  expect(looks).toBe(0);
});

test("an error that cannot be described goes to the log without a description", async () => {
  await program.run("-c", "n.json", "--debug");
  program.error = "";
  program.uncaughtError?.(unreadableError(() => undefined));
  expect(program.error).toBe("uncaught error: an error that cannot be described\n");
});
