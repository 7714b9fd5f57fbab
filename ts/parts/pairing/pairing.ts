/**
 * Gives the first token of a device to one client, after a press of its button. A client asks again and again, with a
 * text of its own. Only a press counts that begins while it asks, and one client at a time can ask. The token is kept
 * once its client asks with the token itself: a lost answer or a power cut leaves no token that nobody has.
 *
 *     const pairing = new Pairing({ button: "bell", atStart: false, keep }, host, server);
 *     pairing.ask("a text of 16 characters or more", "192.0.2.7"); // {"press":"Bell"}, and {"token":"..."} after it
 *     pairing.ask(token, "192.0.2.7"); // {"token":"..."}: the device has stored its hash
 */
import { addressOf } from "../../core/access/client-address.ts";
import { allVerbs } from "../../core/access/grant.ts";
import { tokensOf } from "../../core/access/token-file.ts";
import { tokenBytes } from "../../core/access/tokens.ts";
import type { Feed } from "../../core/feeds/feed.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import { HttpError } from "../../core/http/http-error.ts";
import { refuseMethod } from "../../core/http/method.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { type Answer, RefusalAnswer, StateAnswer, stateOf } from "../../core/operations/answer.ts";
import type { Route } from "../../core/operations/noun-route.ts";
import type { Asker } from "../../core/operations/operation.ts";
import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import type { Part } from "../../core/server/part.ts";
import { checkContent } from "../../core/server/router.ts";
import type { HttpServer } from "../../core/server/server.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { logFailure, logMessage } from "../../platform/log.ts";
import { hash, system } from "../../platform/platform.ts";
import { sentenceOf } from "../../platform/start-error.ts";
import type { PairingOptions } from "./part.ts";

/** ms after its last question for which a client keeps its turn. */
const turn = 5_000;

/** ms after which the device is no longer one that was just switched on, by a clock that began with it. */
const start = 600_000;

/** ms for the first request of a client that has just connected. */
const firstRequestTime = 1_000;

/** The name of the token. */
const name = "paired";

/** A question: a text that only its client knows. */
const shape: Shape = { for: { type: "string", maximumLength: 64 } };

export class Pairing implements Part, Route, Follower {
  readonly takesBody = true;
  readonly shape = shape;
  /** Whether a client has the token. */
  isOver = false;
  private readonly options: PairingOptions;
  private readonly host: Host;
  private readonly server: HttpServer;
  /** The text of the client whose turn it is; undefined without one. */
  private asking: string | undefined;
  /** Ends the turn. */
  private readonly alarm: Alarm;
  private feed: Feed | undefined;
  /** Whether the button was up at the last reading, and has gone down since the client asks. */
  private wasUp = false;
  private isPressed = false;
  /** The token that the client has been told, and the device has not kept. */
  private told = "";

  constructor(options: PairingOptions, host: Host, server: HttpServer) {
    this.options = options;
    this.host = host;
    this.server = server;
    this.alarm = new Alarm(host.clock, () => this.endTurn());
  }

  /** @throws HttpError 405, 413 or 415. */
  route(head: RequestHead): Route {
    const allow = "Allow: POST\r\n";
    if (head.method !== "POST") throw refuseMethod(head, allow, "The question for a token is a POST.");
    checkContent(head, this.host.limits.bodyBytes);
    return this;
  }

  perform(state: State, { socket }: Asker): Answer {
    return this.ask(String(state["for"]), addressOf(socket?.peer ?? ""));
  }

  /** @param text which only this client knows. @param from where it is. */
  private ask(text: string, from: string): Answer {
    if (this.told !== "" && text === this.told) return this.give(from);
    if (this.isOver || (this.asking !== undefined && this.asking !== text)) {
      return RefusalAnswer.of(HttpError.keeping(409, "Another client asks this device for its first token."));
    }
    const { button, atStart } = this.options;
    const { clock } = this.host;
    if (this.asking === undefined) this.beginTurn(text);
    this.alarm.move(clock.now() + turn);
    const isStart = atStart && clock.now() < start;
    if (this.told === "" && (this.isPressed || isStart)) this.told = system.randomHex(tokenBytes, true);
    if (this.told !== "") return new StateAnswer(JSON.stringify({ token: this.told }));
    const noun = button === undefined ? undefined : this.host.nouns.find(button)?.original;
    return new StateAnswer(JSON.stringify(noun === undefined ? { press: "" } : { press: noun.title ?? button }));
  }

  onReading(answer: Answer | undefined): void {
    // The level is the first key of an input.
    const [level] = Object.values(stateOf(answer) ?? {});
    if (level === 1 && this.wasUp) this.isPressed = true;
    this.wasUp = level === 0;
  }

  onState(): void {}

  /** The server closes. */
  close(): void {
    this.endTurn();
  }

  private beginTurn(text: string): void {
    const { button } = this.options;
    this.asking = text;
    this.wasUp = false;
    this.isPressed = false;
    if (button === undefined) return;
    this.feed = openFeeds(this.host).of(button);
    this.feed.follow(this);
  }

  private endTurn(): void {
    this.alarm.stop();
    this.feed?.unfollow(this);
    this.feed = undefined;
    this.asking = undefined;
    this.told = "";
  }

  /** Keeps the token of the client that has it. */
  private give(from: string): Answer {
    const { told: token, isPressed } = this;
    try {
      const line = `${name} ${allVerbs.join(",")} * ${hash.sha256(token)}\n`;
      this.options.keep(line);
      // All connections end with this answer, as they had no token.
      this.server.setTokens(tokensOf(name, line), firstRequestTime);
      this.isOver = true;
      this.endTurn();
      const after = isPressed ? `a press of ${this.options.button}` : "a start";
      logMessage("errors", () => `pairing: ${from} has got the token ${name}, after ${after}`);
      return new StateAnswer(JSON.stringify({ token }));
    } catch (error) {
      logFailure("pairing", sentenceOf(error));
      return RefusalAnswer.of(HttpError.keeping(503, "The device cannot write its token file; its log says why."));
    }
  }
}

export function openPairing(options: PairingOptions, host: Host, server: HttpServer): Pairing {
  return new Pairing(options, host, server);
}
