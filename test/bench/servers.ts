/** The servers that are compared: how each is started, what it is told, and whether it is there. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BenchNoun, everyKind, meters } from "./nouns.ts";
import { token } from "./request-text.ts";
import type { ServerName } from "./results.ts";
import { findProgram, versionOf } from "./tools.ts";
import type { Setting } from "./workloads.ts";

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
    command(port, { nouns, idleConnections, tokens, streams }, folder) {
      const file = join(folder, "nound.json");
      const connections =
        idleConnections === 0 ? {} : { maxConnections: idleConnections + 128, keepAliveTimeout: longest * 1_000 };
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
      return [program, "--config", file, ...(nouns === everyKind || nouns === meters ? ["--simulate"] : [])];
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
    command(port, { nouns, tokens }, folder) {
      const file = join(folder, "nouns.json");
      const entries = nouns.map(({ name, configuration, state }) => [name, { kind: configuration.kind, state }]);
      writeFileSync(file, JSON.stringify(Object.fromEntries(entries)));
      return [process.execPath, join(sources, "node-http.mjs"), String(port), file, ...(tokens ? [token] : [])];
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

function lighttpdConfiguration(port: number, folder: string): string {
  return `server.bind = "127.0.0.1"
server.port = ${port}
server.document-root = "${folder}/www"
server.modules = ( "mod_cgi" )
server.max-keep-alive-requests = 1000000
server.max-keep-alive-idle = ${longest}
server.max-connections = 2048
server.max-fds = 4096
cgi.assign = ( "/led" => "/bin/sh" )
`;
}

function lighttpd(program: string): Server {
  return {
    name: "lighttpd",
    title: "lighttpd + CGI",
    version: versionOf(program, "-v"),
    program,
    command(port, _setting, folder) {
      const documents = join(folder, "www");
      mkdirSync(documents);
      copyFileSync(join(sources, "state.cgi"), join(documents, "led"));
      writeFileSync(join(documents, "state.json"), '{"led":0}\n');
      const file = join(folder, "lighttpd.conf");
      writeFileSync(file, lighttpdConfiguration(port, folder));
      return [program, "-D", "-f", file];
    },
  };
}

/**
 * Finds the servers that are there.
 * @param scratch a folder for copies of what was built.
 * @returns them, and a sentence for each that is not.
 */
export function findServers(scratch: string): {
  readonly servers: readonly Server[];
  readonly skipped: readonly string[];
} {
  const nginxProgram = findProgram("nginx");
  const lighttpdProgram = findProgram("lighttpd");
  const onLibrary = microhttpd(scratch);
  const skipped = [
    ...(typeof onLibrary === "string" ? [onLibrary] : []),
    ...(nginxProgram === undefined ? ["nginx is not installed; on Debian: apt-get install nginx-light"] : []),
    ...(lighttpdProgram === undefined ? ["lighttpd is not installed; on Debian: apt-get install lighttpd"] : []),
  ];
  return {
    servers: [
      nound(scratch),
      floor(scratch),
      ...(typeof onLibrary === "string" ? [] : [onLibrary]),
      ...(nginxProgram === undefined ? [] : [nginx(nginxProgram)]),
      node(),
      ...(lighttpdProgram === undefined ? [] : [lighttpd(lighttpdProgram)]),
    ],
    skipped,
  };
}
