/**
 * QEMU's `ast2600-evb`: a board with a real controller of 208 lines, whose pins QEMU shows as properties of the
 * machine, with converters, and with two thermometers on an I2C bus.
 *
 *     40 = F0 RELAY   41 = F1 PUMP   42 = F2 BUTTON   48 = G0 the LED amber:alarm   50 = G2 the key WPS
 *     in_voltage0 of iio:device0
 *     TMP105 at 0x49 and 0x4a of bus 3   DS18B20 28-0316a2796ee1 on a one-wire bus
 *
 * The pins from A0 on belong to the network. QEMU's controller drops a level that is written while the line is an
 * input, so what happens at the very start is seen on `virt` alone.
 */
import type { Board, Pins } from "./board.ts";
import { guestModule } from "./guest-module.ts";

const controller = "/ahb/apb/gpio@1e780000";
const converter = "/ahb/apb/adc@1e6e9000";
const gpioObject = "/machine/soc/gpio";
const adcChannel0 = 0x1e6e_9010;

/** KEY_WPS_BUTTON of the kernel's input layer. */
const wpsCode = 0x211;

/** The I2C bus of the thermometers. */
export const thermometerBus = 3;

/** The thermometers: one for the kernel's driver, one without. */
export const thermometers = { driven: 0x49, raw: 0x4a } as const;

/** The pins of the board, its analogue input, its thermometers. */
export interface Ast2600Pins extends Pins {
  /** Sets what the converter reads on channel 0: 0 to 1023. */
  setChannel0(raw: number): Promise<void>;
  /** Sets what a thermometer measures, in thousandths of a degree Celsius. */
  setTemperature(which: keyof typeof thermometers, thousandths: number): Promise<void>;
}

/** `gpioF2` for 42: eight lines have a letter in common. */
function pinName(offset: number): string {
  return `gpio${String.fromCharCode("A".charCodeAt(0) + Math.floor(offset / 8))}${offset % 8}`;
}

/** The board. */
export const ast2600: Board<Ast2600Pins> = {
  name: "ast2600-evb",
  machine: [
    ...["-M", "ast2600-evb", "-m", "256"],
    ...Object.entries(thermometers).flatMap(([id, address]) => [
      "-device",
      `tmp105,id=${id},bus=aspeed.i2c.bus.${thermometerBus},address=${address}`,
    ]),
  ],
  network: ["-net", "nic,netdev=net"],
  memory: 0x8000_0000,
  console: "ttyS4",
  modules: [
    "mdio_aspeed",
    "ftgmac100",
    "gpio_aspeed",
    "leds_gpio",
    "aspeed_adc",
    "i2c_aspeed",
    "i2c_dev",
    "lm75",
    "wire",
    "w1_therm",
    "evdev",
  ],
  ownModules: (kernel) => [guestModule(kernel, "w1-thermometer")],
  deviceTree: { packaged: "aspeed-ast2600-evb.dtb" },
  prepare(tree) {
    tree.nameLines(controller, [...Array.from({ length: 40 }, () => ""), "RELAY", "PUMP", "BUTTON"]);
    tree.addLed("amber:alarm", controller, 48);
    tree.addKey("keys", "wps", controller, 50, wpsCode);
    tree.setText(converter, "status", "okay");
  },
  async pins(qmp, qtest) {
    return {
      drive: (offset, voltage) => qmp.set(gpioObject, pinName(offset), voltage === 1),
      voltage: async (offset) => ((await qmp.get(gpioObject, pinName(offset))) === true ? 1 : 0),
      setChannel0: (raw) => qtest.writeWord(adcChannel0, raw),
      setTemperature: (which, thousandths) => qmp.set(`/machine/peripheral/${which}`, "temperature", thousandths),
    };
  },
};
