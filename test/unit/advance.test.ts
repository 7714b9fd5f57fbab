/** The law of what reads and performs in one loop, a connection of HTTP and a session of MQTT. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Noun } from "../../ts/core/noun/noun.ts";
import type { State } from "../../ts/core/noun/state.ts";
import { written } from "./mqtt/oracle.ts";
import { TestDevice } from "./mqtt/scripted-broker.ts";
import { promisesKept } from "./server/recording-noun.ts";

/** Calls on the stack that an operation may differ by from another. One that is entered from within itself adds more. */
const mostCalls = 40;

/** Notes how many calls are on the stack when it is asked, and answers at once or by a promise. */
class DepthNoun implements Noun {
  readonly depths: number[] = [];
  private readonly isSlow: boolean;

  constructor(isSlow: boolean) {
    this.isSlow = isSlow;
  }

  getState(): State {
    return {};
  }

  setState(): State | Promise<State> {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = Number.POSITIVE_INFINITY;
    this.depths.push((new Error().stack ?? "").split("\n").length);
    Error.stackTraceLimit = stackTraceLimit;
    return this.isSlow ? Promise.resolve({}) : {};
  }

  updateState(): State | Promise<State> {
    return this.setState();
  }

  deleteState(): State | Promise<State> {
    return this.setState();
  }
}

const verbs = ["PUT", "POST", "DELETE"] as const;
type Asked = { readonly verb: (typeof verbs)[number]; readonly noun: "quick" | "slow"; readonly qos: 0 | 1 };

const request = ({ verb, noun }: Asked): string =>
  `${verb} /${noun} HTTP/1.1\r\nHost: a\r\n` +
  (verb === "DELETE" ? "\r\n" : "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");

const command = ({ verb, noun, qos }: Asked, messageId: number): string =>
  written({
    cmd: "publish",
    topic: `nound/hall/${noun}/${verb.toLowerCase()}`,
    payload: verb === "DELETE" ? "" : "{}",
    qos,
    retain: false,
    dup: false,
    ...(qos === 1 && { messageId }),
  });

test.each(["HTTP", "MQTT"])(
  "whatever arrives at once by %s, all of it is performed, and nothing from within another operation",
  async (way) => {
    const asked = fc.record<Asked>({
      verb: fc.constantFrom(...verbs),
      noun: fc.constantFrom("quick", "slow"),
      qos: fc.constantFrom(0, 1),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(asked, { minLength: 1, maxLength: 300, size: "max" }),
        fc.array(fc.constantFrom(0, 0, 0, 9), { minLength: 1 }),
        fc.nat(),
        async (all, turnTimes, cut) => {
          const nouns = { quick: new DepthNoun(false), slow: new DepthNoun(true) };
          const device = new TestDevice(nouns);
          let turns = 0;
          // A turn begins with time left.
          device.clock.turnTime = () => [0, ...turnTimes][turns++ % (turnTimes.length + 1)] ?? 0;
          device.server.listen("127.0.0.1:80");
          const { peer } = way === "HTTP" ? { peer: device.net.connect("127.0.0.1:80") } : device.connect().broker;
          const bytes = all.map((one, index) => (way === "HTTP" ? request(one) : command(one, index + 1))).join("");
          peer.send(bytes.slice(0, cut % bytes.length));
          peer.send(bytes.slice(cut % bytes.length));
          const depths = (): number[] => [...nouns.quick.depths, ...nouns.slow.depths];
          for (let steps = 0; steps < 2_000 && depths().length < all.length; steps++) {
            await promisesKept();
            device.clock.advance(0);
            peer.deliver();
          }
          expect(peer.released).toBe(false);
          expect(depths()).toHaveLength(all.length);
          expect(Math.max(...depths()) - Math.min(...depths())).toBeLessThan(mostCalls);
        },
      ),
      { numRuns: 60 },
    );
  },
);
