/** What the documents of a device say of it, as its files and its kernel say it. */
import type { AccessOptions } from "../../core/access/access.ts";
import { type DeviceFacts, type DeviceOptions, documentsOn } from "../../parts/documents/part.ts";
import { certificateEnds } from "../../platform/certificate-ends.ts";
import { bootId, deviceModel, machineId } from "../../platform/device-model.ts";
import { failureCount } from "../../platform/log.ts";
import { hash, isSimulated, loop, memory, system } from "../../platform/platform.ts";

const platform = { hash, loop, memory, system };

/**
 * @param access what the server requires of every request.
 * @param live gives what documents say of the server while it runs.
 */
export function deviceFacts(
  options: DeviceOptions,
  access: AccessOptions,
  live: Pick<DeviceFacts, "certificate">,
): DeviceFacts {
  const { id, address } = options;
  const on = documentsOn(options);
  // After `restrict`, these files and uname(2) may be out of reach.
  return {
    title: options.title ?? system.hostName(),
    id,
    machineId: id === undefined && on.includes("description") ? machineId() : undefined,
    model: on.length > 0 ? deviceModel() : undefined,
    kernel: system.kernelRelease(),
    boot: on.includes("metrics") ? bootId() : "",
    address,
    access,
    began: loop.now(),
    ends: certificateEnds,
    failures: failureCount,
    ...live,
    isSimulated,
    platform,
  };
}
