/**
 * The app of Home Assistant, built and run by podman as the Supervisor builds and runs it: with its mounts, its
 * variables and a stand-in for its services and its ingress. The machine's own programs stand in for the base image.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request as connect, createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { newPage, noChromium, startChromium } from "../harness/chromium.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, mosquittoMissing } from "../harness/mosquitto.ts";
import { makeToken } from "../harness/token-file.ts";
import { answered, folder, giveAway, obstacle, podman, tidy } from "./podman.ts";
import { dist } from "./work-folder.ts";

const app = join(dist, "home-assistant");
/** Where the Supervisor's services are; containers know it by its name. */
const supervisor = "127.42.0.2";
const ingress = "127.0.0.1:8099";
const key = "of-the-supervisor";
const network = ["--network=host", `--add-host=supervisor:${supervisor}`];

/** @returns a root folder with a shell, jq and curl of this machine, and the libraries that they need. */
function baseFolder(): string {
  const base = join(folder, "base");
  const programs = ["sh", "cp", "mkdir", "jq", "curl"].map((name) =>
    execFileSync("sh", ["-c", `readlink -f "$(command -v ${name})"`], { encoding: "utf8" }).trim(),
  );
  const libraries = programs.flatMap((path) => execFileSync("ldd", [path], { encoding: "utf8" }).match(/\/\S+/g) ?? []);
  for (const path of new Set([...programs, ...libraries])) {
    mkdirSync(join(base, dirname(path)), { recursive: true });
    cpSync(path, join(base, path), { dereference: true });
  }
  mkdirSync(join(base, "bin"), { recursive: true });
  const [shell = ""] = programs;
  if (!existsSync(join(base, "bin/sh"))) cpSync(shell, join(base, "bin/sh"));
  return base;
}

const version = (number: string) => `local/nound:${number}`;

/** Builds it as the Supervisor does, twice: an update is another image. */
function build(): ReturnType<typeof podman> {
  const base = join(folder, "base.tar");
  if (!existsSync(base)) execFileSync("tar", ["-C", baseFolder(), "-cf", base, "."]);
  podman("import", "--quiet", base, "base");
  for (const number of ["1", "2"]) {
    const labels = [`--label=io.hass.version=${number}`, "--build-arg=BUILD_ARCH=amd64", `--tag=${version(number)}`];
    const from = ["--build-arg=BUILD_FROM=localhost/base", "--pull=never", "--isolation=chroot"];
    const built = podman("build", "--quiet", ...labels, ...from, app);
    if (built.status !== 0) return built;
  }
  return podman("run", "--rm", ...network, "--entrypoint=nound", version("1"), "--version");
}

function missing(): string | undefined {
  if (process.getuid?.() !== 0) return "the Supervisor's port 80 is root's";
  if (mosquittoMissing() !== undefined || noChromium !== undefined) return "mosquitto and chromium are needed";
  const program = ["jq", "curl", "mosquitto_passwd"].find((name) => spawnSync(name, ["--help"]).error !== undefined);
  if (program !== undefined) return `${program} is missing`;
  return existsSync(join(app, "nound-amd64")) ? obstacle(build) : "this release is not for amd64";
}

const reason = missing();

afterAll(tidy);

/** Serves until the test ends. @returns its address. */
async function serve(listener: RequestListener, host = "127.0.0.1", port = 0): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `${host}:${(server.address() as AddressInfo).port}`;
}

/** The services of a Supervisor, which has a broker or none. */
function services(broker: object | undefined): Promise<string> {
  return serve(
    ({ url, headers }, response) => {
      const isAllowed = headers.authorization === `Bearer ${key}`;
      const isKnown = isAllowed && url === "/services/mqtt" && broker !== undefined;
      response.writeHead(isKnown ? 200 : isAllowed ? 400 : 401, { "Content-Type": "application/json" });
      const refusal = { result: "error", message: isAllowed ? "Service not enabled" : "unauthorized" };
      response.end(JSON.stringify(isKnown ? { result: "ok", data: broker } : refusal));
    },
    supervisor,
    80,
  );
}

const who = { "X-Remote-User-Id": "0123", "X-Remote-User-Name": "anna", "X-Remote-User-Display-Name": "Anna" };

/** The Supervisor's ingress: it takes its path away, and adds its headers. @returns the address of the page. */
async function startIngress(): Promise<string> {
  const path = "/api/hassio_ingress/Kx3-_token";
  const address = await serve((request, response) => {
    const [host, port] = ingress.split(":");
    const { url = "", method = "GET" } = request;
    const added = { ...who, "X-Ingress-Path": path, "X-Forwarded-Proto": "http", "X-Forwarded-For": "192.0.2.1" };
    const options = { host, port: Number(port), path: url.slice(path.length), method };
    const onward = connect({ ...options, headers: { ...request.headers, ...added } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    if (url.startsWith(`${path}/`)) request.pipe(onward);
    else response.writeHead(404).end();
  });
  return `http://${address}${path}/`;
}

/** Starts the app with its data, as the Supervisor does. */
function start(number: string, data: string): void {
  giveAway(data);
  const variables = ["TZ=Europe/Berlin", `SUPERVISOR_TOKEN=${key}`, `HASSIO_TOKEN=${key}`].map((one) => `--env=${one}`);
  const given = [...network, "--security-opt=seccomp=unconfined", "--tmpfs=/dev/shm", `--volume=${data}:/data`];
  expect(podman("run", "--detach", "--name=app", ...given, ...variables, version(number))).toMatchObject({ status: 0 });
}

function end(): void {
  podman("rm", "--force", "--time=10", "app");
}

/** Starts the app with options, until the test ends. @returns the folder of its data. */
function startWith(options: object): string {
  const data = join(folder, "data");
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  writeFileSync(join(data, "options.json"), JSON.stringify(options));
  onTestFinished(end);
  start("1", data);
  return data;
}

/** @returns what its log says. */
function log(): string {
  const { stdout, stderr } = podman("logs", "app");
  return stdout + stderr;
}

const lamp = { kind: "switch", key: "lamp", boot: "restore" };

describe.skipIf(reason !== undefined)(`the app${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  test("it has the Supervisor's broker, and its page works by ingress; an update keeps states", async () => {
    const passwords = join(folder, "passwords");
    execFileSync("mosquitto_passwd", ["-b", "-c", passwords, "addons", "of-the-broker"]);
    const { port } = await Mosquitto.start([`password_file ${passwords}`]);
    const given = { username: "addons", password: "of-the-broker", protocol: "3.1.1", addon: "core_mosquitto" };
    await services({ host: "127.0.0.1", port, ssl: false, ...given });
    const data = startWith({ title: "Hall", nouns: { lamp } });
    const isConnected = async () => (await answered(ingress, "/metrics"))?.includes("\nnound_mqtt_connected 1\n");
    await eventually("it is at the broker", isConnected);

    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const page = await newPage(browser);
    await page.goto(await startIngress());
    const control = page.getByRole("switch", { name: "Lamp", exact: true });
    await control.check();
    await eventually("the lamp is on", async () => (await answered(ingress, "/lamp")) === '{"lamp":1}');
    const headers = { "Content-Type": "application/json" };
    await fetch(`http://${ingress}/lamp`, { method: "PUT", headers, body: '{"lamp":0}' });
    await eventually("the page shows that it is off", async () => !(await control.isChecked()));
    await control.check();
    await eventually("the lamp is on again", async () => (await answered(ingress, "/lamp")) === '{"lamp":1}');

    expect(podman("stop", "app")).toMatchObject({ status: 0 });
    expect(podman("inspect", "app", "--format={{.State.ExitCode}}").stdout).toBe("0");
    end();
    start("2", data);
    await eventually("the lamp is on", async () => (await answered(ingress, "/lamp")) === '{"lamp":1}');
    await eventually("it is at the broker again", isConnected);
  });

  test("a header that names a user gives no right, and a token does; without a broker, the log says so", async () => {
    await services(undefined);
    const { token, line } = await makeToken("panel");
    const tokens = join(folder, "tokens");
    writeFileSync(tokens, `${line}\n`, { mode: 0o600 });
    const data = startWith({ access: { tokens: "/data/tokens" }, nouns: { lamp } });
    cpSync(tokens, join(data, "tokens"));
    giveAway(data);
    await eventually("it serves", () => answered(ingress, "/lamp", { Authorization: `Bearer ${token}` }));
    const refused = await fetch(`http://${ingress}/lamp`, { headers: { ...who, "X-Ingress-Path": "/x" } });
    expect(refused.status).toBe(401);
    expect(log()).toMatch(/the Supervisor names no broker .*Service not enabled/s);
  });

  test("the log says where in the options a mistake is", async () => {
    await services(undefined);
    startWith({ nouns: { lamp: { kind: "gpio-output", line: 17, key: "lamp" } } });
    await eventually("it has ended", () => podman("inspect", "app", "--format={{.State.Status}}").stdout === "exited");
    expect(podman("inspect", "app", "--format={{.State.ExitCode}}").stdout).toBe("1");
    expect(log()).toMatch(/\$\.nouns\.lamp\.line: expected .*\n.*correct the options of the app/s);
  });
});
