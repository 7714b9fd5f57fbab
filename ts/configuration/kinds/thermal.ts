/** The kind `thermal`: a thermal zone of the kernel. */
import { thermalNoun } from "../../nouns/ready-made-sensors.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { nonEmptyText, pollTime } from "../setting.ts";

export const thermalKind = () =>
  nounKind({
    options: { type: nonEmptyText(), key: withDefault(nonEmptyText, "celsius"), poll: optional(pollTime) },
    folders: () => ["/sys/class/thermal"],
    build: (options, { name }) => thermalNoun({ ...options, simulatedAs: name }),
  });
