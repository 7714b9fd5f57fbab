/**
 * Commands: messages to `<noun>/put`, `/post` and `/delete`. A command takes the way of a request: the noun's queue,
 * its shape, its guard. A refused one is answered by a problem document.
 */

import { HttpError } from "../../core/http/http-error.ts";
import { problemDocument } from "../../core/http/response.ts";
import { emptyState, type State } from "../../core/noun/state.ts";
import type { Verb } from "../../core/noun/verb.ts";
import { type Answer, RefusalAnswer, StateAnswer } from "../../core/operations/answer.ts";
import type { NounRoute, RegisteredNoun } from "../../core/operations/noun-route.ts";
import type { PendingAnswer } from "../../core/operations/operation.ts";
import { readStateBody } from "../../core/operations/state-body.ts";
import type { MqttContext } from "./mqtt-settings.ts";
import type { Publish } from "./packet-reader.ts";
import type { CommandTopic } from "./topics.ts";

/** Commands that wait for nouns. No further packet is read then. */
const mostWaiting = 8;

/** The dependencies of commands. */
export interface CommandsContext extends Pick<MqttContext, "nouns" | "limits"> {
  /** Says whether a verb is allowed on a noun. */
  readonly allows: (verb: Verb, noun: string) => boolean;
  /** Publishes the state that a command has made. */
  readonly answer: (noun: string, answer: StateAnswer) => void;
  /** Publishes the refusal of a command. */
  readonly refuse: (noun: string, problem: string) => void;
  /** Receives what came of each command, for the debug log. */
  readonly log: (verb: Verb, noun: string, answer: Pick<Answer, "status" | "note">) => void;
}

/** The commands of one session. */
export class Commands {
  private readonly context: CommandsContext;
  private readonly waiting = new Set<PendingAnswer>();

  constructor(context: CommandsContext) {
    this.context = context;
  }

  get isBusy(): boolean {
    return this.waiting.size >= mostWaiting;
  }

  /** Performs a command. @param done called once, when it has been performed or refused. */
  perform(command: CommandTopic, { payload }: Publish, done: () => void): void {
    try {
      const registered = this.find(command);
      const route = registered.route(command.verb);
      this.begin(command, registered, this.readState(command, route, payload), done);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.finish(command, RefusalAnswer.of(error));
      done();
    }
  }

  /** The session has ended: commands that have not begun never begin. The broker sends those of QoS 1 again. */
  end(): void {
    for (const operation of this.waiting) operation.abandon();
    this.waiting.clear();
  }

  /** @throws HttpError 404, 403 or 405. */
  private find({ noun, verb }: CommandTopic): RegisteredNoun {
    const registered = this.context.nouns.find(noun);
    if (registered === undefined) throw HttpError.keeping(404, "There is no noun of this name.");
    if (!this.context.allows(verb, noun)) {
      throw HttpError.keeping(403, "The configuration does not allow this verb on this noun by MQTT.");
    }
    if (verb !== "DELETE" && !registered.isSettable) throw HttpError.keeping(405, "The noun is read-only.");
    return registered;
  }

  /** @throws HttpError 400, 413 or 422. */
  private readState({ verb }: CommandTopic, route: NounRoute, payload: string | undefined): State {
    const { bodyBytes, statePairs } = this.context.limits;
    if (payload === undefined || payload.length > bodyBytes)
      throw HttpError.keeping(413, `The state is longer than ${bodyBytes} bytes.`);
    if (verb !== "DELETE") return readStateBody(payload, route.shape, statePairs);
    if (payload !== "") throw HttpError.keeping(400, "The message of a DELETE must be empty.");
    return emptyState;
  }

  private begin(command: CommandTopic, noun: RegisteredNoun, state: State, done: () => void): void {
    let operation: PendingAnswer | undefined;
    operation = noun.ask(
      command.verb,
      state,
      (answer) => {
        if (operation !== undefined) this.waiting.delete(operation);
        this.finish(command, answer);
        done();
      },
      "broker",
    );
    if (operation !== undefined) this.waiting.add(operation);
  }

  private finish({ noun, verb }: CommandTopic, answer: Answer): void {
    const { context } = this;
    context.log(verb, noun, answer);
    if (answer instanceof RefusalAnswer) {
      context.refuse(noun, problemDocument(answer.status, answer.detailFor(context)));
    } else if (answer instanceof StateAnswer) context.answer(noun, answer);
  }
}
