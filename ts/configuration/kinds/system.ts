/** The kind `system`: facts of the machine. */
import { systemNoun } from "../../nouns/ready-made-sensors.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { boolean, nonEmptyText, pollTime } from "../setting.ts";

export const systemKind = () =>
  nounKind({
    options: {
      zone: optional(nonEmptyText),
      temperature: withDefault(boolean, true),
      poll: optional(pollTime),
    },
    verify({ zone, temperature }, refuse) {
      if (zone !== undefined && !temperature) refuse(["zone"], 'expected nothing together with "temperature": false');
    },
    build: (options, { name }) => systemNoun({ ...options, simulatedAs: name }),
  });
