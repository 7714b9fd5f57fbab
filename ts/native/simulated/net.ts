/**
 * The simulated twin of `nound:net`: connections without a kernel. A test holds the peer's end of each and sees what
 * the kernel would have put on the wire.
 *
 *     const net = new SimulatedNet();
 *     server.listen("127.0.0.1:8080");
 *     const peer = net.connect("127.0.0.1:8080");
 *     peer.send("GET /led HTTP/1.1\r\nHost: a\r\n\r\n");
 *     peer.received; // "HTTP/1.1 200 OK\r\n..."
 */
import type { Listener, Net, Socket, SocketHandler } from "../net.ts";

/** As many as the real module passes to a handler at once. */
export const mostRead = 16_384;

/** Characters of a text that may wait for the end of the turn. */
const longestPostponed = 4_096;

/** The server's end of a simulated connection. */
class SimulatedSocket implements Socket {
  readonly peer: string;
  handler: SocketHandler | null = null;
  open = true;
  finished = false;
  reading = true;
  /** Bytes that the simulated kernel still accepts; further bytes wait. */
  room = Number.POSITIVE_INFINITY;
  waiting = "";
  /** A text that was to leave at the end of the turn waits, and the handler does not know. */
  blocked = false;
  received = "";
  onEvent: (() => void) | undefined;

  constructor(peer: string) {
    this.peer = peer;
  }

  write(text: string): boolean {
    if (!this.open) return true;
    this.waiting += encodeUtf8(text);
    this.take();
    return this.waiting === "";
  }

  writeBytes(bytes: string): boolean {
    if (!this.open) return true;
    this.waiting += bytes;
    this.take();
    return this.waiting === "";
  }

  writeSoon(text: string): boolean {
    const mayWait = this.waiting === "" && text.length <= longestPostponed;
    if (this.write(text) || !mayWait) return this.waiting === "";
    this.blocked = true;
    void Promise.resolve().then(() => this.endTurn());
    return true;
  }

  /** Says what did not fit, as the real module does at the end of a turn. */
  endTurn(): void {
    if (this.blocked && this.waiting !== "") this.handler?.onBlocked?.(this.waiting.length);
    this.blocked = false;
  }

  writeLast(text: string, bytes: ArrayBuffer = new ArrayBuffer(0)): boolean {
    if (this.open) this.waiting += encodeUtf8(text) + String.fromCharCode(...new Uint8Array(bytes));
    const sent = this.write("");
    this.finish();
    return sent;
  }

  /** Moves waiting bytes to the peer, as many as it accepts. */
  take(): void {
    const taken = Math.min(this.room, this.waiting.length);
    this.received += this.waiting.slice(0, taken);
    this.waiting = this.waiting.slice(taken);
    this.room -= taken;
    if (taken > 0) this.onEvent?.();
  }

  setReading(on: boolean): void {
    this.reading = on;
  }

  setLongLived(): void {}

  finish(): void {
    this.finished = true;
    this.onEvent?.();
  }

  close(): void {
    this.open = false;
    this.waiting = "";
    this.onEvent?.();
  }
}

function encodeUtf8(text: string): string {
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** @param name the peer, as the socket names it. @returns the two ends of a connection that the program has opened. */
export function connectedPair(name: string): readonly [socket: Socket, peer: SimulatedPeer] {
  const socket = new SimulatedSocket(name);
  return [socket, new SimulatedPeer(socket)];
}

/** The peer's end of a simulated connection. */
export class SimulatedPeer {
  private readonly socket: SimulatedSocket;
  private outgoing: string[] = [];
  private ended = false;

  constructor(socket: SimulatedSocket) {
    this.socket = socket;
  }

  /** Sets the function that is called when something is received or the server has closed. */
  onEvent(callback: () => void): void {
    this.socket.onEvent = callback;
  }

  /** Everything the server has put on the wire so far, one character a byte. */
  get received(): string {
    return this.socket.received;
  }

  /** Whether the server has closed: it has sent FIN or closed the socket. */
  get closed(): boolean {
    return (this.socket.finished && this.socket.waiting === "") || !this.socket.open;
  }

  /** Whether the server has closed the socket. */
  get released(): boolean {
    return !this.socket.open;
  }

  /** Whether the server reads what is sent. */
  get beingRead(): boolean {
    return this.socket.open && this.socket.reading;
  }

  /** @returns what has been received since the last call. */
  take(): string {
    const text = this.socket.received;
    this.socket.received = "";
    return text;
  }

  /** Sends bytes, one character a byte; they arrive at once, or when the server reads again. */
  send(bytes: string): void {
    if (bytes !== "") this.outgoing.push(bytes);
    this.deliver();
  }

  /** Sends FIN behind what was sent. */
  end(): void {
    this.ended = true;
    this.deliver();
  }

  /** Closes with an RST. */
  reset(): void {
    if (!this.socket.open) return;
    this.socket.open = false;
    this.socket.handler?.onGone();
  }

  /** Accepts at most so many further bytes from the server, until the next call. */
  setRoom(bytes: number): void {
    this.socket.room = bytes;
    if (this.socket.waiting === "") return;
    this.socket.take();
    if (this.socket.waiting === "") this.socket.handler?.onDrain();
    this.deliver();
  }

  /** Lets the server read the bytes that wait for it. Called when it may have begun to read again. */
  deliver(): void {
    while (this.socket.open && this.socket.reading) {
      const bytes = this.outgoing.shift();
      if (bytes === undefined) break;
      this.socket.handler?.onBytes(bytes.slice(0, mostRead));
      this.socket.endTurn();
      if (bytes.length > mostRead) this.outgoing.unshift(bytes.slice(mostRead));
    }
    if (this.ended && this.outgoing.length === 0 && this.socket.open && this.socket.reading) {
      this.ended = false;
      this.socket.handler?.onEnd();
    }
  }
}

export class SimulatedNet implements Net {
  readonly mostRead = mostRead;
  private readonly listeners = new Map<string, (socket: Socket) => void>();
  private peers = 0;

  listen(address: string, onAccept: (socket: Socket) => void): Listener {
    if (this.listeners.has(address)) throw new Error(`cannot listen on ${address}: the address is in use`);
    this.listeners.set(address, onAccept);
    return { address, close: () => void this.listeners.delete(address) };
  }

  broadcast(text: string, sockets: readonly Socket[]): readonly number[] {
    const waiting: number[] = [];
    for (const [index, socket] of (sockets as readonly SimulatedSocket[]).entries()) {
      if (socket.waiting !== "" || !socket.write(text)) waiting.push(index);
    }
    return waiting;
  }

  /**
   * Connects to a listening server.
   * @param from the client's address.
   * @throws Error when nobody listens on that address.
   */
  connect(address: string, from = "192.0.2.1"): SimulatedPeer {
    const onAccept = this.listeners.get(address);
    if (onAccept === undefined) throw new Error(`nobody listens on ${address}`);
    this.peers += 1;
    const [socket, peer] = connectedPair(`${from}:${49_151 + this.peers}`);
    onAccept(socket);
    return peer;
  }
}
