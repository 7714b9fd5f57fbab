/**
 * Asks Avahi, by D-Bus, which servers of a type it has found on the network (avahi-daemon's interfaces Server and
 * ServiceBrowser). Nothing starts Avahi, and nothing of it changes.
 *
 *     const browser = new AvahiBrowser(socket, (services, reason) => ...);
 *     socket.handler = browser;
 *     browser.begin("_wot._tcp");
 */
import { decodeUtf8 } from "../../core/http/utf8.ts";
import type { Socket, SocketHandler } from "../../native/net.ts";
import { type BusCall, type BusMessage, type BusValue, callBytes, readMessage } from "./bus-message.ts";

/** A server that another device has announced. */
export interface FoundService {
  /** As a person wrote it: `Hall`. */
  readonly name: string;
  /** The name of the device: `hall.local`. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** `td=/.well-known/wot`, and others. */
  readonly texts: readonly string[];
}

/** What Avahi says of a service before it is resolved, and takes to resolve it. */
type Seen = readonly [at: number, protocol: number, name: string, type: string, domain: string];

/** Services of one answer. A network may have thousands, and a person reads a list. */
const mostServices = 64;

/** Avahi's own: of any interface, any protocol, IPv4. */
const any = 0xffff_ffff;
const inet = 0;

/** The flag of a service that this device announces itself. */
const isLocal = 8;

const avahi = "org.freedesktop.Avahi";

type Heard = (message: BusMessage) => void;

export class AvahiBrowser implements SocketHandler {
  private readonly socket: Socket;
  /** Undefined once it was called. */
  private done: ((services: readonly FoundService[], reason: string) => void) | undefined;
  private unread = "";
  private isAdmitted = false;
  private serial = 0;
  private type = "";
  private readonly waiting = new Map<number, Heard>();
  private readonly seen = new Map<string, Seen>();
  private readonly found: FoundService[] = [];
  /** Services whose address is still asked for. */
  private unresolved = 0;

  /** @param done called once, with the services; or with none and the end of a sentence. */
  constructor(socket: Socket, done: (services: readonly FoundService[], reason: string) => void) {
    this.socket = socket;
    this.done = done;
  }

  /** @param type `_wot._tcp`. */
  begin(type: string): void {
    this.type = type;
    // The bus knows the user by the socket, so no name is given. It reads BEGIN after it has admitted this program.
    this.socket.writeBytes("\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n");
  }

  onBytes(bytes: string): void {
    this.unread += bytes;
    try {
      if (!this.isAdmitted) this.admit();
      while (this.isAdmitted && this.done !== undefined) {
        const next = readMessage(this.unread);
        if (next === undefined) return;
        this.unread = this.unread.slice(next.length);
        this.take(next.message);
      }
    } catch (error) {
      this.end(error instanceof Error ? error.message : "an unknown error");
    }
  }

  onEnd(): void {
    this.end("the bus has closed the connection");
  }

  onDrain(): void {}

  onGone(): void {
    this.end("the connection broke");
  }

  private admit(): void {
    const lines = this.unread.split("\r\n");
    const whole = lines.slice(0, -1);
    const answer = whole.findIndex((line) => !line.startsWith("DATA"));
    if (answer < 0) {
      if (this.unread.length > 1_024) throw new Error("what comes is no message of D-Bus");
      return;
    }
    if (!whole[answer]?.startsWith("OK ")) throw new Error("the bus does not admit this user");
    this.unread = lines.slice(answer + 1).join("\r\n");
    this.isAdmitted = true;
    const name = "org.freedesktop.DBus";
    const bus = { destination: name, path: "/org/freedesktop/DBus", interface: name };
    const rule = `type='signal',sender='${avahi}',interface='${avahi}.ServiceBrowser'`;
    this.call({ ...bus, member: "Hello", signature: "", values: [] });
    this.call({ ...bus, member: "AddMatch", signature: "s", values: [rule] });
    this.ask("ServiceBrowserNew", [any, any, this.type, "", 0], (message) => {
      if (message.kind !== "error") return;
      const isAbsent = message.error.endsWith(".ServiceUnknown") || message.error.endsWith(".NameHasNoOwner");
      this.end(isAbsent ? "avahi-daemon does not run" : `Avahi refuses: ${message.error}`);
    });
  }

  private call(call: BusCall): void {
    this.serial += 1;
    this.socket.writeBytes(callBytes(call, this.serial));
  }

  /** Calls a method of Avahi. @param values the last one is its flags. @param heard gets the answer or the error. */
  private ask(member: string, values: readonly (number | string)[], heard: Heard): void {
    const types = values.slice(0, -1).map((value) => (typeof value === "number" ? "i" : "s"));
    const server = { destination: avahi, path: "/", interface: `${avahi}.Server` };
    this.call({ ...server, member, signature: `${types.join("")}u`, values });
    this.waiting.set(this.serial, heard);
  }

  private take(message: BusMessage): void {
    const heard = this.waiting.get(message.answers);
    if (heard !== undefined) {
      this.waiting.delete(message.answers);
      heard(message);
    } else if (message.kind === "signal" && message.member === "ItemNew") this.note(message.values);
    else if (message.kind === "signal" && message.member === "Failure") this.end("Avahi cannot look for servers");
    else if (message.kind === "signal" && message.member === "AllForNow") this.resolve();
  }

  /** Avahi sees a service once for each interface and protocol. */
  private note([at, protocol, name, type, domain, flags]: readonly BusValue[]): void {
    if (typeof at !== "number" || typeof protocol !== "number" || typeof flags !== "number") return;
    if (typeof name !== "string" || typeof type !== "string" || typeof domain !== "string") return;
    const key = `${name}\0${domain}`;
    const known = this.seen.get(key);
    // By IPv6, Avahi tells no IPv4 addresses, unless it is asked to.
    if ((flags & isLocal) !== 0 || known?.[1] === inet || (known !== undefined && protocol !== inet)) return;
    if (known === undefined && this.seen.size >= mostServices) return;
    this.seen.set(key, [at, protocol, name, type, domain]);
  }

  private resolve(): void {
    this.unresolved = this.seen.size;
    if (this.unresolved === 0) this.end("");
    for (const seen of this.seen.values()) this.resolveOne(seen, inet);
  }

  /** @param family of the address that is wanted. Where there is none by IPv4, any is taken. */
  private resolveOne(seen: Seen, family: number): void {
    this.ask("ResolveService", [...seen, family, 0], (message) => {
      if (message.kind === "error" && family === inet) {
        this.resolveOne(seen, any);
        return;
      }
      const service = message.kind === "answer" ? serviceOf(message.values) : undefined;
      if (service !== undefined) this.found.push(service);
      this.unresolved -= 1;
      if (this.unresolved === 0) this.end("");
    });
  }

  /** @param reason "" to end it with what was found until now; otherwise the end of a sentence. */
  end(reason: string): void {
    const { done } = this;
    if (done === undefined) return;
    this.done = undefined;
    this.socket.close();
    done(reason === "" ? this.found : [], reason);
  }
}

/** @returns the service that Avahi has resolved; undefined if the answer is none. */
function serviceOf(values: readonly BusValue[]): FoundService | undefined {
  const [, , name, , , host, , address, port, texts] = values;
  if (typeof name !== "string" || typeof host !== "string" || typeof address !== "string") return undefined;
  if (typeof port !== "number" || typeof texts !== "object") return undefined;
  const text = (bytes: BusValue) => String.fromCharCode(...(typeof bytes === "object" ? (bytes as number[]) : []));
  return { name: decodeUtf8(name) ?? host, host, address, port, texts: texts.map(text) };
}
