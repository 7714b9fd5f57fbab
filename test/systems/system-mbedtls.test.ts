/** A build with the Mbed TLS of Debian 13, by its compiler, and what this Mbed TLS does otherwise than the bundled one. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, createServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../harness/address.ts";
import { certificate, ecKeys, type KeyPair } from "../harness/certificates.ts";
import { eventually } from "../harness/eventually.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { ask } from "../harness/https-client.ts";
import { run, top } from "../release/work-folder.ts";

const packages = ["gcc", "libc6-dev", "cmake", "ninja-build", "libmbedtls-dev"];

/** Fetches Debian 13 with a compiler, unless that was done. @returns its folder. */
function fetchDebian(): string {
  const root = join(top, "build/systems/debian-13");
  if (existsSync(root)) return root;
  const unfinished = `${root}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  run("debootstrap", ["--variant=minbase", `--include=${packages.join(",")}`, "trixie", unfinished]);
  renameSync(unfinished, root);
  return root;
}

/** Puts the source into a system as a release has it: with the script compiled, and the engine. */
function copySource(root: string): void {
  run("node", ["tools/build/build.mjs", "--part=nound"]);
  const source = join(root, "source");
  rmSync(source, { recursive: true, force: true });
  mkdirSync(join(source, "prebuilt"), { recursive: true });
  run("sh", ["-c", `git ls-files -z | tar --create --null --files-from=- | tar --extract --directory="${source}"`]);
  const script = `
    import { cpSync, writeFileSync } from "node:fs";
    import { cached, engineFiles } from "./tools/dist/components.mjs";
    const engine = cached("build/host", "NOUND_ENGINE_FOLDER");
    writeFileSync("${source}/prebuilt/engine.sha256", engineFiles(engine));
    cpSync(engine, "${source}/vendor/quickjs-ng", { recursive: true, dereference: true });
  `;
  run("node", ["--input-type=module", "--eval", script]);
  for (const name of ["bytecode", "text"]) {
    cpSync(join(top, "build/host/nound-script.c"), join(source, `prebuilt/nound-${name}.c`));
  }
  cpSync(join(top, "build/host/page.c"), join(source, "prebuilt/page.c"));
}

const reason =
  process.getuid?.() !== 0
    ? "another system is entered by root alone"
    : process.arch !== "x64"
      ? "the script is compiled for this machine's byte order"
      : undefined;
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;

describe.skipIf(reason !== undefined)(`with the Mbed TLS of Debian 13${notTried}`, () => {
  let root = "";
  let configured = "";
  let nound: ChildProcess | undefined;
  let printed = "";
  let port = 0;
  let ca = "";
  const received: Buffer[] = [];
  const authority = certificate({ name: "House", isAuthority: true });
  const shown = (keys: KeyPair) => {
    const { key, pem } = certificate({ name: "broker", hosts: ["127.0.0.1"], issuer: authority, keys });
    return { key, cert: pem };
  };
  const broker = createServer(shown(ecKeys("P-521")), (socket) => {
    socket.on("error", () => undefined).on("data", (bytes) => received.push(bytes));
  });

  /** Runs a command in the other system. @returns what it prints. */
  const inside = (command: string) => run("chroot", [root, "sh", "-c", command]);

  beforeAll(async () => {
    installHostPackages({ debootstrap: "debootstrap" }, "The test of the system's Mbed TLS");
    root = fetchDebian();
    copySource(root);
    const options = "-DNOUND_MBEDTLS=system -DNOUND_LIBGPIOD=off -DNOUND_ENGINE_OPTIONS=-O1";
    configured = inside(`cd /source && cmake -B /build -G Ninja ${options} 2>&1`);
    inside("cmake --build /build --target nound");
    port = await freePort();
    const folder = join(root, "var/lib/nound");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const listen = `https://127.0.0.1:${port}`;
    const brokerPort = await freePort();
    await new Promise<void>((resolve) => broker.listen(brokerPort, "127.0.0.1", resolve));
    writeFileSync(join(folder, "authority.pem"), authority.pem);
    const configuration = {
      listen,
      stateDirectory: "/var/lib/nound",
      log: "requests",
      tls: { authorities: "/var/lib/nound/authority.pem" },
      mqtt: { id: "hall", server: `mqtts://127.0.0.1:${brokerPort}` },
      nouns: { led: { kind: "switch", key: "led", values: [0, 1] } },
    };
    writeFileSync(join(folder, "nound.json"), JSON.stringify(configuration));
    nound = spawn("chroot", [root, "/build/nound", "--config", "/var/lib/nound/nound.json"]);
    nound.stderr?.on("data", (bytes) => (printed += String(bytes)));
    nound.once("exit", (status) => (printed += `ended with ${status}`));
    await eventually("it serves or ends", () => /listening on|ended with/.test(printed));
    expect(printed).toContain(`listening on ${listen}`);
    ca = readFileSync(join(folder, "https-certificate.pem"), "utf8");
  });
  afterAll(() => {
    nound?.kill();
    broker.close();
  });

  test("links it", () => {
    expect(inside("ldd /build/nound")).toMatch(/libmbedtls\.so/);
  });

  test("tells what 3.6.6 cannot do, if it is that one", () => {
    const is366 = readFileSync(join(root, "usr/include/mbedtls/build_info.h"), "utf8").includes('"3.6.6"');
    expect(configured.includes("refuses servers with an RSA key")).toBe(is366);
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "serves over %s, with the certificate that it has made",
    async (version) => {
      const versions = { minVersion: version, maxVersion: version };
      expect(await ask({ port, ca, path: "/led", ...versions })).toMatchObject({ status: 200, body: '{"led":0}' });
    },
  );

  test("takes no cipher that the bundled one has not", async () => {
    const older = { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256" } as const;
    const socket = connect({ port, host: "127.0.0.1", ...older });
    socket.on("error", () => undefined);
    await eventually("the log has it", () => printed.includes("the client has no cipher"));
    socket.destroy();
  });

  test("refuses a broker with a key of a curve that the bundled one has not, and takes another key", async () => {
    await eventually("the log has it", () => printed.includes("has a key that nound does not take"));
    expect(received).toEqual([]);
    broker.setSecureContext(shown(ecKeys()));
    await eventually("it sends CONNECT", () => received[0]?.[0] === 0x10);
  });
});
