/** The stock program's configuration, as a test writes it. */

import type { Shape } from "../../ts/core/noun/shape.ts";
import type { State } from "../../ts/core/noun/state.ts";
import type { ServerLimits } from "../../ts/core/server/options.ts";
import type { ProcessLimits } from "../../ts/platform/process-limits.ts";

/** A noun of the configuration. */
export type NounConfiguration =
  | { kind: "switch"; key: string; values?: readonly [number, number]; default: number }
  | { kind: "value"; default: State; shape?: Shape }
  | { kind: "rule"; when?: object; every?: number; then: object }
  | { kind: "webhook"; url: string }
  | { kind: "mirror"; url: string; keepAlive?: number }
  | { kind: "gpio-input"; chip: string; offset: number; key: string };

/** The configuration file's content. */
export interface Configuration {
  listen?: readonly string[];
  limits?: Partial<ServerLimits & ProcessLimits>;
  access?: { tokens?: string; hosts?: readonly string[]; origins?: readonly string[] };
  user?: string;
  group?: string;
  log?: "none" | "errors" | "requests";
  mqtt?: { server: string; id: string };
  https?: { certificate: string; key: string };
  stateDirectory?: string;
  documents?: readonly string[];
  nouns: { [name: string]: NounConfiguration };
}

/** The nouns most tests speak to. `canary` is written to only by requests that must never be executed. */
export const nouns = {
  led: { kind: "switch", key: "led", values: [0, 1], default: 0 },
  note: { kind: "value", default: { text: "hello" } },
  canary: { kind: "value", default: { alive: true } },
  still: { kind: "value", default: { n: 1.5, s: "x", b: true, z: null } },
  empty: { kind: "value", default: {} },
  "a.b_c~d-1": { kind: "value", default: { odd: "name" } },
} as const satisfies Configuration["nouns"];
