/**
 * Libraries that watch a noun, each alone and through proxies that compress: `npm run test:clients`. It fetches them in
 * pinned versions into build/clients. A proxy that is not installed is left out, with a word. An event must come within
 * its time, and no event may be empty. Everything is on 127.0.0.1.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const folder = join(process.cwd(), "build/clients");
const own = join(process.cwd(), "test/clients");
const token = "3f0c5d1e9a7b42886f1de0c9b2a45d7733e1f09c";
const pythonPackages = ["httpx==0.28.1", "httpx-sse==0.4.3"];
const started: ChildProcess[] = [];

function install(): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "watch.mjs", "watch.py", "proxy.mjs"])
    copyFileSync(join(own, file), join(folder, file));
  const options = { cwd: folder, stdio: "inherit" } as const;
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent"], options);
  if (!existsSync(join(folder, "venv/bin/pip"))) execFileSync("python3", ["-m", "venv", "venv"], options);
  execFileSync("venv/bin/pip", ["install", "--quiet", ...pythonPackages], options);
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
    const site = `http://127.0.0.1:${port} {\n encode\n reverse_proxy ${target}\n}\n`;
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
  }
  return isRight;
}

try {
  if (!(await run())) process.exitCode = 1;
} finally {
  for (const child of started) child.kill();
}
