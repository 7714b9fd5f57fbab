/** `--evidence`: what it says of a configuration is what the processes of that configuration have. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress, portOf } from "../harness/address.ts";
import { commandOf, hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, runNound, temporaryPath } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";

/** Only root sees the descriptors of a process that does not show its memory; under a runner, /proc tells of that. */
const canLook = process.getuid?.() === 0 && commandOf("nound").length === 1;

interface Item {
  readonly says: string;
  readonly [key: string]: unknown;
}
type Evidence = Readonly<Record<string, readonly Item[]>>;

/** Sanitizers are traced themselves. */
const strace = spawnSync("strace", ["-V"]).status === 0 && !hasSanitizers;

/** What a process may reach by its rules of Landlock. */
interface Rules {
  /** The folders in which it may open and remove files. */
  readonly opens: readonly string[];
  /** Those in which it may remove files, and open none. */
  readonly removes: readonly string[];
  /** The number of ports that it may connect to. */
  readonly ports: number;
}

/** @returns the rules of each process that has restricted itself, by what strace has written. */
function rulesIn(trace: string): readonly Rules[] {
  const lines = readFileSync(trace, "latin1").split("\n");
  const restricted = lines.flatMap((line) => /^([0-9]+) +landlock_restrict_self\(.*= 0$/.exec(line)?.[1] ?? []);
  return restricted.map((pid) => {
    const rules = lines.filter((line) => line.startsWith(`${pid} `) && line.includes("landlock_add_rule("));
    const paths = rules.flatMap((line) => {
      const [, rights = "", path] = /allowed_access=(\S+), parent_fd=[0-9]+<(.*?)>/.exec(line) ?? [];
      return path === undefined ? [] : [{ path, mayOpen: rights !== "LANDLOCK_ACCESS_FS_REMOVE_FILE" }];
    });
    const places = (mayOpen: boolean) => [
      ...new Set(paths.filter((one) => one.mayOpen === mayOpen).map(({ path }) => path)),
    ];
    return { opens: places(true), removes: places(false), ports: rules.length - paths.length };
  });
}

/** @returns what `--evidence json` says. */
async function evidenceOf(config: string): Promise<Evidence> {
  const { status, stdout, stderr } = await runNound("--evidence", "json", "--config", config);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Evidence;
}

const valuesOf = (evidence: Evidence, section: string, key: string) => (evidence[section] ?? []).map((one) => one[key]);

/** @returns the process IDs of a program and of all that it has started. */
function processesOf(pid: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent = ""] = readFileSync(`/proc/${name}/stat`, "latin1")
          .replace(/^.*\) /, "")
          .split(" ");
        return [[Number(name), Number(parent)] as const];
      } catch {
        return [];
      }
    });
  const found = [pid];
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found;
}

/** @returns the texts of the links of all descriptors of some processes; one that has just ended has none. */
function descriptorsOf(pids: readonly number[]): ReadonlySet<string> {
  const orNone = (look: () => readonly string[]) => {
    try {
      return look();
    } catch {
      return [];
    }
  };
  const links = (folder: string) =>
    readdirSync(folder).flatMap((name) => orNone(() => [readlinkSync(join(folder, name))]));
  return new Set(pids.flatMap((pid) => orNone(() => links(`/proc/${pid}/fd`))));
}

/** @returns the addresses that some processes listen on, as the kernel has them: a port, or the path of a socket. */
function listeningOf(pids: readonly number[]): ReadonlySet<string> {
  const held = descriptorsOf(pids);
  const rows = (name: string) =>
    readFileSync(`/proc/net/${name}`, "latin1")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/));
  const ports = ["tcp", "tcp6"].flatMap((family) =>
    rows(family)
      .filter(([, , , state, , , , , , inode]) => state === "0A" && held.has(`socket:[${inode}]`))
      .map(([, local = ""]) => String(Number.parseInt(local.split(":")[1] ?? "", 16))),
  );
  const paths = rows("unix")
    .filter(([, , , flags, , , inode]) => flags === "00010000" && held.has(`socket:[${inode}]`))
    .flatMap((row) => row[7] ?? []);
  return new Set([...ports, ...paths]);
}

/** A server that notes whether somebody has connected to it. */
async function listener(): Promise<{ readonly address: string; readonly isReached: () => boolean }> {
  let isReached = false;
  const address = await freeAddress();
  const server: Server = createServer((socket) => {
    isReached = true;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(portOf(address), "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { address, isReached: () => isReached };
}

/** Twenty configurations: each bit of the number is a thing that a configuration can have. */
const numbers = [0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 22, 27, 31, 32, 41, 47, 58, 63];

describe.skipIf(!canLook)(
  `of 20 configurations (skipped for all but root${canLook ? "" : ", or under a runner"})`,
  () => {
    test.each(numbers)("%i: ports, processes, connections and files are what it says", async (number) => {
      const [hasTokens, isSealed, hasBroker, hasMasters, keeps, hasMore] = [1, 2, 4, 8, 16, 32].map(
        (bit) => (number & bit) !== 0,
      );
      const folder = temporaryPath(`evidence-${number}`);
      const [states, sockets] = [join(folder, "states"), join(folder, "sockets")];
      mkdirSync(states, { recursive: true, mode: 0o700 });
      mkdirSync(sockets);
      const [plain, sealed, masters] = [await freeAddress(), await freeAddress(), await freeAddress()];
      const broker = await listener();
      const tokens = join(folder, "tokens");
      writeFileSync(tokens, `panel GET,PUT lamp ${"ab12".repeat(16)}\n`, { mode: 0o600 });
      const config = join(folder, "nound.json");
      const socket = `unix:${join(sockets, "socket")}`;
      const lamp = { kind: "switch", key: "on", ...(keeps && { boot: "restore" }) };
      const configuration = {
        listen: [plain, ...(isSealed ? [`https://${sealed}`] : []), ...(hasMore ? [socket] : [])],
        ...(hasTokens && { access: { tokens } }),
        ...((keeps || isSealed) && { stateDirectory: states }),
        ...(hasBroker && { mqtt: { server: broker.address, id: "hall", may: "GET lamp" } }),
        ...(hasMasters && { modbusServer: { listen: [masters], registers: { coil: { 0: "lamp.on" } } } }),
        nouns: { lamp, ...(hasMore && { hook: { kind: "webhook", url: `http://${broker.address}/` } }) },
      };
      writeFileSync(config, JSON.stringify(configuration));
      const evidence = await evidenceOf(config);
      expect(readdirSync(states)).toEqual([]);

      // What the processes give up, each for itself.
      const trace = temporaryPath("trace");
      const calls = "trace=landlock_add_rule,landlock_restrict_self";
      const wrapper = strace ? ["strace", "-D", "-f", "-y", "-qq", "-e", calls, "-o", trace] : [];
      const program = endedByThisTest(new NoundProcess(["--config", config], plain, { wrapper }));
      await program.listening();
      const names = valuesOf(evidence, "Processes", "name");
      await eventually("it has its processes", () => processesOf(program.keeper).length === names.length);
      const said = valuesOf(evidence, "Open ports", "address") as readonly string[];
      const places = said.map((one) => (one.startsWith("unix:") ? one.slice("unix:".length) : String(portOf(one))));
      await eventually("it listens on all", () => listeningOf(processesOf(program.keeper)).size >= places.length);
      expect(new Set(places)).toEqual(listeningOf(processesOf(program.keeper)));

      const secrecy = valuesOf(evidence, "Open ports", "isEncrypted");
      expect(secrecy.filter(Boolean)).toHaveLength(isSealed ? 1 : 0);
      const needed = hasTokens ? "a token" : "no token";
      expect(valuesOf(evidence, "Open ports", "needs")[0]).toBe(needed);
      expect((await fetch(`http://${plain}/lamp`)).status).toBe(hasTokens ? 401 : 200);
      expect(valuesOf(evidence, "Connections to others", "to")).toEqual(
        [hasBroker, hasMore].filter((has) => has).map(() => broker.address),
      );
      if (hasBroker) await eventually("it connects to the broker", broker.isReached);

      if (!hasTokens) {
        const body = { method: "PUT", headers: { "Content-Type": "application/json" }, body: '{"on":1}' };
        expect((await fetch(`http://${plain}/lamp`, body)).status).toBe(200);
      }
      await program.stop();
      const stored = valuesOf(evidence, "Stored", "where") as readonly string[];
      const written = readdirSync(states).map((name) => join(states, name));
      if (strace && String(valuesOf(evidence, "Processes", "does")[1]).includes("by Landlock")) {
        const rules = rulesIn(trace);
        const [opens, removes] = ["opens", "removes"].map((key) => valuesOf(evidence, "Processes", key)[1]);
        expect([opens, removes]).toEqual([keeps ? [states] : [], hasMore ? [sockets] : []]);
        const ofFiles = rules.filter((one) => one.opens.length + one.removes.length > 0);
        expect(ofFiles).toEqual(keeps || hasMore ? [{ opens, removes, ports: 0 }] : []);
        const reached = valuesOf(evidence, "Connections to others", "to");
        // The keeper replaces a connector that has ended.
        const ports = new Set(rules.map((one) => one.ports).filter((count) => count > 0));
        expect([...ports]).toEqual(reached.length > 0 ? [reached.length] : []);
      }
      const isSaid = (path: string) => stored.some((one) => path === one || path.endsWith(one.split("*")[1] ?? "\0"));
      expect(written.filter((path) => !isSaid(path))).toEqual([]);
      if (keeps && !hasTokens) expect(written).toContain(join(states, "state-lamp"));
      if (isSealed) expect(written).toHaveLength((keeps && !hasTokens ? 1 : 0) + 2);
      if (!(hasBroker || hasMore)) expect(broker.isReached()).toBe(false);
    });
  },
);

test("it is read by people, names who may do what, and what is left open", async () => {
  const folder = temporaryPath("evidence");
  mkdirSync(folder);
  const tokens = join(folder, "tokens");
  writeFileSync(tokens, `panel GET,PUT lamp ${"ab12".repeat(16)}\n`, { mode: 0o600 });
  const config = join(folder, "nound.json");
  const modbusServer = { listen: ["0.0.0.0:1502"], may: "GET,PUT lamp", registers: { coil: { 0: "lamp.on" } } };
  writeFileSync(
    config,
    JSON.stringify({
      listen: ["0.0.0.0:8080"],
      ...{ access: { tokens }, modbusServer, nouns: { lamp: { kind: "switch", key: "on" } } },
    }),
  );
  const { status, stdout } = await runNound("--evidence", "--config", config);
  expect(status).toBe(0);
  for (const line of [
    "0.0.0.0:8080: HTTP, reached from the network, not encrypted, needs a token",
    "the token panel: GET, PUT of lamp",
    "Modbus masters, by one register: GET, PUT of lamp",
    `${tokens}: hashes of the tokens; its owner alone can read it`,
    "modbusServer: Modbus has no passwords: everyone who reaches 0.0.0.0:1502 can set lamp",
  ])
    expect(stdout).toContain(`\n  ${line}\n`);
  expect(stdout).toContain("tokens are sent unencrypted to 0.0.0.0:8080");
  expect(stdout).not.toContain("ab12");
  const { status: refused, stderr } = await runNound("--evidence");
  expect([refused, stderr]).toEqual([64, "nound: --evidence needs --config FILE; see nound --help\n"]);
});

test("each connection that others can read is left open, and so is a device whose first token nobody has", async () => {
  const folder = temporaryPath("evidence");
  mkdirSync(folder);
  const config = join(folder, "nound.json");
  writeFileSync(
    config,
    JSON.stringify({
      ...{ listen: "0.0.0.0:8080", stateDirectory: folder, access: { tokens: join(folder, "tokens"), pairs: true } },
      mqtt: { server: "mqtt://192.0.2.7", id: "hall" },
      nouns: {
        bell: { kind: "gpio-input", line: "GPIO4", key: "pressed", pairs: true },
        door: { kind: "webhook", url: "http://hall.local/door" },
        safe: { kind: "webhook", url: "https://192.0.2.9/safe" },
        near: { kind: "webhook", url: "http://127.0.0.1:81/near" },
      },
    }),
  );
  const evidence = await evidenceOf(config);
  const said = valuesOf(evidence, "Left open", "says").join("\n");
  const open = [...said.matchAll(/the connection to (\S+) is not encrypted/g)].map(([, target]) => target);
  expect(open).toEqual(["192.0.2.7:1883", "hall.local:80"]);
  for (const who of ["who presses bell", "who asks within ten minutes of a start"])
    expect(said).toContain(`there is no token yet, and ${who} gets one for everything`);
  expect(said).toContain("tokens are sent unencrypted to 0.0.0.0:8080");
  expect(said).toContain("hall.local:80 may not be found");
  expect(valuesOf(evidence, "Processes", "does")).toContain(
    "connects to the servers above and a name server; the kernel knows the ports alone, no addresses",
  );
});

test("all hardware is named, whether or not another noun may use it, too", async () => {
  const config = temporaryPath("evidence");
  writeFileSync(
    config,
    JSON.stringify({
      nouns: {
        lamp: { kind: "gpio-output", line: "GPIO17", key: "on" },
        boiler: { kind: "sensor", device: "28-0123456789ab" },
        panel: { kind: "sysfs", path: "/sys/class/backlight/panel/brightness", key: "level" },
        power: { kind: "input", device: "gpio-keys", channel: "KEY_POWER" },
        meter: { kind: "modbus", device: "/dev/ttyS1", unit: 1, keys: { volts: { at: "holding 1" } } },
        far: { kind: "modbus", server: "192.0.2.9:502", unit: 1, keys: { volts: { at: "holding 1" } } },
        door: { kind: "switch", key: "door" },
      },
    }),
  );
  expect((await evidenceOf(config))["Hardware"]?.map(({ says }) => says)).toEqual([
    'lamp: the line "GPIO17"',
    "boiler: 28-0123456789ab",
    "panel: /sys/class/backlight/panel/brightness",
    "power: gpio-keys",
    "meter: /dev/ttyS1",
  ]);
});

test("a server is the broker if it is named as the broker, whatever its address looks like", async () => {
  const folder = temporaryPath("evidence");
  mkdirSync(folder);
  const config = join(folder, "nound.json");
  const nouns = {
    door: { kind: "webhook", url: "http://192.0.2.7:1880/door" },
    bell: { kind: "webhook", url: "http://192.0.2.7:1883/bell" },
  };
  for (const server of ["mqtt://192.0.2.7", ["mqtts://2.7", "192.0.2.7:1883"]]) {
    writeFileSync(config, JSON.stringify({ mqtt: { server, id: "hall" }, nouns }));
    const brokers = [server]
      .flat()
      .map((one) => one.replace(/^mqtts:.*/, "2.7:8883").replace(/^mqtt:.*/, "192.0.2.7:1883"));
    const sent = valuesOf(await evidenceOf(config), "Connections to others", "says");
    expect(sent).toEqual([
      ...brokers.map((one) => expect.stringContaining(`${one}: the states that the broker may GET`)),
      expect.stringContaining("192.0.2.7:1880: requests of webhooks"),
      expect.stringContaining("192.0.2.7:1883: requests of webhooks"),
    ]);
  }
});

test("--check names each file with a secret that everyone on the device can read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nound-public-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const [config, password] = [join(folder, "nound.json"), join(folder, "password")];
  writeFileSync(password, "planted\n");
  const nouns = { lamp: { kind: "switch", key: "on" } };
  writeFileSync(config, JSON.stringify({ mqtt: { server: "127.0.0.1:1", id: "hall", user: "hall", password }, nouns }));
  const line = `everyone on this device can read ${password}: chmod o= ${password}\n`;
  for (const [mode, isTold] of [[0o644, true] as const, [0o640, false] as const]) {
    chmodSync(password, mode);
    const { status, stdout } = await runNound("--check", "--config", config);
    expect([status, stdout.includes(line)]).toEqual([0, isTold]);
  }
  // What nobody can reach is nobody's to read.
  chmodSync(password, 0o644);
  chmodSync(folder, 0o700);
  expect((await runNound("--check", "--config", config)).stdout).not.toContain(line);
});
