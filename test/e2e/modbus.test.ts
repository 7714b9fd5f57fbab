/** Modbus with real servers: pymodbus and libmodbus, over joined pseudoterminals and TCP. Skipped without them. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { freeAddress, portOf } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, startConfigured, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { judgesTime } from "../harness/waiting-time.ts";

const python = "/usr/bin/python3";
const hasPymodbus = existsSync(python) && spawnSync(python, ["-c", "import pymodbus.server, serial"]).status === 0;
const hasLibmodbus = existsSync("/usr/include/modbus/modbus.h") && existsSync("/usr/bin/cc");

/** Starts a program, and waits until it prints a line. */
async function started(
  program: string,
  ...args: string[]
): Promise<{ child: ChildProcess; line: string; lines: () => string[] }> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const lines = () => {
    if (child.exitCode !== null) throw new Error(`${program} ${args.join(" ")} has ended: ${errors}`);
    return output.split("\n").slice(0, -1);
  };
  const line = await eventually(`${program} ${args.join(" ")} is ready`, () => lines()[0]);
  return { child, line, lines };
}

async function pair() {
  const { child, line, lines } = await started(python, "test/e2e/modbus/pair.py");
  const [device = "", server = ""] = line.split(" ");
  const tell = async (command: string) => {
    const count = lines().length;
    child.stdin?.write(`${command}\n`);
    return await eventually(`the line does: ${command}`, () => lines()[count]);
  };
  return { device, server, tell };
}

async function serve(nouns: object, limits: object = {}): Promise<NoundProcess> {
  const listen = await freeAddress();
  return forThisTest(await startConfigured({ listen, nouns, limits }, listen));
}

async function ask(nound: NoundProcess, bytes: string): Promise<{ status: number; state: State }> {
  const connection = await RawConnection.open(nound.address);
  connection.send(bytes);
  const { status, body } = await connection.response();
  connection.drop();
  return { status, state: JSON.parse(body.toString()) as State };
}

const nothingWrong = {
  timeouts: 0,
  garbled: 0,
  strays: 0,
  misnumbered: 0,
  late: 0,
  exceptions: 0,
  lastException: null,
};

const allKinds = {
  coil: { at: "coil 3", writable: true },
  discrete: { at: "discrete 4" },
  input: { at: "input 5" },
  pair: { at: "holding 10", as: "uint32" },
  low: { at: "holding 10", as: "uint32", order: "CDAB" },
  limit: { at: "holding 20", as: "int16", scale: 0.1, writable: true, minimum: -100, maximum: 100 },
  float: { at: "holding 22", as: "float32", writable: true },
  double: { at: "holding 24", as: "float64", order: "DCBA", writable: true },
  long: { at: "holding 28", as: "int64", writable: true },
};

/** Reads and writes everything, of a unit whose register N is `base` + N. */
async function tryAll(place: object, base: number): Promise<void> {
  const nound = await serve({ it: { kind: "modbus", ...place, keys: allKinds } });
  const { state } = await ask(nound, get("/it"));
  expect(state).toMatchObject({
    input: base + 5,
    pair: (base + 10) * 65_536 + base + 11,
    low: (base + 11) * 65_536 + base + 10,
    ...nothingWrong,
  });
  const wanted = { coil: true, limit: -12.5, float: 230.1, double: -1.25e-7, long: -9_007_199_254_740_991 };
  expect(await ask(nound, post("/it", wanted))).toMatchObject({ status: 200, state: { ...wanted, ...nothingWrong } });
  expect(await ask(nound, post("/it", { coil: false }))).toMatchObject({
    status: 200,
    state: { ...wanted, coil: false },
  });
  expect((await ask(nound, post("/it", { limit: 100.1 }))).status).toBe(422);
}

test.skipIf(!hasPymodbus)("pymodbus by TCP: all tables, types and orders, there and back", async () => {
  const server = await freeAddress();
  await started(python, "test/e2e/modbus/pymodbus_server.py", "tcp", `${portOf(server)}`);
  await eventually("the server listens", () =>
    tryAll({ server, unit: 7 }, 700).then(
      () => true,
      (error: unknown) => {
        if (!String(error).includes("null")) throw error;
        return false;
      },
    ),
  );
});

test.skipIf(!hasPymodbus)(
  "pymodbus on a serial line: 20 nouns, noise, a cut line; its silence is judged by test:time",
  async () => {
    const { device, server, tell } = await pair();
    await started(python, "test/e2e/modbus/pymodbus_server.py", "rtu", server);
    const keys = { first: { at: "holding 0" }, last: { at: "input 63" } };
    // Those that will not answer have less time.
    const noun = (unit: number, timeout: number) => ({ kind: "modbus", device, baud: 115_200, timeout, unit, keys });
    const names = Array.from({ length: 20 }, (_, index) => index + 1);
    const nouns = names.map((unit) => [`unit${unit}`, noun(unit, unit === 3 ? 300 : 2_000)]);
    const absent = noun(99, 300);
    // The last of 40 questions waits for all others, through the relay of a machine that may have other work.
    const nound = await serve({ ...Object.fromEntries(nouns), absent }, { nounTimeout: 60_000 });
    const right = (unit: number) => ({ first: unit * 100, last: unit * 100 + 63 });
    await eventually("the server answers", async () => (await ask(nound, get("/unit1"))).state["first"] === 100);
    const all = await Promise.all(names.map((unit) => ask(nound, get(`/unit${unit}`))));
    expect(all.map(({ state }) => [state["first"], state["last"]])).toEqual(
      names.map((unit) => [right(unit).first, right(unit).last]),
    );
    const [silence = 0, silences = 0] = (await tell("silence")).split(" ").map(Number);
    console.log(`the shortest of ${silences} silences before a question: ${silence.toFixed(2)} ms`);
    expect(silences).toBeGreaterThan(20);
    // A relay that is late shortens what it sees.
    if (judgesTime) expect(silence).toBeGreaterThanOrEqual(1.75);
    expect(await ask(nound, get("/absent"))).toMatchObject({
      status: 200,
      state: { first: null, last: null, timeouts: 1 },
    });
    await tell("noise 0103ff00aa55");
    expect((await ask(nound, get("/unit2"))).state).toMatchObject(right(2));
    await tell("cut");
    expect((await ask(nound, get("/unit3"))).state).toMatchObject({ first: null, last: null, timeouts: 1 });
    await tell("join");
    await eventually("the unit is back", async () => (await ask(nound, get("/unit3"))).state["first"] === 300);
  },
);

test.skipIf(!hasPymodbus)("a cover moves on two coils of pymodbus, and has one of them on at most", async () => {
  const address = await freeAddress();
  await started(python, "test/e2e/modbus/pymodbus_server.py", "tcp", `${portOf(address)}`);
  const coil = (at: number) => ({
    kind: "modbus",
    server: address,
    keys: { on: { at: `coil ${at}`, writable: true } },
  });
  const times = { openTime: 600_000, closeTime: 600_000, pause: 100, boot: "default" };
  const gate = { kind: "cover", open: { noun: "up" }, close: { noun: "down" }, ...times };
  const nound = await serve({ up: coil(0), down: coil(2), gate });
  const are = (up: boolean, down: boolean) =>
    eventually(`the coils are ${up} and ${down}`, async () => {
      const all = await Promise.all(["/up", "/down"].map(async (path) => (await ask(nound, get(path))).state["on"]));
      expect(all).not.toEqual([true, true]);
      return all[0] === up && all[1] === down;
    });
  await are(false, false);
  for (const [moving, up, down] of [
    ["opening", true, false],
    ["closing", false, true],
    ["stopped", false, false],
  ] as const) {
    expect((await ask(nound, put("/gate", { moving }))).status).toBe(200);
    await are(up, down);
  }
});

/** The number of the unit that a noun of `--find modbus` reads. */
const unitOf = (noun: object) => Number(Object.keys(noun)[0]?.slice("unit".length));

test.skipIf(!hasPymodbus)(
  "--find modbus names the units that answer, late or not, and asks only functions 3 and 4",
  async () => {
    const { device, server, tell } = await pair();
    await started(python, "test/e2e/modbus/pymodbus_server.py", "rtu", server, "1-3,5-98,100-247");
    const find = async () =>
      await endedByThisTest(new NoundProcess(["--find", "modbus", device, "115200"], "")).ending();
    const { status, stdout, stderr } = await find();
    const nouns = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    nouns.sort((one, other) => unitOf(one) - unitOf(other)); // late ones come last
    const place = { kind: "modbus", device, baud: 115_200 };
    const nounOf = (unit: number, read: string) => ({
      [`unit${unit}`]: { ...place, unit, keys: { register0: { at: `${read} 0` } } },
    });
    const present = Array.from({ length: 247 }, (_, index) => index + 1).filter((unit) => unit !== 4 && unit !== 99);
    expect(nouns).toEqual(present.map((unit) => nounOf(unit, unit === 7 ? "input" : "holding")));
    expect(status).toBe(0);
    expect(stderr).toContain('nound: unit 5 answers: register 0 of "holding" is 500\n');
    expect(await tell("asked")).toBe("8:3 8:4");
    const noun = Object.assign({}, ...nouns.slice(0, 1));
    const nound = await serve(noun);
    expect((await ask(nound, get("/unit1"))).state).toMatchObject({ register0: 100 });
  },
);

test("--find modbus says why it cannot ask, with status 69", async () => {
  const { status, stderr } = await endedByThisTest(new NoundProcess(["--find", "modbus", "/dev/null"], "")).ending();
  expect({ status, stderr }).toMatchObject({ status: 69, stderr: expect.stringContaining("/dev/null") });
});

test.skipIf(!hasLibmodbus || !hasPymodbus)(
  "libmodbus on a serial line and by TCP: there and back, and exceptions",
  async () => {
    const program = temporaryPath("libmodbus-server");
    execFileSync("/usr/bin/cc", ["-o", program, "test/e2e/modbus/libmodbus-server.c", "-lmodbus"]);
    const { device, server } = await pair();
    await started(program, "rtu", server, "17");
    await tryAll({ device, baud: 115_200, unit: 17 }, 0);
    const address = await freeAddress();
    await started(program, "tcp", `${portOf(address)}`);
    await tryAll({ server: address, unit: 255 }, 0);
    const { device: other, server: far } = await pair();
    await started(program, "rtu", far, "1");
    const keys = { there: { at: "holding 0" }, beyond: { at: "holding 64", writable: true } };
    const nound = await serve({ it: { kind: "modbus", device: other, baud: 115_200, keys } });
    const { state } = await ask(nound, get("/it"));
    expect(state).toMatchObject({ there: 0, beyond: null, exceptions: 1, lastException: 2, timeouts: 0 });
    const { status, state: problem } = await ask(nound, post("/it", { beyond: 1 }));
    expect(status).toBe(500);
    expect(problem["detail"]).toBe('The unit did not take "beyond": it does not have this address (2).');
  },
);

/** Starts a server of Modbus TCP that answers each question as it likes. */
async function liar(answer: (socket: Socket, question: Buffer) => void): Promise<string> {
  const address = await freeAddress();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (question: Buffer) => answer(socket, question));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(portOf(address), "127.0.0.1", resolve));
  return address;
}

/** @returns the checksum of Modbus RTU, low byte first. */
function checksumOf(bytes: Buffer): Buffer {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return Buffer.from([crc & 0xff, crc >> 8]);
}

test("a transparent converter: frames of Modbus RTU in a connection, which it closes after each answer", async () => {
  const server = await liar((socket, question) => {
    const isRight = checksumOf(question.subarray(0, -2)).equals(question.subarray(-2));
    if (!isRight || question[0] !== 5) return;
    const answer =
      question[1] === 6 ? question.subarray(0, 6) : Buffer.from([5, 3, 4, 0x48, 0x69, 0, question[3] === 0 ? 1 : 0]);
    socket.end(Buffer.concat([answer, checksumOf(answer)]));
  });
  const keys = {
    name: { at: "holding 0", as: "string", length: 4, none: "" },
    command: { at: "holding 9", as: "uint32", none: 0x48690000 },
    reset: { at: "holding 30", writable: true, confirm: "answer" },
  };
  const { reset, ...values } = keys;
  const nound = await serve({
    it: { kind: "modbus", server, framing: "rtu", unit: 5, keys: values },
    button: { kind: "modbus", server, framing: "rtu", unit: 5, keys: { reset } },
  });
  for (let times = 0; times < 2; times++) {
    expect((await ask(nound, get("/it"))).state).toEqual({ name: "Hi", command: null, ...nothingWrong });
  }
  expect((await ask(nound, post("/button", { reset: 1 }))).status).toBe(200);
});

const keys = { value: { at: "holding 0", as: "uint32", writable: true } };

test("a server that does not take a value is told apart: 500 with what it has", async () => {
  const server = await liar((socket, question) => {
    const head = [question[0] ?? 0, question[1] ?? 0, 0, 0, 0];
    const isWrite = question[7] === 16;
    socket.write(
      Buffer.from(
        isWrite ? [...head, 6, ...question.subarray(6, 12)] : [...head, 7, question[6] ?? 0, 3, 4, 0, 0, 0, 7],
      ),
    );
  });
  const nound = await serve({ it: { kind: "modbus", server, keys } });
  expect((await ask(nound, get("/it"))).state).toMatchObject({ value: 7 });
  const { status, state } = await ask(nound, post("/it", { value: 8 }));
  expect([status, state["detail"]]).toEqual([500, 'The unit did not take "value": it has 7.']);
});

test.each<[string, (socket: Socket, question: Buffer) => void]>([
  ["sends without end", (socket) => void socket.write(Buffer.alloc(4_000_000, 0x41))],
  [
    "sends a length that none has",
    (socket, question) =>
      void socket.write(Buffer.concat([question.subarray(0, 2), Buffer.from([0, 0, 255, 255, 1, 3])])),
  ],
  ["says nothing", () => {}],
  ["closes after each byte", (socket) => void socket.end(Buffer.from([0]))],
])("a hostile server that %s gives null, and the others are served", async (_, answer) => {
  const server = await liar(answer);
  const nound = await serve({
    it: { kind: "modbus", server, timeout: 200, keys },
    lamp: { kind: "switch", key: "lamp" },
  });
  for (let times = 0; times < 5; times++) {
    expect(await ask(nound, get("/it"))).toMatchObject({ status: 200, state: { value: null } });
    expect(await ask(nound, get("/lamp"))).toMatchObject({ status: 200 });
  }
  expect((await ask(nound, post("/it", { value: 1 }))).status).toBe(503);
});

/** Two coils behind a server: that of a pump, and that of a heater that needs it. */
async function heaterAndPump() {
  const coils = [0, 0];
  const writes: string[] = [];
  const server = await liar((socket, question) => {
    const [transaction, unit, code, at = 0, on] = [
      question.subarray(0, 2),
      question[6],
      question[7],
      question[9],
      question[10],
    ];
    const reply = (...bytes: readonly number[]) =>
      void socket.write(Buffer.from([...transaction, 0, 0, 0, bytes.length + 1, unit ?? 0, ...bytes]));
    if (code === 1) return reply(1, 1, coils[at] ?? 0);
    coils[at] = on === 0xff ? 1 : 0;
    writes.push(`${at === 0 ? "pump" : "heater"}=${coils[at]}`);
    return reply(...question.subarray(7, 12));
  });
  const coil = (at: number) => ({
    kind: "modbus",
    server,
    poll: 60_000,
    keys: { on: { at: `coil ${at}`, writable: true, default: false } },
  });
  const nouns = { pump: coil(0), heater: { ...coil(1), guard: { pump: { on: true } } } };
  const nound = await serve(nouns);
  for (const name of ["pump", "heater"]) {
    const { status } = await ask(nound, post(`/${name}`, { on: true }));
    expect(status).toBe(200);
  }
  writes.splice(0);
  return { nound, coils, writes };
}

test("at SIGTERM, a guarded Modbus output goes to its default", async () => {
  const { nound, coils, writes } = await heaterAndPump();
  expect((await nound.stop()).status).toBe(0);
  expect([writes[0], coils]).toEqual(["heater=0", [1, 0]]);
});
