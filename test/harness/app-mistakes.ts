/** config.yaml of Home Assistant's app, and mistakes that the Supervisor refuses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { top } from "./top.ts";

/** What the Supervisor reads. */
export const appConfig = parse(readFileSync(join(top, "packaging/home-assistant/config.yaml"), "utf8")) as Readonly<
  Record<string, unknown>
>;

/** What a mistake changes; undefined for a key that is missing. */
export const appMistakes: readonly Readonly<Record<string, unknown>>[] = [
  { slug: undefined },
  { slug: "no und" },
  { arch: ["arm64"] },
  { startup: "service" },
  { watchdog: "tcp://localhost:8099" },
  { ingress_port: 80_990 },
  { services: ["mqtt:wants"] },
  { init: "never" },
  { options: ["nouns"] },
  { schema: true },
];
