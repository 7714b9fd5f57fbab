/** What is measured of the client of a broker. */
import type { Measure } from "../../core/server/measure.ts";

/** The counts of the client of a broker. */
export interface BrokerCounts {
  readonly isConnected: boolean;
  /** CONNECTs since the start. */
  readonly connects: number;
  /** Messages since the start. */
  readonly received: number;
  readonly sent: number;
}

export function brokerMeasures({ isConnected, connects, received, sent }: BrokerCounts): readonly Measure[] {
  return [
    {
      name: "nound_mqtt_connected",
      type: "gauge",
      help: "1 while the broker has accepted the device.",
      samples: [[{}, Number(isConnected)]],
    },
    {
      name: "nound_mqtt_connects_total",
      type: "counter",
      help: "Connections to the broker.",
      samples: [[{}, connects]],
    },
    {
      name: "nound_mqtt_messages_total",
      type: "counter",
      help: "Messages of the broker, by direction.",
      samples: [
        [{ direction: "in" }, received],
        [{ direction: "out" }, sent],
      ],
    },
  ];
}
