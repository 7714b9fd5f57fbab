/**
 * Encrypted connections from clients: the certificate, and the process that accepts them. A program has one such
 * process. This module is loaded by a program that listens on https.
 */
import * as acceptor from "nound:acceptor";
import { hostAndPort } from "../../core/http/host.ts";
import type { SealedClients } from "../../core/server/sealed-clients.ts";
import type { HttpServer } from "../../core/server/server.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { AcceptorCertificate, AcceptorSettings } from "../../native/acceptor.ts";
import type { Listener } from "../../native/net.ts";
import { ofProgram } from "../../native/of-program.ts";
import { noteEnds } from "../../platform/certificate-ends.ts";
import { areRequestsLogged, logError, logFailure, logLine } from "../../platform/log.ts";
import { isSimulated, loop, system } from "../../platform/platform.ts";
import { renew } from "../../platform/renewal.ts";
import { HttpsError, isRefusal, sentenceOf } from "../../platform/start-error.ts";
import { dayOf, watchEnds } from "../client/certificate-watch.ts";
import type { Https } from "./part.ts";

/**
 * The certificate of a server that listens on `https://`.
 *
 * @example
 * const https: HttpsOptions = { certificate: "/etc/my-device/chain.pem", key: "/etc/my-device/key.pem" };
 * const server = new Server({ https });
 */
export interface HttpsOptions {
  /** The path of a file with the certificate, and those between it and its authority, in PEM. */
  readonly certificate?: string;
  /** The path of a file with the key of `certificate`, in PEM. */
  readonly key?: string;
  /** Without `certificate` and `key`: the folder in which the program keeps a certificate that it makes itself. */
  readonly stateDirectory?: string;
  /** Further names and addresses of a certificate that the program makes itself. */
  readonly names?: readonly string[];
}

/** ms between the start and a new process in place of an acceptor that has ended, at least. */
const renewalTime = 60_000;

/** An address. */
interface Sealed {
  readonly clients: SealedClients;
  /** open; closing, while clients are in the middle of their handshakes; then closed */
  state: "open" | "closing" | "closed";
}

/** The process that accepts. */
interface Acceptor {
  /** The addresses in the order of their numbers; undefined before the first one. */
  addresses?: Sealed[];
  certificate?: AcceptorCertificate;
  /** When it began, in ms of the loop's clock. */
  began: number;
}

const own = ofProgram<Acceptor>(() => ({ began: 0 }));

/** @param hosts that the server answers for. @returns the names of a certificate that the program makes itself. */
function namesOf(address: string, hosts: readonly string[], { names = [] }: HttpsOptions): string {
  const own = system.hostName();
  const reached = [...names, address, ...hosts].map((text) => hostAndPort(text)[0].replace(/^\[|\]$/g, ""));
  const all = [own, own.includes(".") ? "" : `${own}.local`, ...reached].map((name) => name.toLowerCase());
  const isUsable = (name: string) => /^[a-z0-9.:-]+$/.test(name) && name !== "0.0.0.0" && name !== "::";
  const usable = all.filter(isUsable);
  // A kernel whose host nobody has named calls it "(none)".
  return usable.length === 0 ? "nound" : [...new Set(usable)].join(",");
}

function onClosed(address: Sealed | undefined): void {
  if (address === undefined || address.state === "closed") return;
  address.state = "closed";
  address.clients.closed();
}

/** Hands over to the next process, which has another acceptor. */
function replace(): void {
  new Alarm(loop, renew).set(Math.max(loop.now(), own().began + renewalTime));
}

function onEnd(listening: readonly Sealed[]): void {
  const isExpected = !listening.some(({ state }) => state === "open");
  for (const address of listening) onClosed(address);
  if (isExpected) return;
  logFailure("https", "its process has ended: encrypted connections are accepted again when another one has started");
  replace();
}

function settingsOf(options: HttpsOptions): AcceptorSettings {
  const { certificate = "", key = "", stateDirectory = "" } = options;
  // A simulation writes nothing: its own certificate ends with it.
  const folder = isSimulated ? "" : stateDirectory;
  return { certificate, key, folder, names: "", most: 1, asks: 0, tells: 0 };
}

/** @throws Error with a sentence if this program was built without TLS. */
export function confirmTls(): void {
  acceptor.confirm();
}

/** @returns the certificate that the settings name. @throws Error with a sentence if it cannot be used. */
export function certificateOf(options: HttpsOptions): AcceptorCertificate {
  return acceptor.inspect(settingsOf(options));
}

function start(options: HttpsOptions, names: string, core: HttpServer, listening: readonly Sealed[]): void {
  const asks = core.access?.asksForKeys ? 1 : 0;
  const tells = areRequestsLogged() ? 1 : 0;
  const settings: AcceptorSettings = {
    ...settingsOf(options),
    names,
    most: core.host.limits.tlsConnections,
    asks,
    tells,
  };
  const { certificate: file, key, folder } = settings;
  if ((file === "") !== (key === "")) throw new Error("https has both certificate and key, or none of them");
  if (file === "" && folder === "" && !isSimulated) {
    throw new Error('https needs "certificate" and "key", or "stateDirectory" for a certificate that is made there');
  }
  const handlers: Parameters<typeof acceptor.start>[1] = {
    onConnection: (listener, socket, clientKey) => {
      if (listening[listener] === undefined) socket.close();
      else listening[listener].clients.accept(socket, clientKey);
    },
    onRefusal: (from, reason) => logLine(`${from}: no encrypted connection: ${reason}`),
    onFull: () => {
      for (const one of new Set(listening.map(({ clients }) => clients))) one.makeRoom();
    },
    onDue: replace,
    onClosed: (listener) => onClosed(listening[listener]),
    onEnd: () => onEnd(listening),
  };
  let certificate: AcceptorCertificate;
  try {
    certificate = acceptor.start(settings, handlers);
  } catch (error) {
    throw isRefusal(error) ? new HttpsError(sentenceOf(error)) : error;
  }
  own().certificate = certificate;
  own().began = loop.now();
  noteEnds([{ of: "https", file: file === "" ? `${folder}/https-certificate.pem` : file, end: certificate.end }]);
  // nound renews its own certificate by itself.
  if (file !== "") watchEnds();
  if (certificate.isNew) {
    const until = dayOf(certificate.end);
    logLine(
      `https: made a certificate until ${until}; SHA-256 of the certificate ${certificate.certificate}, ` +
        `of its key ${certificate.key}`,
    );
  }
}

/** The process begins with the first address. */
function listen(address: string, core: HttpServer, options: HttpsOptions, hosts: readonly string[]): string {
  return core.listenSealed((clients) => {
    let { addresses } = own();
    if (addresses === undefined) {
      addresses = [];
      start(options, namesOf(address, hosts, options), core, addresses);
      own().addresses = addresses;
    }
    const number = addresses.length;
    const bound = acceptor.listen(address);
    const sealed: Sealed = { clients, state: "open" };
    addresses.push(sealed);
    clients.opened();
    const listener: Listener = { address: `https://${bound}`, close: () => close(number, sealed) };
    return listener;
  });
}

/** Gives the acceptor an order. If that fails, the log has a line. @returns whether it was given. */
function order(what: () => void): boolean {
  try {
    what();
    return true;
  } catch (error) {
    logError("https", error);
    return false;
  }
}

function close(number: number, address: Sealed): void {
  if (address.state !== "open") return;
  address.state = "closing";
  if (!order(() => acceptor.close(number))) onClosed(address);
}

/** @param hosts that the server answers for. */
export function openHttps(options: HttpsOptions, hosts: readonly string[] = [], core: HttpServer): Https {
  return {
    get certificate() {
      return own().certificate;
    },
    listen: (address) => listen(address, core, options, hosts),
    // Clients are asked for certificates if tokens have keys.
    tokensReplaced() {
      if (own().addresses !== undefined) order(() => acceptor.ask(core.access?.asksForKeys ?? false));
    },
  };
}
