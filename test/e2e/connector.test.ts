/** The process that connects for the nouns' process: what it does, what it may not do, and how it ends. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { constants } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress, hasIpv6 } from "../harness/address.ts";
import { commandOf, hasSanitizers, onBuildServer } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { hungAddress } from "../harness/hung-server.ts";
import { configurationFile, NoundProcess, startNound, temporaryPath } from "../harness/nound-process.ts";
import { childrenOf, holdsPartOf, openDescriptors, statusWords } from "../harness/process-status.ts";
import { endedByThisTest } from "../harness/served.ts";

const isNative = commandOf("nound").length === 1;

/**
 * Begins with the targets of its environment, gives up its rights, asks for each in turn, and speaks on what it gets.
 * Ends on a signal.
 */
const asking = `
  import { connect, start } from "nound:connector";
  import { exit, onSignal, setTimer } from "nound:loop";
  import { restrict } from "nound:privileges";
  import { environment, printOutput } from "nound:system";
  const targets = JSON.parse(environment("TARGETS"));
  const time = Number(environment("TIME"));
  const sockets = [];
  onSignal(() => exit(0));
  setTimer(() => undefined, 600_000);
  start(targets, () => printOutput("the connector has ended\\n"));
  restrict();
  const ask = (target) => {
    try {
      connect(target, time, (socket, reason) => {
        printOutput(target + ": " + (socket === undefined ? reason : "connected to " + socket.peer) + "\\n");
        if (socket === undefined) return;
        sockets.push(socket);
        socket.handler = {
          onBytes: (bytes) => printOutput(target + " got " + bytes + "\\n"),
          onEnd: () => undefined, onDrain: () => undefined, onGone: () => undefined,
        };
        socket.writeBytes("to " + target + " \\xff");
      });
    } catch (error) {
      printOutput(target + ": " + error.message + "\\n");
    }
  };
  targets.forEach((_, target) => ask(target));
  onSignal((name) => (name === "SIGHUP" ? ask(0) : exit(0)));
`;

/** @param more environment variables. */
function startAsking(targets: readonly string[], more: Record<string, string> = {}): NoundProcess {
  const environment = { TARGETS: JSON.stringify(targets), TIME: "10000", ...more };
  return endedByThisTest(new NoundProcess([], "", { application: configurationFile(asking), environment }));
}

/** A server that sends back what it gets, with a word before it. */
async function echo(where: string | { readonly host: string; readonly port: number }): Promise<Server> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("error", () => undefined));
    socket.on("data", (bytes) => socket.write(Buffer.concat([Buffer.from("echo "), bytes])));
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (typeof where === "string") server.listen(where, resolve);
    else server.listen(where, resolve);
  });
  return server;
}

async function prints(process: NoundProcess, text: string): Promise<void> {
  await eventually(`it prints ${text}`, () => process.printed.includes(text));
}

/** The process that makes the first connection. */
async function processOf(asks: NoundProcess): Promise<number> {
  return await eventually("it connects", () => {
    try {
      return childrenOf(asks.connector)[0];
    } catch {
      return undefined; // not yet
    }
  });
}

/** It may end between any two looks at it. */
function isRunning(pid: number): boolean {
  try {
    return statusWords(pid, "State")[0] !== "Z";
  } catch {
    return false;
  }
}

async function portOf(host: string): Promise<{ readonly host: string; readonly port: number }> {
  const address = await freeAddress();
  return { host, port: Number(address.slice(address.lastIndexOf(":") + 1)) };
}

test.skipIf(!hasIpv6 && !onBuildServer)(
  "a restricted program speaks to a name, to addresses of both families and to a Unix socket (skipped without ::1)",
  async () => {
    const v4 = await portOf("127.0.0.1");
    const v6 = await portOf("::1");
    const path = temporaryPath("broker.sock");
    await echo(v4);
    await echo(v6);
    await echo(path);
    const asks = startAsking([`localhost:${v4.port}`, `127.0.0.1:${v4.port}`, `[::1]:${v6.port}`, `unix:${path}`]);
    for (const line of [
      `0: connected to 127.0.0.1:${v4.port}`,
      `1: connected to 127.0.0.1:${v4.port}`,
      `2: connected to [::1]:${v6.port}`,
      "3: connected to unix",
      ...[0, 1, 2, 3].map((target) => `${target} got echo to ${target} \u00ff`),
    ]) {
      await prints(asks, line);
    }
    expect(await asks.stop()).toMatchObject({ status: 0, stderr: "" });
  },
);

test("a target that hangs delays no other", async () => {
  const near = await portOf("127.0.0.1");
  await echo(near);
  const asks = startAsking([await hungAddress(), await hungAddress(), `127.0.0.1:${near.port}`], { TIME: "600000" });
  await prints(asks, "2 got echo to 2");
  expect(asks.printed).not.toMatch(/^[01]: /m);
});

test("a target that hangs is given up when its time is over", async () => {
  const asks = startAsking([await hungAddress(), await hungAddress()], { TIME: "1000" });
  // C libraries differ in what timed out: the operation, or the connection. qemu 7.2 has another error's number.
  const isGivenUp = (target: number) =>
    new RegExp(`^${target}: ${isNative ? ".* timed out" : ""}`, "m").test(asks.printed);
  for (const target of [0, 1]) await eventually("it is given up", () => isGivenUp(target));
});

test("what cannot be connected to is told with the reason", async () => {
  const { port } = await portOf("127.0.0.1");
  const asks = startAsking([`127.0.0.1:${port}`, `unix:${temporaryPath("none.sock")}`]);
  // qemu 7.2 passes the host's number of the error on, which MIPS does not have.
  if (isNative) await prints(asks, "0: Connection refused\n");
  await prints(asks, "1: No such file or directory\n");
});

test.each([
  ["mosquitto", "expected HOST:PORT"],
  ["mosquitto:", "expected HOST:PORT"],
  ["mosquitto:0", "expected HOST:PORT"],
  ["mosquitto:65536", "expected HOST:PORT"],
  [":1883", "expected HOST:PORT"],
  ["[::1:1883", "expected HOST:PORT"],
  ["[mosquitto]:1883", "expected HOST:PORT"],
  ["unix:", "expected HOST:PORT"],
  [`unix:/${"a".repeat(107)}`, "the path of a Unix socket has at most 107 bytes"],
  [`${"a".repeat(256)}:1883`, "expected HOST:PORT"],
])("%s is no target", async (target, reason) => {
  const { status, stderr } = await startAsking([target]).ending();
  expect(stderr).toContain(`cannot connect to ${target}: ${reason}`);
  expect(status).toBe(70);
});

describe.skipIf(!isNative)("the connector (skipped under a runner)", () => {
  test("holds nothing that its parent has open", async () => {
    const asks = startAsking(["127.0.0.1:1"]);
    await prints(asks, "0: Connection refused");
    // Three standard files, its end of the pair, and the ends of its processes.
    expect(openDescriptors(asks.connector)).toBe(5);
  });

  test("ends with its parent, also if that is killed", async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const asks = startAsking(["127.0.0.1:1"]);
      await prints(asks, "0: Connection refused");
      const connector = asks.connector;
      asks.signal(signal);
      await asks.ended;
      await eventually("the connector ends", () => !isRunning(connector));
    }
  });

  test("connects in a process of its own, which ends with it", async () => {
    const asks = startAsking([await hungAddress()]);
    const connecting = await processOf(asks);
    const { connector } = asks;
    await eventually("its socket is open", () => openDescriptors(connecting) === 5);
    asks.signal("SIGKILL");
    await asks.ended;
    for (const pid of [connector, connecting]) await eventually("it ends", () => !isRunning(pid));
  });

  test("tells when a process that connects has ended without an answer", async () => {
    const asks = startAsking([await hungAddress()]);
    const connecting = await processOf(asks);
    process.kill(connecting, "SIGKILL");
    await prints(asks, "0: the process that connects has ended\n");
  });

  // A SIGHUP reaches the program itself only where there is no keeper.
  const alone = { NOUND_KEEPER: "0" };

  test("stays when a signal to all processes of a terminal ends its parent in order", async () => {
    const asks = startAsking(["127.0.0.1:1"], alone);
    await prints(asks, "0: Connection refused");
    const connector = asks.connector;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.kill(connector, signal);
    process.kill(asks.keeper, "SIGHUP");
    await eventually("it is asked again", () => asks.printed.split("0: Connection refused").length === 3);
    expect(asks.printed).not.toContain("has ended");
  });

  test("whose death is told leaves its parent running, which gets no further connection", async () => {
    const asks = startAsking(["127.0.0.1:1"], alone);
    await prints(asks, "0: Connection refused");
    process.kill(asks.connector, "SIGKILL");
    await prints(asks, "the connector has ended\n");
    process.kill(asks.keeper, "SIGHUP");
    await prints(asks, "0: the connector has ended\n");
    expect(await asks.stop()).toMatchObject({ status: 0, stderr: "" });
  });
});

test.skipIf(!isNative || hasSanitizers || process.getuid?.() !== 0)(
  "a broker's password is in no byte of the connector's memory (skipped under a runner, with sanitizers, without root)",
  async () => {
    // Long, so that what is left of it in freed memory is seen, too.
    const [password, file] = [randomBytes(100).toString("hex"), temporaryPath("password")];
    writeFileSync(file, password, { mode: 0o600 });
    const mqtt = { server: await hungAddress(), id: "hall", user: "hall", password: file };
    const nound = endedByThisTest(await startNound({ nouns: { led: { kind: "value", default: {} } }, mqtt }));
    expect(holdsPartOf(password, nound.pid)).toBe(true);
    expect(holdsPartOf(password, nound.connector)).toBe(false);
  },
);

test.skipIf(!isNative || hasSanitizers)(
  "the connector may only read and connect, the acceptor only accept (skipped under a runner and with sanitizers)",
  async () => {
    const tried = endedByThisTest(new NoundProcess([], "", { program: "nound-attempts" }));
    const { status, stdout, stderr } = await tried.ending();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { EPERM, EACCES, ENOMEM } = constants.errno;
    const attempts = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(": ") as [string, string]);
    expect(attempts.length).toBe(21 + 17 + 18 + 20 + 22 + 22);
    // Landlock refuses by EACCES, seccomp by EPERM, which the C library makes ENOMEM where memory was to be mapped.
    const allowed = attempts.filter(([, error]) => ![EPERM, EACCES, ENOMEM].includes(Number(error)));
    expect(allowed).toEqual([]);
  },
);

test.skipIf(!isNative || hasSanitizers)(
  "code in the process of one connection acts on no other (skipped under a runner and with sanitizers)",
  async () => {
    const seed = String(Date.now() % 1_000_000);
    const played = endedByThisTest(new NoundProcess(["300", seed], "", { program: "nound-forgeries" }));
    expect({ seed, ...(await played.ending()) }).toMatchObject({ seed, stdout: "300 rounds\n", stderr: "", status: 0 });
  },
);
