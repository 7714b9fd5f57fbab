/** The kind `system`: facts of the machine. */
import { systemNoun } from "../../devices/sensors.ts";
import { nounKind } from "../noun-kind.ts";
import { optional } from "../record.ts";
import { nonEmptyText, pollTime } from "../setting.ts";

export const systemKind = () =>
  nounKind({
    options: { zone: optional(nonEmptyText), poll: optional(pollTime) },
    build: (options, { name }) => systemNoun({ ...options, simulatedAs: name }),
  });
