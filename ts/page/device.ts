/**
 * The device as the page knows it, and the link to it. The page opens the stream of all nouns first and then reads the
 * description: the stream ends if a noun is registered after its beginning, so no noun can be missed in between. The
 * page polls while the device has no free stream. If the link breaks, the page tries again, with growing waits.
 */

import { EventParser } from "./event-parser.ts";
import { ask, type Reply, readDocument, readReply, send, token } from "./http-client.ts";
import { keptTitle } from "./kept.ts";
import { failuresIn, metricIn } from "./lists.ts";
import { NounView } from "./noun-view.ts";
import { learned, say } from "./say.ts";
import { isObject, parseJson, type State } from "./scalar.ts";
import { type Description, readDescription, undescribedNoun } from "./thing.ts";

/** `token`: the page cannot continue without another token. */
export type Status = "connecting" | "live" | "polling" | "lost" | "token";

/**
 * Times in ms: between two polls; within which an answer must begin; of silence after which a stream counts as broken;
 * and the shortest and the longest wait for another try.
 */
const pollTime = 2_000;
const beginTime = 10_000;
const silence = 60_000;
const shortestWait = 1_000;
const longestWait = 15_000;

/** ms after which the browser keeps the title: after the first pictures, because that waits for a file. */
const keepTime = 1_000;

/** ms for which a page that nobody sees keeps its stream. */
const restTime = 60_000;

/** Ends one try of the link: how long to wait for the next, in ms, or undefined for the usual wait. */
class Broken extends Error {
  readonly wait: number | undefined;

  constructor(wait?: number) {
    super();
    this.wait = wait;
  }
}

/** The device, and the link to it. */
export class Device {
  status: Status = "connecting";
  /** The device's message about the refused token. */
  refusal = "";
  title = location.host;
  /** What it says of itself. */
  description: Description | undefined;
  /** When the device last said something, in ms. */
  heard = 0;
  /** What has become of the device while the page was open; "" for nothing. */
  news = "";
  /** When the link was lost, in ms since 1970; undefined unless it is. */
  private lost: number | undefined;
  views: readonly NounView[] = [];
  private readonly byName = new Map<string, NounView>();
  private readonly onChange: () => void;
  /** Ends the wait for the next try. */
  private resume: () => void = () => {};
  /** Ends the stream. */
  private abort = new AbortController();
  /** When the link counts as broken without news, by the clock that also runs while the computer sleeps. */
  private deadline = 0;

  /** Whether the page waits until somebody sees it. */
  private isResting = false;
  private resting: ReturnType<typeof setTimeout> | undefined;

  /** @param onChange is called after every visible change. */
  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** Keeps the link as long as the page is open. */
  async run(): Promise<never> {
    for (let tries = 0; ; tries++) {
      if (this.isResting) await this.waitFor(undefined);
      const began = performance.now();
      let wait: number | undefined;
      let isBroken = false;
      try {
        if ((await this.link()) === "again") continue;
      } catch (error) {
        if (error instanceof Broken) ({ wait } = error);
        isBroken = true;
      }
      this.abort.abort();
      if (this.status === "token") {
        await this.waitFor(undefined);
        tries = -1;
        continue;
      }
      if (this.isResting) {
        this.tell("connecting");
        tries = -1;
        continue;
      }
      // A stream also ends when a noun is registered or removed. Then the page can open a new one at once.
      const hasWorked = this.status === "live" || this.status === "polling";
      if (hasWorked && wait === undefined && performance.now() - began > 5_000) tries = 0;
      if (isBroken) this.tell(tries > 0 ? "lost" : "connecting");
      else tries = Math.min(tries, 1);
      await this.waitFor(wait ?? (tries === 0 ? 100 : Math.min(shortestWait * 2 ** (tries - 1), longestWait)));
    }
  }

  /**
   * Gives the link up when nobody has seen the page for a while. A browser opens six connections to a device, and each
   * stream takes one of them: with a stream in each of six tabs, no tab could send anything.
   */
  see(isHidden: boolean): void {
    clearTimeout(this.resting);
    if (isHidden) {
      this.resting = setTimeout(() => {
        this.isResting = true;
        this.abort.abort();
      }, restTime);
    } else if (this.isResting) {
      this.isResting = false;
      this.resume();
    } else this.retryNow();
  }

  /** Tries again now, because the device may be back. */
  retryNow(): void {
    if (this.status === "live" && this.deadline - Date.now() < silence / 2) this.abort.abort();
    if (this.status === "lost") this.resume();
  }

  /** Ends a link that has been silent for too long. To be called every second. */
  watch(): void {
    const now = Date.now();
    // The clock may have been set back.
    this.deadline = Math.min(this.deadline, now + silence);
    if (now > this.deadline) this.abort.abort();
  }

  /** Continues with a token; with "", without one. */
  useToken(value: string, isRemembered = false): void {
    // A header field cannot contain other characters. They become "?", so that the device refuses the token.
    token.keep(value.replace(/[^\x21-\x7e]/g, "?"), isRemembered);
    this.refusal = "";
    this.abort.abort();
    this.keepOnly([]);
    this.tell("connecting");
    this.resume();
  }

  /** Whether the states are those of now. */
  get isCurrent(): boolean {
    return this.status === "live" || this.status === "polling";
  }

  private tell(status: Status): void {
    this.status = status;
    if (status === "lost") this.lost ??= Date.now();
    if (this.isCurrent && this.lost !== undefined) void this.lookForRestart(this.lost);
    this.onChange();
  }

  /** @param time the longest wait in ms; undefined for no limit. */
  private waitFor(time: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.resume = resolve;
      // Random, so that not all pages try again at the same moment after the device was gone.
      if (time !== undefined) setTimeout(resolve, time * (1 + Math.random() / 4));
    });
  }

  /** One try. @returns whether the link is finished or needs another try. @throws Broken, or what `fetch` throws. */
  private async link(): Promise<"over" | "again"> {
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.deadline = Date.now() + beginTime;
    const response = await send("/", "text/event-stream", signal);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (response.status === 200 && isStream && response.body !== null) {
      await this.describe(signal);
      await this.follow(response.body);
      return "over";
    }
    const reply = await readReply(response);
    this.expectToken(reply);
    await this.describe(signal);
    await this.poll(reply.retryAfter * 1_000 || longestWait, signal);
    return "again";
  }

  private expectToken({ status, sentence }: Reply): void {
    if (status !== 401 && status !== 429) return;
    if (token.recall()) throw new Broken(1);
    this.refusal = token.value === "" ? "" : sentence;
    token.keep("");
    this.title = keptTitle.read() || this.title;
    this.tell("token");
    throw new Broken();
  }

  private async follow(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventParser();
    let isFirst = true;
    for (;;) {
      this.deadline = Date.now() + silence;
      const { done, value } = await reader.read();
      if (done) return;
      this.heard = performance.now();
      for (const data of parser.feed(decoder.decode(value, { stream: true }))) {
        this.takeStates(parseJson(data), isFirst);
        if (isFirst) {
          this.tell("live");
          void this.readHistories(this.abort.signal);
        }
        isFirst = false;
      }
    }
  }

  /** Reads the histories one after the other, because a browser has few connections to a device. */
  private async readHistories(signal: AbortSignal): Promise<void> {
    for (const view of this.views) {
      if (signal.aborted) return;
      await view.readHistory();
    }
  }

  /** @param time ms after which a stream may be free. */
  private async poll(time: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + time;
    while (performance.now() < end) {
      const asked = performance.now();
      const reply = await this.read("/", signal);
      if (reply.status !== 200) throw new Broken(reply.retryAfter * 1_000 || undefined);
      this.takeStates(reply.json, true, asked);
      this.heard = performance.now();
      this.tell("polling");
      await this.waitFor(pollTime);
    }
  }

  /** Reads what the link depends on. */
  private async read(path: string, signal: AbortSignal, init?: RequestInit): Promise<Reply> {
    this.deadline = Date.now() + silence;
    const reply = await ask(path, init);
    signal.throwIfAborted();
    this.expectToken(reply);
    return reply;
  }

  private async describe(signal: AbortSignal): Promise<void> {
    const { status, json, retryAfter } = await this.read("/.well-known/wot", signal, { cache: "default" });
    if (status !== 200 && status !== 404) throw new Broken(retryAfter * 1_000 || undefined);
    await learned;
    const description = readDescription(status === 200 ? json : undefined, location.host);
    const { title, nouns } = description;
    this.title = title;
    const { version } = this.description ?? description;
    if (version !== description.version) this.news = say("updated", description.version);
    this.description = description;
    setTimeout(keptTitle.write, keepTime, title);
    const known = status === 200 ? nouns : this.views.map(({ noun }) => undescribedNoun(noun.name));
    for (const noun of known) {
      const view = this.viewOf(noun.name);
      view.noun = noun;
      view.changed();
    }
    this.keepOnly(known.map(({ name }) => name));
    this.onChange();
  }

  /** @param lost when the link was lost, in ms since 1970. */
  private async lookForRestart(lost: number): Promise<void> {
    this.lost = undefined;
    const start = metricIn((await readDocument("/metrics", "text/plain")) ?? "", "process_start_time_seconds");
    if (start === undefined || start * 1_000 < lost - silence || this.news !== "") return;
    this.news = say("restarted", new Date(start * 1_000).toLocaleTimeString(undefined, { timeStyle: "short" }));
    this.onChange();
  }

  /** Asks why nouns fail, once for each time that one begins to. */
  private async readReasons(names: readonly string[]): Promise<void> {
    const asking = names.map((name) => this.viewOf(name)).filter((view) => view.isBroken && view.reason === undefined);
    if (asking.length === 0) return;
    for (const view of asking) view.reason = "";
    const failures = failuresIn(await readDocument("/changes", "*/*"));
    for (const view of asking) {
      const [last] = failures.filter(({ of }) => of === view.noun.name);
      if (last === undefined || !view.isBroken) continue;
      view.reason = last.text;
      view.changed();
    }
  }

  /** @param isWhole whether the states contain all nouns. @param asked when the page asked for them, in ms. */
  private takeStates(states: unknown, isWhole: boolean, asked?: number): void {
    if (!isObject(states)) return;
    for (const [name, state] of Object.entries(states))
      this.viewOf(name).take(isObject(state) ? (state as State) : null, asked);
    if (isWhole)
      this.keepOnly([
        ...Object.keys(states),
        ...this.views.filter(({ noun }) => !noun.isRead).map(({ noun }) => noun.name),
      ]);
    void this.readReasons(Object.keys(states));
  }

  private viewOf(name: string): NounView {
    let view = this.byName.get(name);
    if (view === undefined) {
      view = new NounView(undescribedNoun(name), this.onChange, (reply, used) => this.heed(reply, used));
      this.byName.set(name, view);
      this.views = [...this.byName.values()];
    }
    return view;
  }

  private keepOnly(names: readonly string[]): void {
    for (const [name, view] of this.byName) {
      if (names.includes(name)) continue;
      view.leave();
      this.byName.delete(name);
    }
    this.views = [...this.byName.values()];
  }

  /** Finds out from the answer to a change whether the link still works. */
  private heed({ status }: Reply, used: string): void {
    // A late answer does not concern a token that was entered meanwhile.
    if (status === 401 && used === token.value) {
      if (!token.recall()) token.keep("");
      this.abort.abort();
    } else if (status === 0) this.retryNow();
  }
}
