/** The client of a server's broker: what is known of it before the server listens. */
import type { Part, PartKey, PartPlan } from "../../core/server/part.ts";
import type { DeviceOptions } from "../documents/part.ts";
import { openMqtt } from "./mqtt.ts";
import type { MqttOptions } from "./mqtt-settings.ts";

export { adviceOnMqtt } from "./mqtt.ts";
export { type MqttPlan, mqttPlan } from "./mqtt-setting.ts";
export { forgetRetained } from "./retained.ts";
export type { MqttOptions };

export const mqttKey: PartKey<Part> = { name: "mqtt" };

/**
 * @param device what Home Assistant is told of the device.
 * @param listens the addresses that the server listens on. Those that come later are added.
 * @returns undefined without a broker.
 */
export function mqtt(
  options: MqttOptions | undefined,
  device: DeviceOptions,
  listens: readonly string[],
): PartPlan | undefined {
  return options && { ...mqttKey, opens: "at the start", open: (host) => openMqtt(options, device, host, listens) };
}
