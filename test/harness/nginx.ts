/**
 * nginx in front of nound, with the configuration of examples/tls-proxy and a certificate that it makes for the test.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, isListening } from "./address.ts";
import { eventually } from "./eventually.ts";
import { temporaryPath } from "./nound-process.ts";
import { top } from "./top.ts";

/** Debian's folder of it is not on everyone's path. */
const nginx = existsSync("/usr/sbin/nginx") ? "/usr/sbin/nginx" : "nginx";

/** Why it cannot run here, or undefined. */
export function nginxMissing(): string | undefined {
  for (const [program, version] of [
    [nginx, "-v"],
    ["openssl", "version"],
  ] as const) {
    try {
      execFileSync(program, [version], { stdio: "ignore" });
    } catch {
      return `${program} does not run here`;
    }
  }
  return undefined;
}

/** The name in the certificate. */
export const certified = "hall.example";

/** A running nginx. */
export interface TlsProxy {
  readonly port: number;
  /** The certificate, for clients to trust. */
  readonly certificate: string;
  stop(): Promise<void>;
}

/** Puts values instead of those that the example has, each of which must be there. */
function replaceAll(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The example has no ${JSON.stringify(from)} any more.`);
    return changed.replaceAll(from, to);
  }, text);
}

function makeCertificate(folder: string): void {
  const subject = ["-subj", `/CN=${certified}`, "-addext", `subjectAltName=DNS:${certified}`, "-days", "2"];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "certificate.pem")];
  execFileSync("openssl", ["req", "-x509", ...key, ...subject, ...files], { stdio: "ignore" });
}

/** What an nginx.conf has around the file of a site; Debian's does the same, but for whom it runs as. */
function mainConfiguration(folder: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join("")}  access_log off;
  include ${folder}/site.conf;
}
`;
}

/** Starts nginx on a free port of loopback and waits until it listens. @param socket the path of nound's socket. */
export async function startTlsProxy(socket: string): Promise<TlsProxy> {
  const folder = temporaryPath("nginx");
  mkdirSync(folder);
  makeCertificate(folder);
  const port = await freePort();
  const example = readFileSync(join(top, "examples/tls-proxy/nginx.conf"), "utf8");
  const site = replaceAll(example, {
    "unix:/run/nound/nound.sock": `unix:${socket}`,
    "listen 443 ssl;": `listen 127.0.0.1:${port} ssl;`,
    "listen [::]:443 ssl;": "",
    "/etc/ssl/nound/certificate.pem": join(folder, "certificate.pem"),
    "/etc/ssl/private/nound.pem": join(folder, "key.pem"),
  });
  writeFileSync(join(folder, "site.conf"), site);
  writeFileSync(join(folder, "nginx.conf"), mainConfiguration(folder));
  const running = spawn(nginx, ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")], {
    stdio: "ignore",
  });
  let ended = false;
  const ending = new Promise<void>((resolve) => {
    running.once("close", () => {
      ended = true;
      resolve();
    });
  });
  await eventually("nginx listens", () => {
    if (ended) throw new Error(`nginx ended: ${readFileSync(join(folder, "error.log"), "utf8")}`);
    return isListening(`127.0.0.1:${port}`);
  });
  return {
    port,
    certificate: readFileSync(join(folder, "certificate.pem"), "utf8"),
    stop: async () => {
      running.kill("SIGTERM");
      await ending;
    },
  };
}
