/**
 * The simulated twin of `nound:acceptor`: a test connects as a client does after its handshake.
 *
 *     const peer = world().acceptor.connect("127.0.0.1:8443");
 *     peer.send("GET /led HTTP/1.1\r\nHost: a\r\n\r\n");
 */
import type { Acceptor, AcceptorCertificate, AcceptorHandler, AcceptorSettings } from "../acceptor.ts";
import { connectedPair, type SimulatedPeer } from "./net.ts";

export class SimulatedAcceptor implements Acceptor {
  /** What it was started with. */
  settings: AcceptorSettings | undefined;
  /** Whether clients are asked for a certificate. */
  asks = false;
  /** Whether clients are in the middle of their handshakes: an address that is closed waits for them. */
  isShaking = false;
  readonly certificate: AcceptorCertificate = {
    certificate: "c0".repeat(32),
    key: "5e".repeat(32),
    isNew: true,
    end: 0,
  };
  private handler: AcceptorHandler | undefined;
  private readonly addresses: (string | undefined)[] = [];
  private peers = 0;

  start(settings: AcceptorSettings, handler: AcceptorHandler): AcceptorCertificate {
    this.settings = settings;
    this.asks = settings.asks === 1;
    this.handler = handler;
    return this.certificate;
  }

  inspect(settings: AcceptorSettings): AcceptorCertificate {
    this.settings = settings;
    return this.certificate;
  }

  confirm(): void {}

  listen(address: string): string {
    this.addresses.push(address);
    return address;
  }

  close(listener: number): void {
    this.addresses[listener] = undefined;
    if (!this.isShaking) this.handler?.onClosed(listener);
  }

  /** The last handshake has ended at an address that was closed. */
  finish(listener: number): void {
    this.handler?.onClosed(listener);
  }

  /** A handshake has ended. @param listener the number of its address, which may be closed. @returns the client. */
  shake(listener: number): SimulatedPeer {
    const [socket, peer] = connectedPair("192.0.2.1:49999");
    this.handler?.onConnection(listener, socket, undefined);
    return peer;
  }

  ask(asks: boolean): void {
    this.asks = asks;
  }

  /**
   * Connects to an address that is listened on.
   * @param key that the client proves to have. @param from the client's address.
   * @throws Error when nobody listens there.
   */
  connect(address: string, key?: string, from = "192.0.2.1"): SimulatedPeer {
    const listener = this.addresses.indexOf(address);
    if (listener < 0) throw new Error(`nobody listens on ${address}`);
    this.peers += 1;
    const [socket, peer] = connectedPair(`${from}:${49_151 + this.peers}`);
    this.handler?.onConnection(listener, socket, key);
    return peer;
  }

  /** Tells that a client waits for a place. */
  fill(): void {
    this.handler?.onFull();
  }

  /** Tells that a new certificate is due. */
  age(): void {
    this.handler?.onDue();
  }

  /** Tells that the handshake of a client has failed. */
  refuse(from: string, reason: string): void {
    this.handler?.onRefusal(from, reason);
  }

  /** Ends, as a process that was killed does. */
  end(): void {
    this.handler?.onEnd();
  }
}
