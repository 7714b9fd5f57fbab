/** The buses, PWM chips and serial devices of a machine, as lines of the table of `--find`. */
import { devicesWith, namesIn, textIn } from "./device-folders.ts";

/** A declared device that no driver took: often the chip answers at another address. */
const noDriver = "no driver: its module is not loaded, or no such chip answers there";

/** @returns the devices of an I2C bus, and which drivers hold: `0x48 lm75 (held by its driver)`. */
async function i2cDevices(bus: number, names: readonly string[]): Promise<string> {
  const found: string[] = [];
  for (const name of names) {
    const [, address] = new RegExp(`^${bus}-([0-9a-f]{4})$`).exec(name) ?? [];
    if (address === undefined) continue;
    const folder = `/sys/bus/i2c/devices/${name}`;
    const isHeld = (await namesIn(`${folder}/driver`)).length > 0;
    const chip = (await textIn(`${folder}/name`)) ?? "";
    found.push(`0x${address.slice(2)} ${chip} (${isHeld ? "held by its driver" : noDriver})`);
  }
  return found.length === 0 ? "no device is declared" : found.join(", ");
}

async function* i2cTable(): AsyncGenerator<string> {
  const names = await namesIn("/sys/bus/i2c/devices");
  for (const name of names) {
    const [, bus] = /^i2c-([0-9]+)$/.exec(name) ?? [];
    if (bus === undefined) continue;
    const adapter = (await textIn(`/sys/bus/i2c/devices/${name}/name`)) ?? "";
    yield `${name} (${adapter}): ${await i2cDevices(Number(bus), names)}`;
  }
}

async function* spiTable(): AsyncGenerator<string> {
  const devices = await namesIn("/dev");
  for (const name of await namesIn("/sys/bus/spi/devices")) {
    const what = (await textIn(`/sys/bus/spi/devices/${name}/modalias`))?.replace(/^(?:spi|of):/, "") ?? "";
    const isHeld = (await namesIn(`/sys/bus/spi/devices/${name}/driver`)).length > 0;
    const path = name.replace(/^spi/, "spidev");
    const use = devices.includes(path) ? `openSpi("/dev/${path}")` : isHeld ? "held by its driver" : "no driver";
    yield `${name} (${what}): ${use}`;
  }
}

async function* w1Table(): AsyncGenerator<string> {
  const names = await namesIn("/sys/bus/w1/devices");
  for (const name of names.filter((one) => one.startsWith("w1_bus_master"))) {
    const slaves = await textIn(`/sys/bus/w1/devices/${name}/w1_master_slaves`);
    const found = slaves === undefined || slaves.startsWith("not found") ? "" : slaves.replaceAll("\n", ", ");
    yield `${name}: ${found === "" ? "no sensor" : found}`;
  }
}

/** @returns lines of the table: I2C, SPI and one-wire buses with their devices. */
export async function* busTable(): AsyncGenerator<string> {
  yield* i2cTable();
  yield* spiTable();
  yield* w1Table();
}

/** @returns lines of the table: PWM chips with what a noun writes for a channel. */
export async function* pwmTable(): AsyncGenerator<string> {
  const chips = await namesIn("/sys/class/pwm");
  const devices = chips.length === 0 ? new Map<string, string>() : await devicesWith("pwm");
  for (const chip of chips) {
    const count = Number((await textIn(`/sys/class/pwm/${chip}/npwm`)) ?? "0");
    const channels = count === 1 ? "channel 0" : `channels 0 to ${count - 1}`;
    const lasting = devices.get(chip) ?? chip;
    if (count > 0) yield `${chip}, ${channels}: "kind": "pwm", "chip": "${lasting}", "channel": 0, "period": 40000`;
  }
}

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
