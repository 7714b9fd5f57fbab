/** The servers that are compared: how each is started, what it is told, and whether it is there. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BenchNoun, meters } from "./nouns.ts";
import { token } from "./request-text.ts";
import { findProgram, versionOf } from "./tools.ts";
import type { Setting } from "./workloads.ts";

/** The servers that are compared. */
export type ServerName = "nound" | "floor" | "microhttpd" | "nginx" | "node";

/** A server of the comparison. */
export interface Server {
  readonly name: ServerName;
  readonly title: string;
  readonly version: string;
  /** The file whose size counts. */
  readonly program: string;
  /**
   * Writes what the server reads at its start.
   * @param folder an empty folder of its own.
   * @returns the command line.
   */
  command(port: number, setting: Setting, folder: string): readonly [string, ...string[]];
}

const { NOUND_BUILD_DIR } = process.env;
const build = resolve(NOUND_BUILD_DIR ?? "build/host");
const sources = resolve("test/bench/servers");

/** Idle connections stay open for as long as a benchmark takes. */
const longest = 3_600;

/** Copies a program that was built, so that a build beside the benchmark does not change what is measured. */
function copied(name: string, scratch: string): string {
  const copy = join(scratch, name);
  copyFileSync(join(build, name), copy);
  return copy;
}

/** The token, as nound knows it: its hash, and what it may do. @returns the file's path. */
function tokenFile(folder: string): string {
  const file = join(folder, "tokens");
  writeFileSync(file, `bench * * ${createHash("sha256").update(token).digest("hex")}\n`, { mode: 0o600 });
  return file;
}

function nound(scratch: string): Server {
  const program = copied("nound", scratch);
  return {
    name: "nound",
    title: "nound",
    version: versionOf(program, "--version"),
    program,
    command(port, { nouns, isSimulated, idleConnections, tokens, streams }, folder) {
      const file = join(folder, "nound.json");
      const connections = idleConnections === 0 ? {} : { maxConnections: idleConnections + 128 };
      const constants = `NOUND_LIMITS=${JSON.stringify({ keepAliveTimeout: longest * 1_000 })}`;
      const limits = { ...connections, ...(streams === undefined ? {} : { maxStreams: streams }) };
      const entries = nouns.map(({ name, configuration }) => [name, configuration]);
      const configuration = {
        listen: `127.0.0.1:${port}`,
        limits,
        nouns: Object.fromEntries(entries),
        ...(nouns === meters && { stateDirectory: join(folder, "state") }),
      };
      const access = tokens ? { access: { tokens: tokenFile(folder) } } : {};
      writeFileSync(file, JSON.stringify({ ...configuration, ...access }, undefined, 2));
      const simulated = isSimulated === true ? ["--simulate"] : [];
      const command = [program, "--config", file, ...simulated] as const;
      return idleConnections === 0 ? command : ["env", constants, ...command];
    },
  };
}

function floor(scratch: string): Server {
  const program = copied("nound-floor", scratch);
  return {
    name: "floor",
    title: "the floor",
    version: "nound's loop, no JavaScript",
    program,
    command: (port) => [program, `127.0.0.1:${port}`],
  };
}

/** @returns the server on libmicrohttpd, compiled; a sentence if it cannot be. */
function microhttpd(scratch: string): Server | string {
  const program = join(scratch, "microhttpd");
  const options = ["-O2", "-o", program, join(sources, "microhttpd.c"), "-lmicrohttpd"];
  const { status } = spawnSync("cc", options, { stdio: "ignore" });
  if (status !== 0) return "libmicrohttpd is not installed; on Debian: apt-get install gcc libmicrohttpd-dev";
  return {
    name: "microhttpd",
    title: "libmicrohttpd",
    version: versionOf(program, "--version"),
    program,
    command: (port, { nouns: [first] }) => [program, String(port), JSON.stringify(first?.state ?? {})],
  };
}

function node(): Server {
  return {
    name: "node",
    title: "Node http",
    version: process.versions.node,
    program: realpathSync(process.execPath),
    command(port, { nouns }, folder) {
      const file = join(folder, "nouns.json");
      writeFileSync(file, JSON.stringify(Object.fromEntries(nouns.map(({ name, state }) => [name, state]))));
      return [process.execPath, join(sources, "node-http.mjs"), String(port), file];
    },
  };
}

function nginxLocation({ name, state }: BenchNoun): string {
  return `    location = /${name} {
      add_header Cache-Control no-store;
      return 200 '${JSON.stringify(state)}';
    }
`;
}

function nginxConfiguration(port: number, nouns: readonly BenchNoun[], folder: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr emerg;
events { worker_connections 2048; }
http {
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join("")}  access_log off;
  default_type application/json;
  keepalive_timeout ${longest}s;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
${nouns.map(nginxLocation).join("")}  }
}
`;
}

function nginx(program: string): Server {
  return {
    name: "nginx",
    title: "nginx return",
    version: versionOf(program, "-v"),
    program,
    command(port, { nouns }, folder) {
      const file = join(folder, "nginx.conf");
      writeFileSync(file, nginxConfiguration(port, nouns, folder));
      return [program, "-p", folder, "-c", file, "-e", "stderr"];
    },
  };
}

/**
 * Finds the servers that are there, and says which are not.
 * @param scratch a folder for copies of what was built.
 */
export function findServers(scratch: string): readonly Server[] {
  const nginxProgram = findProgram("nginx");
  const onLibrary = microhttpd(scratch);
  if (typeof onLibrary === "string") console.error(`bench: ${onLibrary}`);
  if (nginxProgram === undefined) console.error("bench: nginx is not installed; apt-get install nginx-light");
  return [
    nound(scratch),
    ...(existsSync(join(build, "nound-floor")) ? [floor(scratch)] : []),
    ...(typeof onLibrary === "string" ? [] : [onLibrary]),
    ...(nginxProgram === undefined ? [] : [nginx(nginxProgram)]),
    node(),
  ];
}
