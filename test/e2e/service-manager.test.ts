/** What nound tells a service manager, by the protocol of sd_notify(3), on a real socket. */
import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { missing, python } from "../harness/client-program.ts";
import { eventually } from "../harness/eventually.ts";
import { startNound, temporaryPath } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";

const noPython = missing(python, "-c", "");
const nouns = {
  lamp: { kind: "switch", key: "on", values: [0, 1], default: 0 },
  note: { kind: "value", default: { text: "" } },
} as const;

/** Binds a datagram socket, as a service manager does, and prints each datagram. */
const receiver = `
import socket, sys, json
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(sys.argv[1].replace("@", chr(0), 1))
print("bound", flush=True)
while True: print(json.dumps(manager.recv(4096).decode()), flush=True)
`;

/** A service manager at a socket, with the states that it was told. */
async function startManager(path: string): Promise<readonly string[]> {
  const states: string[] = [];
  const child = spawn(python, ["-c", receiver, path], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    states.push(...lines);
  });
  await eventually("the service manager has its socket", () => states.length > 0);
  return states;
}

/** @returns the states but for those that feed the watchdog. */
function told(states: readonly string[]): readonly string[] {
  return states
    .slice(1)
    .map((state) => JSON.parse(state) as string)
    .filter((state) => state !== "WATCHDOG=1");
}

const ready = expect.stringMatching(/^READY=1\nSTATUS=nound \d+\.\d+\.\d+\S* serves 2 nouns$/);
const stopping = "STOPPING=1\nSTATUS=ending";

test.skipIf(noPython !== undefined).each([
  ["a path", () => temporaryPath("notify")],
  ["the abstract namespace", () => `@nound-${process.pid}-${Date.now()}`],
])(`a service manager in %s learns that nound serves, and that it ends${noPython ?? ""}`, async (_where, makePath) => {
  const path = makePath();
  const states = await startManager(path);
  const nound = endedByThisTest(await startNound({ nouns }, [], { environment: { NOTIFY_SOCKET: path } }));
  await eventually("nound is ready", () => told(states).length === 1);
  expect((await nound.stop()).status).toBe(0);
  await eventually("nound ends", () => told(states).length === 2);
  expect(states.slice(1).map((state) => JSON.parse(state) as string)).toEqual([ready, stopping]);
});

test.skipIf(noPython !== undefined)(`the loop feeds the watchdog, with no other rights${noPython ?? ""}`, async () => {
  const path = temporaryPath("notify");
  const states = await startManager(path);
  const environment = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "20000" };
  const nound = endedByThisTest(await startNound({ nouns }, [], { environment }));
  // The last ones by a loop that has given up its rights.
  await eventually("nound is ready", () => told(states).length === 1);
  const begun = states.length;
  await eventually("the watchdog is fed ten times", () => states.length >= begun + 10);
  await nound.stop();
  expect(told(states)[0]).toEqual(ready);
});

test.skipIf(noPython !== undefined)(`a watchdog for another process is not fed${noPython ?? ""}`, async () => {
  const path = temporaryPath("notify");
  const states = await startManager(path);
  const environment = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "2000", WATCHDOG_PID: "1" };
  const nound = endedByThisTest(await startNound({ nouns }, [], { environment }));
  await eventually("nound is ready", () => told(states).length === 1);
  // As long as the watchdog of this process is fed many times in.
  for (let i = 0; i < 50; i += 1) await fetch(`http://${nound.address}/lamp`);
  await nound.stop();
  await eventually("nound ends", () => told(states).length === 2);
  expect(states).not.toContain('"WATCHDOG=1"');
});

test("a service manager that is not there keeps nothing from serving, and is named", async () => {
  const nound = endedByThisTest(
    await startNound({ nouns }, [], { environment: { NOTIFY_SOCKET: "/nonexistent-zqx/notify" } }),
  );
  expect(await (await fetch(`http://${nound.address}/lamp`)).json()).toEqual({ on: 0 });
  expect((await nound.stop()).stderr).toBe(
    "nound: cannot send to the service manager at /nonexistent-zqx/notify: No such file or directory\n",
  );
});
