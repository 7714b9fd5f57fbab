/** `GET /`: the states of all nouns in one answer, read side by side. */
import { type Delivery, stateResponse, withVary } from "../http/response.ts";
import { joinStates } from "../noun/state-writer.ts";
import { type Answer, noAnswer, plainDelivery, StateAnswer } from "./answer.ts";
import { Gathering } from "./gathering.ts";
import type { NounRoute, Route } from "./noun-route.ts";
import type { Asker, PendingAnswer } from "./operation.ts";

/** Characters of the longest answer that is cached. There is one for each token. */
const longestCached = 16_384;

/** The route of GET to all nouns that a client may read. */
export class AllNounsRoute implements Route {
  private readonly routes: readonly NounRoute[];
  private readonly link: string;
  /** The nouns' answers of the last request, and the answer that was made from them. */
  private parts: readonly Answer[] = [];
  private whole: Answer | undefined;

  /**
   * @param routes to the nouns, in the order of their registration.
   * @param link the field line that names the documents; "" for none.
   */
  constructor(routes: readonly NounRoute[], link: string) {
    this.routes = routes;
    this.link = link;
  }

  perform(_state: unknown, asker: Asker): Answer | PendingAnswer {
    return new Gathering(asker, this.answer, noAnswer).begin(this.routes, this.parts);
  }

  private readonly answer = (parts: readonly Answer[], areKnown: boolean): Answer => {
    if (this.whole !== undefined && areKnown) return this.whole;
    const states = this.routes.map(({ name }, index) => {
      const part = parts[index];
      return { name, json: part instanceof StateAnswer ? part.json : "null" };
    });
    const json = joinStates(states);
    const write = (delivery: Delivery) =>
      stateResponse(json, { ...delivery, fields: withVary(delivery.fields, "Accept") + this.link });
    const whole = { status: 200, note: "", plain: write(plainDelivery), write } as const;
    const isCached = json.length <= longestCached;
    this.parts = isCached ? parts : [];
    this.whole = isCached ? whole : undefined;
    return whole;
  };
}
