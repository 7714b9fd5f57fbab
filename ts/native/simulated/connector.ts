/**
 * The simulated twin of `nound:connector`: a test answers each question, and holds the other end of each connection.
 *
 *     const connector = new SimulatedConnector();
 *     connector.start(["broker.example:1883"], onEnd);
 *     connector.connect(0, 4_000, done);
 *     const broker = connector.accept(); // done gets a socket
 *     broker.send("...");
 */
import type { Connector, ConnectorTls } from "../connector.ts";
import type { Socket } from "../net.ts";
import { connectedPair, type SimulatedPeer } from "./net.ts";

/** A question that has no answer yet. */
interface Question {
  readonly target: number;
  /** ms, as it was asked. */
  readonly time: number;
  readonly done: (socket: Socket | undefined, reason: string) => void;
}

/** As many as the real one takes. */
const mostQuestions = 8;

export class SimulatedConnector implements Connector {
  /** What may be connected to; undefined until it is started. */
  targets: readonly string[] | undefined;
  /** How each of them is encrypted; undefined if none is. */
  tls: readonly (ConnectorTls | undefined)[] | undefined;
  /** The date that has passed. */
  earliest: number | undefined;
  /** What `check` was asked for. */
  readonly checked: ConnectorTls[] = [];
  /** What `check` answers, for each file by its path; 0 for any other one. */
  readonly ends = new Map<string, number>();
  /** The servers that answer by themselves, by target. Each gets the other end of a connection; undefined refuses. */
  readonly servers = new Map<string, ((peer: SimulatedPeer) => void) | undefined>();
  /** What has been asked of the others, and not been answered. */
  readonly questions: Question[] = [];
  /** Whether it was to end. */
  private hasEnded = false;
  private onEnd: (isReplaced: boolean) => void = () => {};

  start(...[targets, onEnd, tls, earliest]: Parameters<Connector["start"]>): void {
    this.targets = targets;
    this.tls = tls;
    this.earliest = earliest;
    this.onEnd = onEnd;
  }

  check(tls: readonly ConnectorTls[]): readonly number[] {
    this.checked.push(...tls);
    return tls.flatMap((one) => [one.certificate, one.authorities].map((file) => this.ends.get(file) ?? 0));
  }

  connect(target: number, time: number, done: Question["done"]): void {
    if (this.hasEnded) throw new Error("the connector has ended");
    if (this.questions.length === mostQuestions || this.questions.some((asked) => asked.target === target)) {
      throw new Error("the connector is busy");
    }
    const name = this.targets?.[target] ?? "";
    if (this.servers.has(name)) void Promise.resolve().then(() => this.meet(name, done));
    else this.questions.push({ target, time, done });
  }

  /** Answers the oldest question with a connection. @returns its other end. @throws Error when nothing is asked. */
  accept(): SimulatedPeer {
    const { target, done } = this.next();
    const [socket, peer] = connectedPair(this.targets?.[target] ?? "");
    done(socket, "");
    peer.deliver();
    return peer;
  }

  private meet(name: string, done: Question["done"]): void {
    const server = this.servers.get(name);
    if (server === undefined) {
      done(undefined, "Connection refused");
      return;
    }
    const [socket, peer] = connectedPair(name);
    done(socket, "");
    if (!peer.released) server(peer);
  }

  /** Answers the oldest question without a connection. */
  refuse(reason: string): void {
    this.next().done(undefined, reason);
  }

  /** Ends, as a process that was killed does. @param isReplaced whether another one will be started. */
  die(isReplaced = false): void {
    this.hasEnded = true;
    while (this.questions.length > 0) this.refuse("the connector has ended");
    this.onEnd(isReplaced);
  }

  private next(): Question {
    const question = this.questions.shift();
    if (question === undefined) throw new Error("The connector has no question to answer.");
    return question;
  }
}
