/** The serial devices of a machine, as lines of the table of `--find`. */
import { namesIn, textIn } from "./device-folders.ts";

/** Where udev has names that stay the same at the next start. */
const lasting = "/dev/serial/by-id";

/** @returns lines of the table: the ports that have hardware behind them, with the command that asks for units. */
export async function* serialTable(): AsyncGenerator<string> {
  const consoles = ((await textIn("/sys/class/tty/console/active")) ?? "").split(" ");
  for (const name of await namesIn(lasting)) yield `${lasting}/${name}: the same device below, by a name that stays`;
  for (const name of await namesIn("/sys/class/tty")) {
    // A port without a device is a terminal of the kernel's own. Of those with the type 0, nobody found a chip.
    const hasDevice = (await namesIn(`/sys/class/tty/${name}/device`)).length > 0;
    if (!hasDevice || (await textIn(`/sys/class/tty/${name}/type`)) === "0") continue;
    const use = consoles.includes(name)
      ? "the kernel's console"
      : `"kind": "modbus", "device": "/dev/${name}"; \`nound --find modbus /dev/${name}\` asks for its units`;
    yield `/dev/${name}: ${use}`;
  }
}
