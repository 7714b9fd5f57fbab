/** The setting of the broker. */

import { grantPattern } from "../../core/access/grant.ts";
import { listOfAtMost, oneOrMore, optional, record } from "../../settings/record.ts";
import {
  absolutePath,
  boolean,
  converted,
  either,
  integer,
  nonEmptyText,
  type Setting,
  textOf,
  textThat,
} from "../../settings/setting.ts";
import { tlsSetting } from "../client/tls-setting.ts";
import {
  brokerPattern,
  intervalRange,
  isBroker,
  keepAliveRange,
  type MqttOptions,
  mostGroups,
  mqttNamePattern,
  mqttPrefixPattern,
  spreadRange,
} from "./mqtt-settings.ts";

/** The broker of the configuration. */
export interface MqttPlan extends Omit<MqttOptions, "password" | "stateDirectory"> {
  /** The path of the password file. */
  readonly password?: string;
}

const broker = () =>
  textThat(
    isBroker,
    "a broker such as 192.0.2.10:1883, mqtts://broker.example or unix:/run/mosquitto/nound.sock",
    brokerPattern,
  );

const name = () => textOf(mqttNamePattern, "1 to 64 characters of A-Z a-z 0-9 _ -");

function homeAssistant(): Setting<boolean | string> {
  const prefix = textOf(mqttPrefixPattern, "true, false, or the first levels of the topics of its discovery");
  return either(prefix.expected, boolean(), prefix, (value) => typeof value === "boolean");
}

export function mqttPlan(): Setting<MqttPlan> {
  const setting = record({
    server: oneOrMore(broker()),
    tls: optional(tlsSetting),
    id: optional(name),
    user: optional(nonEmptyText),
    password: optional(absolutePath),
    prefix: optional(() =>
      textOf(mqttPrefixPattern, "one to five levels of A-Z a-z 0-9 _ - with slashes between them"),
    ),
    group: optional(() => oneOrMore(name(), listOfAtMost(mostGroups, "groups", name()))),
    may: optional(() => textOf(grantPattern, 'verbs and nouns as in a token file, such as "GET,PUT led,relay.*"')),
    keepAlive: optional(() => integer(keepAliveRange)),
    startDelay: optional(() => integer(spreadRange)),
    interval: optional(() => integer(intervalRange)),
    homeAssistant: optional(homeAssistant),
  });
  return converted(setting, ({ startDelay, ...rest }) => ({
    ...rest,
    ...(startDelay !== undefined && { spread: startDelay }),
  }));
}
