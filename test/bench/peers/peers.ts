/**
 * The programs that people use instead of nound: where each comes from, how it is started with one output, and what its
 * size counts. They are installed into a folder of their own, and nothing else of the machine changes.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { versionOf } from "../tools.ts";

/** A program as it was installed. */
export interface Peer {
  readonly title: string;
  readonly version: string;
  /** The files and folders that it needs to run, besides the kernel and a shell. */
  readonly files: readonly string[];
  /** Where a GET of the output's state goes, or undefined without HTTP. */
  readonly path: string | undefined;
  /** What was measured, for docs/dev/performance.md. */
  readonly how: string;
  /** @param port where it listens, or where its broker does. @param folder an empty folder of its own. */
  command(port: number, folder: string): readonly [string, ...string[]];
}

/** Where peers are installed. */
const place = resolve("build/peers");

function run(command: string, args: readonly string[], cwd = place): string {
  const { status, stdout, stderr } = spawnSync(command, [...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

/** Installs something once. @returns its folder. */
function once(name: string, install: (folder: string) => void): string {
  const folder = join(place, name);
  const mark = join(place, `${name}.installed`);
  if (existsSync(mark)) return folder;
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(mark, "");
  return folder;
}

function nound(): Peer {
  const program = resolve("build/host/nound");
  return {
    title: "nound",
    version: versionOf(program, "--version"),
    files: [program],
    path: "/led",
    how: "GET of a switch in memory",
    command(port, folder) {
      const file = join(folder, "nound.json");
      const nouns = { led: { kind: "switch", key: "led" } };
      writeFileSync(file, JSON.stringify({ listen: `127.0.0.1:${port}`, nouns }));
      return [program, "--config", file];
    },
  };
}

/** Debian 13, which has the libraries that myGPIOd asks for. */
const trixie = "gcc,libc6-dev,cmake,make,pkg-config,libgpiod-dev,libmicrohttpd-dev,busybox-static,ca-certificates";

/** @param sources a checkout of its repository at version 3.0.1. */
function myGpiod(debian: string, sources: string): Peer {
  if (!existsSync(join(debian, "usr/local/bin/mygpiod"))) {
    cpSync(sources, join(debian, "root/mygpiod"), { recursive: true });
    const off = ["ACTION_MPC", "ACTION_HTTP", "ACTION_LUA"].map((name) => `-DMYGPIOD_ENABLE_${name}=OFF`);
    const build = `cd /root/mygpiod && cmake -B made -DCMAKE_BUILD_TYPE=Release ${off.join(" ")} \
-DMYGPIOD_MANPAGES=OFF -DMYGPIOD_DOC=OFF && make -C made mygpiod && cp made/bin/mygpiod /usr/local/bin`;
    run("chroot", [debian, "sh", "-c", build]);
  }
  const listed = run("chroot", [debian, "ldd", "/usr/local/bin/mygpiod"]);
  const libraries = [...listed.matchAll(/(\/\S+)/g)].map(([library]) => realpathSync(join(debian, library)));
  const [, version = ""] = /VERSION (\d+\.\d+\.\d+)/.exec(readFileSync(join(sources, "CMakeLists.txt"), "utf8")) ?? [];
  return {
    title: "myGPIOd",
    version,
    files: [join(debian, "usr/local/bin/mygpiod"), ...libraries],
    path: "/api/v1/gpio",
    how: "GET of its lines, which are none, as this machine has no chip; without Lua, MPD and curl",
    command(port, folder) {
      const file = join(folder, "mygpiod.conf");
      const lines = join(folder, "gpio.d");
      mkdirSync(lines);
      const options = { loglevel: "warn", syslog: "false", socket: join(folder, "socket"), http_ip: "127.0.0.1" };
      const all = { ...options, http_port: port, chip: "", gpio_dir: lines };
      writeFileSync(
        file,
        `${Object.entries(all)
          .map(([name, value]) => `${name} = ${value}`)
          .join("\n")}\n`,
      );
      const loader = join(debian, "lib64/ld-linux-x86-64.so.2");
      const path = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"].map((one) => join(debian, one)).join(":");
      return [loader, "--library-path", path, join(debian, "usr/local/bin/mygpiod"), file];
    },
  };
}

function busybox(debian: string): Peer {
  const program =
    ["usr/bin/busybox", "bin/busybox"].map((one) => join(debian, one)).find((one) => existsSync(one)) ?? "";
  return {
    title: "BusyBox and CGI",
    version: versionOf(program, "--help"),
    files: [program],
    path: "/cgi-bin/led",
    how: "its httpd, and a shell script that reads a file; a new process and connection for each GET",
    command(port, folder) {
      mkdirSync(join(folder, "cgi-bin"));
      const script = readFileSync(resolve("test/bench/servers/state.cgi"), "utf8");
      writeFileSync(join(folder, "cgi-bin/led"), `#!${program} sh\n${script}`, { mode: 0o755 });
      writeFileSync(join(folder, "cgi-bin/state.json"), '{"led":0}\n');
      return [program, "httpd", "-f", "-p", `127.0.0.1:${port}`, "-h", folder];
    },
  };
}

function mqttIo(): Peer {
  const folder = once("mqtt-io", (made) => {
    run("python3", ["-m", "venv", made]);
    run(join(made, "bin/pip"), ["install", "--quiet", "mqtt-io==2.7.0"]);
  });
  const python = join(folder, "bin/python");
  const paths = "import sysconfig, os; p = sysconfig.get_paths(); print(p['purelib'] + '\\n' + p['stdlib'])";
  const [packages = "", library = ""] = run(python, ["-c", paths]).split("\n");
  const within = (folder: string, without: readonly string[]) =>
    readdirSync(folder)
      .filter((name) => !without.some((one) => name.startsWith(one)))
      .map((name) => join(folder, name));
  // Of Python, what a package of a small system leaves out does not count.
  const left = ["config-", "ensurepip", "idlelib", "lib2to3", "site-packages", "test", "tkinter", "turtledemo"];
  return {
    title: "MQTT IO",
    version: "2.7.0",
    files: [realpathSync(python), ...within(packages, ["pip", "setuptools"]), ...within(library, left)],
    path: undefined,
    how: "at a mosquitto, with its simulated output; it has no HTTP",
    command(port, made) {
      const file = join(made, "config.yml");
      const lines = [
        ...["mqtt:", "  host: 127.0.0.1", `  port: ${port}`, "  topic_prefix: bench"],
        ...["gpio_modules:", "  - name: pins", "    module: mock"],
        ...["digital_outputs:", "  - name: led", "    module: pins", "    pin: 1"],
      ];
      writeFileSync(file, `${lines.join("\n")}\n`);
      return [python, "-m", "mqtt_io", file];
    },
  };
}

/** A flow that answers a GET with the state of an output. */
const flow = [
  { id: "tab", type: "tab", label: "led" },
  { id: "in", type: "http in", z: "tab", url: "/led", method: "get", wires: [["state"]] },
  {
    ...{ id: "state", type: "function", z: "tab", outputs: 1, wires: [["out"]] },
    func: "msg.payload = { led: flow.get('led') ?? 0 }; return msg;",
  },
  { id: "out", type: "http response", z: "tab", statusCode: "200", headers: {}, wires: [] },
];

function nodeRed(): Peer {
  const version = "4.1.15";
  const folder = once("node-red", (made) => {
    writeFileSync(join(made, "package.json"), "{}");
    run("npm", ["install", "--no-audit", "--no-fund", "--silent", `node-red@${version}`], made);
  });
  return {
    title: "Node-RED",
    version,
    files: [join(folder, "node_modules"), realpathSync(process.execPath)],
    path: "/led",
    how: `a flow with a function between request and answer, on Node ${process.versions.node}; without the editor`,
    command(port, made) {
      writeFileSync(join(made, "flows.json"), JSON.stringify(flow));
      const settings = {
        ...{ flowFile: "flows.json", uiPort: port, uiHost: "127.0.0.1", httpAdminRoot: false },
        ...{ logging: { console: { level: "error" } }, telemetry: { enabled: false, updateNotification: false } },
      };
      writeFileSync(join(made, "settings.cjs"), `module.exports = ${JSON.stringify(settings)};\n`);
      const program = join(folder, "node_modules/node-red/red.js");
      return [process.execPath, program, "--userDir", made, "--settings", join(made, "settings.cjs")];
    },
  };
}

/** Installs the peers. @throws Error with a sentence if one cannot be. */
export function installPeers(): readonly [Peer, ...Peer[]] {
  const { NOUND_MYGPIOD: sources = "" } = process.env;
  if (!existsSync(join(sources, "mygpiod/main.c")))
    throw new Error("NOUND_MYGPIOD names no folder with myGPIOd's sources (github.com/jcorporation/myGPIOd)");
  mkdirSync(place, { recursive: true });
  const debian = once("debian", (folder) => {
    run("debootstrap", ["--variant=minbase", `--include=${trixie}`, "trixie", folder]);
  });
  return [nound(), myGpiod(debian, sources), mqttIo(), nodeRed(), busybox(debian)];
}
