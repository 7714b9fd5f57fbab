/** The kind `w1`: a one-wire thermometer. */
import { w1Noun } from "../../nouns/ready-made-sensors.ts";
import { w1Id } from "../../nouns/w1-sensor.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { nonEmptyText, pollTime, textOf } from "../setting.ts";

const sensorId = () => textOf(w1Id, "a thermometer's id such as 28-0316a2796ee1, of the family 10, 22, 28, 3b or 42");

export const w1Kind = () =>
  nounKind({
    options: { id: optional(sensorId), key: withDefault(nonEmptyText, "celsius"), poll: optional(pollTime) },
    folders: () => ["/sys/bus/w1/devices"],
    build: (options, { name }) => w1Noun({ ...options, simulatedAs: name }),
  });
