/** The server of Modbus: what is known of it before it is opened. */
import type { PartKey, PartPlan } from "../../../core/server/part.ts";
import { type ModbusServer, openModbusServer } from "./modbus-server.ts";
import type { ModbusServerOptions } from "./options.ts";

export type { ModbusServerOptions, ServedRegister, ServedRegisters } from "./options.ts";
export { adviceOnModbus, modbusServerSetting, registerMistakes } from "./setting.ts";

const modbusServerKey: PartKey<ModbusServer> = { name: "modbusServer" };

/** @returns undefined without one. */
export function modbusServer(options: ModbusServerOptions | undefined): PartPlan<ModbusServer> | undefined {
  if (options === undefined) return undefined;
  return { ...modbusServerKey, opens: "at the start", open: (host) => openModbusServer(host, options) };
}
