/** The nouns of a configuration, made and one day closed: in between they hold the device's hardware. */
import type { Clock } from "../native/loop.ts";
import type { Store } from "../native/storage.ts";
import { type NounName, parseNounName } from "../noun/name.ts";
import type { Noun } from "../noun/noun.ts";
import type { Configuration } from "./configuration.ts";
import type { Hardware, SimulatedHardware } from "./hardware.ts";
import type { NounContext, NounPlan } from "./noun-kind.ts";
import { exitStatus, StartError, sentenceOf } from "./start-error.ts";

/** What nouns are built on. */
export interface Surroundings {
  readonly clock: Clock;
  readonly hardware: Hardware;
  /** The same hardware once more, where it is simulated. */
  readonly simulated: SimulatedHardware | undefined;
  /** Takes what goes wrong behind the clients' backs. @param where who it went wrong for. */
  report(where: string, error: unknown): void;
}

/** Before the name of a noun that only reads, the name of the noun that moves what it reads under `--simulate`. */
const sourcePrefix = "simulated.";

/** See the module's description. */
export class BuiltNouns {
  private readonly nouns = new Map<NounName, Noun>();
  private readonly configuration: Configuration;
  private readonly surroundings: Surroundings;
  private store: Store | undefined;

  /** Nothing is opened yet. */
  constructor(configuration: Configuration, surroundings: Surroundings) {
    this.configuration = configuration;
    this.surroundings = surroundings;
  }

  /**
   * Makes the nouns and, where hardware is simulated, those that move it.
   * @throws StartError naming the noun that cannot be made. Those made before it are then still to be closed.
   */
  build(): ReadonlyMap<NounName, Noun> {
    for (const [name, plan] of this.configuration.nouns) this.nouns.set(name, this.make(name, plan));
    const { simulated } = this.surroundings;
    if (simulated === undefined) return this.nouns;
    for (const [name, { simulate }] of this.configuration.nouns) {
      const source = sourcePrefix + name;
      // A name that is too long, or that the configuration has for something else, is done without.
      if (simulate === undefined || source.length > 64 || this.configuration.nouns.has(source as NounName)) continue;
      this.nouns.set(parseNounName(source), simulate(simulated));
    }
    return this.nouns;
  }

  /** Leaves all hardware as each noun's options say. Never throws: one that fails keeps no other from its ending. */
  close(): void {
    for (const [name, noun] of this.nouns) {
      try {
        if ("close" in noun && typeof noun.close === "function") noun.close();
      } catch (error) {
        this.surroundings.report(name, error);
      }
    }
    this.nouns.clear();
  }

  private make(name: NounName, plan: NounPlan): Noun {
    const { clock, hardware, report } = this.surroundings;
    const context: NounContext = {
      name,
      clock,
      hardware,
      gpioBackend: this.configuration.gpioBackend,
      openStore: () => this.openStore(),
      report: (error) => report(name, error),
    };
    try {
      return plan.build(context);
    } catch (error) {
      throw new StartError(`the noun ${name} cannot be made: ${sentenceOf(error)}`, exitStatus.unavailable);
    }
  }

  private openStore(): Store {
    // `readConfiguration` has seen to it that there is a folder where a noun needs one.
    this.store ??= this.surroundings.hardware.storage.openStore(this.configuration.stateDirectory ?? "");
    return this.store;
  }
}
