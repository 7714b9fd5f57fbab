/** Encrypted connections beside those of nginx, with the same cipher and the same certificate. `bench -- --tls` */
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { certificate } from "../harness/certificates.ts";
import { eventually } from "../harness/eventually.ts";
import { LoadGenerator } from "./load-generator.ts";
import { turnMilliseconds } from "./measurement.ts";
import { processTree, treeTime } from "./process-account.ts";
import { requestText } from "./request-text.ts";
import { freePort, loadCpu, RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { median, medianRatio } from "./statistics.ts";
import { markdownTable } from "./table.ts";
import { bareGet, usual, type Workload } from "./workloads.ts";

const rounds = 5;

/** Requests on connections that are kept: of one client that waits for each answer, and of as many as elsewhere. */
const single: Workload = { ...bareGet, name: "tls-single", connections: 1 };
const many: Workload = { ...bareGet, name: "tls-many" };
/** One request on each connection. wrk resumes no session, so each has a whole handshake. */
const each: Workload = {
  ...bareGet,
  name: "tls-handshake",
  requests: [requestText({ fields: "Connection: close\r\n" })],
  connectionEach: true,
};

/** The files of a certificate. */
interface Files {
  readonly certificate: string;
  readonly key: string;
}

/** A server that also listens for encrypted connections, and its rounds. */
interface Sealed {
  readonly running: RunningServer;
  readonly port: number;
  /** Processes without a connection. */
  readonly processes: number;
  /** µs of a request on a connection that is kept, and on one of its own. */
  readonly costs: { readonly single: number[]; readonly many: number[]; readonly each: number[] };
}

function writeCertificate(scratch: string): Files {
  const made = certificate({ name: "bench", hosts: ["127.0.0.1"] });
  const files = { certificate: join(scratch, "certificate.pem"), key: join(scratch, "key.pem") };
  writeFileSync(files.certificate, made.pem);
  writeFileSync(files.key, made.key, { mode: 0o600 });
  return files;
}

/** nound with a second address. */
function sealedNound(nound: Server, files: Files, sealedPort: number): Server {
  return {
    ...nound,
    command(port, setting, folder) {
      const command = nound.command(port, setting, folder);
      const file = join(folder, "nound.json");
      const configuration: { readonly limits: object } = JSON.parse(readFileSync(file, "utf8"));
      const listen = [`127.0.0.1:${port}`, `https://127.0.0.1:${sealedPort}`];
      const limits = { ...configuration.limits, tlsConnections: 2 * many.connections };
      writeFileSync(file, JSON.stringify({ ...configuration, listen, https: files, limits }));
      return command;
    },
  };
}

/** nginx with a second address. @param cipher its name in TLS 1.3. */
function sealedNginx(nginx: Server, files: Files, sealedPort: number, cipher: string): Server {
  return {
    ...nginx,
    command(port, setting, folder) {
      const command = nginx.command(port, setting, folder);
      const file = join(folder, "nginx.conf");
      const listen = `    listen 127.0.0.1:${port};\n`;
      const sealed = `    listen 127.0.0.1:${sealedPort} ssl;
    ssl_certificate ${files.certificate};
    ssl_certificate_key ${files.key};
    ssl_protocols TLSv1.3;
    ssl_conf_command Ciphersuites ${cipher};
`;
      writeFileSync(file, readFileSync(file, "utf8").replace(listen, `${listen}${sealed}`));
      return command;
    },
  };
}

/** @returns the version and the cipher that a server takes from an OpenSSL that offers all. */
function agreedWith(port: number): Promise<{ readonly version: string; readonly cipher: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve({ version: socket.getProtocol() ?? "none", cipher: socket.getCipher().name });
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

/** Waits until a server has no connection. */
async function isIdle({ running, processes }: Pick<Sealed, "running" | "processes">): Promise<void> {
  await eventually("the connections have ended", () => processTree(running.pid).length === processes);
}

/** Loads a server for a turn. @returns µs of processor time of all its processes for a request. */
async function takeTurn(
  { running, port, processes }: Omit<Sealed, "costs">,
  workload: Workload,
): Promise<{ readonly cost: number; readonly requests: number }> {
  const before = treeTime(running.pid);
  const script = running.file(`${workload.name}.lua`);
  const generator = await LoadGenerator.start(workload, port, loadCpu, script, "https");
  await delay(turnMilliseconds);
  const { requests, errors } = await generator.finish();
  // A connection's process that has ended is in its parent's account.
  await isIdle({ running, processes });
  if (errors > 0 || requests === 0) throw new Error(`${requests} requests over TLS, and ${errors} errors`);
  return { cost: (treeTime(running.pid) - before) / 1_000 / requests, requests };
}

async function takeTurns({ costs, ...sealed }: Sealed): Promise<void> {
  const handshake = await takeTurn(sealed, each);
  costs.each.push(handshake.cost);
  for (const [workload, to] of [
    [single, costs.single],
    [many, costs.many],
  ] as const) {
    const { cost, requests } = await takeTurn(sealed, workload);
    // The handshakes with which the turn began are not the requests'.
    to.push(cost - (handshake.cost * workload.connections) / requests);
  }
}

const microseconds = (values: readonly number[]): string => median(values).toFixed(1);

function tableOf(nound: Sealed, nginx: Sealed): string {
  const row = (title: string, name: keyof Sealed["costs"]) => [
    title,
    microseconds(nound.costs[name]),
    microseconds(nginx.costs[name]),
    medianRatio(nound.costs[name], nginx.costs[name]).toFixed(2),
  ];
  return markdownTable(
    ["Processor time of all processes, µs", "nound", "nginx", "ratio"],
    [
      row("GET on a kept connection, one client that waits for each answer", "single"),
      row(`GET on a kept connection, ${many.connections} at once`, "many"),
      row("GET with a connection and a handshake of its own", "each"),
    ],
  );
}

/** @returns the table and a sentence on how it was measured. */
export async function measureTls(
  servers: readonly Server[],
  scratch: string,
  progress: (step: string) => void,
): Promise<string> {
  const [nound, nginx] = ["nound", "nginx"].map((wanted) => servers.find(({ name }) => name === wanted));
  if (nound === undefined || nginx === undefined) throw new Error("nginx is missing; apt-get install nginx-light");
  const files = writeCertificate(scratch);
  const started: RunningServer[] = [];
  const start = async (port: number, server: Server): Promise<Sealed> => {
    const running = await RunningServer.start(server, usual, scratch);
    started.push(running);
    const processes = processTree(running.pid).length;
    return { running, port, processes, costs: { single: [], many: [], each: [] } };
  };
  try {
    progress("starting");
    const [own, other] = [await freePort(), await freePort()];
    const first = await start(own, sealedNound(nound, files, own));
    const agreed = await agreedWith(own);
    const second = await start(other, sealedNginx(nginx, files, other, agreed.cipher));
    const { version, cipher } = await agreedWith(other);
    if (version !== agreed.version || cipher !== agreed.cipher) {
      throw new Error(`nound takes ${agreed.version} with ${agreed.cipher}, nginx ${version} with ${cipher}`);
    }
    const before = loadavg()[0] ?? 0;
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1} of ${rounds}`);
      for (const sealed of round % 2 === 0 ? [first, second] : [second, first]) {
        await isIdle(sealed);
        await takeTurns(sealed);
      }
    }
    return `${tableOf(first, second)}
${version}, ${cipher.replaceAll("_", " ")}, ECDSA with P-256; nginx ${nginx.version}. ${rounds} rounds; load average
${before.toFixed(2)} before the start.`;
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}
