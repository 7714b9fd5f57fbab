/** `--find mirrors`: the nouns of other devices that Avahi has found on the network, each as a mirror. */

import { decodeUtf8 } from "../../core/http/utf8.ts";
import { parseNounName } from "../../core/noun/name.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { connect, endConnections, numberOf } from "../../parts/client/connections.ts";
import { Exchange } from "../../parts/client/exchange.ts";
import { type HttpUrl, parseHttpUrl } from "../../parts/client/url.ts";
import { loop, reachHardware, system } from "../../platform/platform.ts";
import { exitStatus, StartError, sentenceOf } from "../../platform/start-error.ts";
import { AvahiBrowser, type FoundService } from "./avahi-browser.ts";
import { nounNameFor, printNoun, printSentence } from "./printed.ts";

/** Where the system's bus is. Older systems have a folder /var/run of their own. */
const buses = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"];

/** ms that Avahi has to answer: it waits a second itself for servers to answer. */
const browseTime = 10_000;

/** ms that a device has to send its description. */
const readTime = 4_000;

/** Devices that are asked, each by its name and by its address: the connector has 32 targets. */
const mostDevices = 16;

const limits = { headBytes: 8_192, bodyBytes: 8_388_608 };

const noAvahi =
  "install avahi-daemon and start it. Without it, write the URL of the other device's noun yourself (docs/nouns.md)";

/** @returns the servers of nouns that Avahi has found. @throws StartError if it cannot be asked. */
function browse(): Promise<readonly FoundService[]> {
  const bus = buses.find((path) => system.accessOf(path) !== undefined);
  if (bus === undefined)
    throw new StartError(`there is no D-Bus here, so Avahi does not run: ${noAvahi}`, exitStatus.unavailable);
  return new Promise((resolve, reject) => {
    let browser: AvahiBrowser | undefined;
    const end = (services: readonly FoundService[], reason: string) => {
      alarm.stop();
      if (reason === "") resolve(services);
      else reject(new StartError(`cannot ask Avahi: ${reason}; ${noAvahi}`, exitStatus.unavailable));
    };
    // It also keeps the program running.
    const alarm = new Alarm(loop, () => (browser === undefined ? end([], "D-Bus does not answer") : browser.end("")));
    alarm.set(loop.now() + browseTime);
    connect(numberOf(`unix:${bus}`), browseTime / 2, (socket, why) => {
      if (socket === undefined) {
        end([], why);
        return;
      }
      browser = new AvahiBrowser(socket, end);
      socket.handler = browser;
      browser.begin("_wot._tcp");
    });
  });
}

/** @returns the URL of a device's description; undefined for one that nound does not serve. @param host of the URL. */
function descriptionUrl({ port, texts }: FoundService, host: string): string | undefined {
  const scheme = texts.includes("scheme=https") ? "https" : "http";
  return texts.includes("td=/.well-known/wot") ? `${scheme}://${host}:${port}/.well-known/wot` : undefined;
}

/** Reads a document. @returns its text. @throws Error with a sentence if it does not come, or is refused. */
function read(url: HttpUrl): Promise<string> {
  return new Promise((resolve, reject) => {
    const context = { clock: loop, connector: { connect }, agent: `nound/${system.version}` };
    const request = { target: numberOf(url.target), method: "GET", url, fields: "" };
    new Exchange(context, { ...request, limits, time: readTime, keepsBody: true }, (outcome) => {
      if (typeof outcome === "string") reject(new Error(outcome));
      else if (outcome.status === 401 || outcome.status === 403) {
        reject(new Error("It needs a token: make one there with nound --new-token, and give it to the mirror."));
      } else if (outcome.status !== 200) reject(new Error(`It answers ${outcome.status}.`));
      else resolve(decodeUtf8(outcome.body) ?? "");
    });
  });
}

/** @returns the names of the nouns that a description has. @throws Error with a sentence for one that is none. */
function nounsIn(text: string): readonly string[] {
  let properties: unknown;
  try {
    ({ properties } = JSON.parse(text) as { properties?: unknown });
  } catch {
    throw new Error("Its description is no JSON.");
  }
  if (typeof properties !== "object" || properties === null) throw new Error("Its description has no properties.");
  return Object.entries(properties).flatMap(([name, property]: [string, unknown]) => {
    // A mirror of a mirror is not needed: the device that has the noun itself is in the list, too.
    const isMirror = typeof property === "object" && property !== null && Object.hasOwn(property, "nound:hops");
    return isMirror || !isNounName(name) ? [] : [name];
  });
}

function isNounName(name: string): boolean {
  try {
    return parseNounName(name) === name;
  } catch {
    return false;
  }
}

/** @returns the URL by which a device was reached, and the names of its nouns. @throws Error with a sentence. */
async function reach(urls: readonly HttpUrl[]): Promise<{ readonly url: HttpUrl; readonly names: readonly string[] }> {
  let reason = "";
  for (const url of urls) {
    try {
      return { url, names: nounsIn(await read(url)) };
    } catch (error) {
      // The name tells a person more than the address. Many devices cannot resolve a name of mDNS.
      reason = sentenceOf(error);
      if (!reason.startsWith("It cannot be reached")) break;
    }
  }
  throw new Error(reason);
}

/** Prints a noun for each noun of the other devices. @throws StartError if Avahi cannot be asked, or has found none. */
export async function findMirrors(): Promise<void> {
  reachHardware();
  printSentence("asking Avahi for other devices: 2 s, or more where a device does not answer");
  const services = await browse();
  endConnections();
  const devices = services.slice(0, mostDevices).flatMap((service) => {
    const { host, address } = service;
    // An address of one link would need the name of the interface.
    const own = address.startsWith("fe80:") ? [] : [address.includes(":") ? `[${address}]` : address];
    const hosts = [host, ...own];
    const urls = hosts.flatMap((host) => parseHttpUrl(descriptionUrl(service, host) ?? "") ?? []);
    return urls.length === 0 ? [] : [{ service, urls }];
  });
  // All are named before the connector starts, which knows no others.
  for (const { urls } of devices) for (const { target } of urls) numberOf(target);
  const taken = new Map<string, unknown>();
  for (const { service, urls } of devices) {
    const { name, host, port, address } = service;
    const device = `${name} (${host}:${port}, ${address})`;
    try {
      const { url, names } = await reach(urls);
      printSentence(`${device} has ${names.length === 1 ? "1 noun" : `${names.length} nouns`}`);
      const scheme = url.target.startsWith("https:") ? "https" : "http";
      for (const noun of names) {
        const own = nounNameFor(`${name}-${noun}`, taken);
        const mirror = { kind: "mirror", of: `${scheme}://${url.host}/${noun}` };
        taken.set(own, mirror);
        printNoun(own, mirror);
      }
    } catch (error) {
      printSentence(`${device} cannot be read. ${sentenceOf(error)}`);
    }
  }
  if (taken.size > 0) return;
  const others = devices.length === 0 ? "has found no other device with nouns" : "has found no device that can be read";
  throw new StartError(
    `Avahi ${others}; does the other device announce itself (docs/fleet.md)?`,
    exitStatus.unavailable,
  );
}
