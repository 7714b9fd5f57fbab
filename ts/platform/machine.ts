/** The machine, as its maker names it. */
import { deviceModel, nameIn } from "./device-model.ts";

/** Each is undefined where nothing says it. */
export interface Machine {
  readonly maker: string | undefined;
  readonly model: string | undefined;
  readonly serial: string | undefined;
}

/**
 * @param vendor a device tree's name of the maker: `ti`, of a `TI AM335x`.
 * @returns the first words of the model, if they are the same name. Otherwise the vendor's name.
 */
function makerOf(model: string, vendor: string): string {
  const words = model.split(" ");
  const name = (count: number) => words.slice(0, count).join(" ");
  const isVendor = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "") === vendor;
  const count = words.findIndex((_, index) => isVendor(name(index + 1)));
  return count < 0 ? vendor : name(count + 1);
}

export function machine(): Machine {
  const model = deviceModel();
  const [vendor = ""] = nameIn("/proc/device-tree/compatible").split(/[ ,]/);
  const maker = nameIn("/sys/class/dmi/id/sys_vendor") || makerOf(model ?? "", vendor);
  const serials = ["/proc/device-tree/serial-number", "/sys/class/dmi/id/product_serial"];
  const [serial] = serials.map(nameIn).filter((name) => name !== "");
  return { maker: maker === "" ? undefined : maker, model, serial };
}
