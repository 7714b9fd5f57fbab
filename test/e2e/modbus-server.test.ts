/** nound as a server of Modbus: pymodbus, libmodbus and mbpoll read and write. Skipped without them. */
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { freeAddress, portOf } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, startConfigured, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";

const run = promisify(execFile);
const python = "/usr/bin/python3";
const hasPymodbus = existsSync(python) && spawnSync(python, ["-c", "import pymodbus.client, serial"]).status === 0;
const hasLibmodbus = existsSync("/usr/include/modbus/modbus.h") && existsSync("/usr/bin/cc");
const hasMbpoll = spawnSync("mbpoll", ["-V"]).status === 0;

const nouns = {
  heater: { kind: "switch", key: "on", values: [false, true], default: false, guard: { pump: { on: true } } },
  pump: { kind: "switch", key: "on", values: [false, true], default: true },
  room: {
    kind: "value",
    shape: {
      target: { type: "integer", minimum: 5, maximum: 90 },
      celsius: { type: "number", minimum: -50, maximum: 90 },
    },
    default: { target: 20, celsius: 21.5 },
  },
};

const registers = {
  coil: { 0: "heater.on", 1: "pump.on" },
  holding: { 0: "room.target", 10: { key: "room.target", as: "int16" }, 11: "pump.on" },
  input: {
    ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [at, at === 0 ? "room.target" : "pump.on"])),
    200: { key: "room.celsius", as: "int16", scale: 0.1 },
  },
};

async function serve(options: object = {}, more: object = {}) {
  const listen = await freeAddress();
  const modbus = await freeAddress();
  const modbusServer = { listen: [modbus], may: ["GET *", "GET,POST heater,room"], registers, ...options };
  const nound = await startConfigured({ listen, nouns, modbusServer, ...more }, listen);
  return { nound: "log" in more ? endedByThisTest(nound) : forThisTest(nound), port: portOf(modbus) };
}

async function request(nound: NoundProcess, bytes: string): Promise<{ status: number; state: object }> {
  const connection = await RawConnection.open(nound.address);
  connection.send(bytes);
  const { status, body } = await connection.response();
  connection.drop();
  return { status, state: JSON.parse(body.toString()) as object };
}

/** Joins two pseudoterminals. @returns their paths. */
async function pair(): Promise<readonly [string, string]> {
  const child = spawn(python, ["test/e2e/modbus/pair.py"], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const line = await eventually("two pseudoterminals are joined", () => output.split("\n").slice(0, -1)[0]);
  const [one = "", other = ""] = line.split(" ");
  return [one, other];
}

/** What pymodbus reads and is refused: only the pump may not be written. */
const byPymodbus = ["0 0 0 0 2", "56", "56 1", "True"];

test.skipIf(!hasPymodbus)("pymodbus reads and writes by TCP and on a serial line", async () => {
  const [device, far] = await pair();
  const { nound, port } = await serve({ device, unit: 17, baud: 115_200 });
  const client = async (...args: string[]) => {
    const { stdout } = await run(python, ["test/e2e/modbus/pymodbus_client.py", ...args]);
    return stdout.trim().split("\n");
  };
  expect(await client("tcp", `${port}`)).toEqual(byPymodbus);
  expect((await request(nound, get("/heater"))).state).toEqual({ on: true });
  expect(await client("rtu", far)).toEqual(byPymodbus);
  expect((await request(nound, get("/room"))).state).toEqual({ target: 56, celsius: 21.5 });
});

test.skipIf(!hasLibmodbus || !hasPymodbus)("libmodbus reads and writes; a guard is an exception 4", async () => {
  const program = temporaryPath("libmodbus-client");
  execFileSync("/usr/bin/cc", ["-o", program, "test/e2e/modbus/libmodbus-client.c", "-lmodbus"]);
  const [device, far] = await pair();
  const { nound, port } = await serve({ device, unit: 17, baud: 115_200 }, { log: "errors" });
  const client = async (...args: string[]) => {
    const { stdout } = await run(program, args);
    return stdout.trim().split(" ").slice(0, 3).join(" ");
  };
  expect(await client("tcp", `${port}`, "17", "3", "0", "write")).toBe(`${3 * (7 + 99)} 0 0`);
  expect(await client("rtu", far, "17", "1", "0", "write")).toBe(`${7 + 99} 0 0`);
  expect((await request(nound, post("/pump", { on: false }))).status).toBe(200);
  expect(await client("tcp", `${port}`, "17", "1", "0", "write")).toBe("7 0 4");
  expect((await request(nound, get("/heater"))).state).toEqual({ on: false });
  await eventually("the log has the reason", () => /heater: modbus 127\.0\.0\.1: .*pump/.test(nound.printed));
});

test.skipIf(!hasMbpoll)("mbpoll reads and writes", async () => {
  const { nound, port } = await serve();
  const poll = async (...args: string[]) => {
    const { stdout } = await run("mbpoll", ["-0", "-1", "-p", `${port}`, ...args]);
    return stdout;
  };
  expect(await poll("-t", "4", "-r", "10", "127.0.0.1", "42")).toContain("Written 1 references.");
  expect(await poll("-t", "3", "-r", "200", "127.0.0.1")).toMatch(/\[200\]:\s+215/);
  expect(await poll("-t", "0", "-r", "0", "127.0.0.1", "1")).toContain("Written 1 references.");
  expect((await request(nound, get("/heater"))).state).toEqual({ on: true });
});

/** A master of the test's own. */
class Master {
  private readonly socket: Socket;
  private received = Buffer.alloc(0);
  private number = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
    });
    socket.on("error", () => {});
  }

  static async open(port: number): Promise<Master> {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    return new Master(socket);
  }

  async ask(...question: number[]): Promise<readonly number[]> {
    this.number += 1;
    const length = question.length + 1;
    this.received = Buffer.alloc(0);
    this.socket.write(Buffer.from([this.number >> 8, this.number & 0xff, 0, 0, 0, length, 1, ...question]));
    await eventually(
      "an answer",
      () => this.received.length >= 6 && this.received.length >= 6 + (this.received[5] ?? 0),
    );
    expect(this.received.readUInt16BE(0)).toBe(this.number);
    return [...this.received.subarray(7)];
  }
}

test("ten masters at once beside HTTP: every answer is whole and in order", async () => {
  const { nound, port } = await serve();
  const masters = await Promise.all(Array.from({ length: 10 }, () => Master.open(port)));
  const all = masters.map(async (master, index) => {
    for (let times = 0; times < 50; times++) {
      const value = 5 + ((index * 7 + times) % 80);
      expect(await master.ask(6, 0, 10, 0, value)).toEqual([6, 0, 10, 0, value]);
      const [code, length, high, low = 0] = await master.ask(3, 0, 10, 0, 1);
      expect([code, length, high]).toEqual([3, 2, 0]);
      expect(low).toBeGreaterThanOrEqual(5);
    }
  });
  const http = async () => {
    for (let times = 0; times < 50; times++) expect((await request(nound, get("/room"))).status).toBe(200);
  };
  await Promise.all([...all, http()]);
});

test("a client of another network is not served", async () => {
  const { port } = await serve({ from: ["192.0.2.0/24"] });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
});

test("--check says that Modbus has no passwords, and names registers whose key is missing", async () => {
  const check = async (modbusServer: object) => {
    const listen = await freeAddress();
    const config = temporaryPath("nound.json");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(config, JSON.stringify({ listen, nouns, modbusServer }));
    return await endedByThisTest(new NoundProcess(["--check", "--config", config], "")).ending();
  };
  const right = await check({ listen: ["0.0.0.0:5020"], may: "GET,POST heater", registers });
  expect(right.status).toBe(0);
  expect(right.stdout).toContain("Modbus has no passwords: everyone who reaches 0.0.0.0:5020 can set heater");
  const wrong = await check({
    listen: ["0.0.0.0:5020"],
    registers: { coil: { 3: "heater.of" }, input: { 4: "attic.celsius" } },
  });
  expect(wrong.status).toBe(78);
  expect(wrong.stderr).toContain('$.modbusServer.registers.coil["3"]: expected a key of heater, on; found "of"');
  expect(wrong.stderr).toContain('$.modbusServer.registers.input["4"]: expected the name of a noun, found "attic"');
});
