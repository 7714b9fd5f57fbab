/**
 * QEMU's `ast2600-evb`: a board with a real controller of 208 lines, whose pins QEMU shows as properties of the machine, and
 * with converters.
 *
 *     40 = F0 RELAY   41 = F1 PUMP   42 = F2 BUTTON   48 = G0 the LED amber:alarm   in_voltage0 of iio:device0
 *
 * The pins from A0 on belong to the network. QEMU's controller drops a level that is written while the line is an input, so
 * what happens at the very start is seen on `virt` alone.
 */
import type { Board, Pins } from "./board.ts";

const controller = "/ahb/apb/gpio@1e780000";
const converter = "/ahb/apb/adc@1e6e9000";
const gpioObject = "/machine/soc/gpio";
const adcChannel0 = 0x1e6e_9010;

/** The pins of the board, and its analogue input. */
export interface Ast2600Pins extends Pins {
  /** Sets what the converter reads on channel 0: 0 to 1023. */
  setChannel0(raw: number): Promise<void>;
}

/** `gpioF2` for 42: eight lines have a letter in common. */
function pinName(offset: number): string {
  return `gpio${String.fromCharCode("A".charCodeAt(0) + Math.floor(offset / 8))}${offset % 8}`;
}

/** The board. */
export const ast2600: Board<Ast2600Pins> = {
  name: "ast2600-evb",
  machine: ["-M", "ast2600-evb", "-m", "256"],
  network: ["-net", "nic,netdev=net"],
  memory: 0x8000_0000,
  console: "ttyS4",
  modules: ["mdio_aspeed", "ftgmac100", "gpio_aspeed", "leds_gpio", "aspeed_adc"],
  deviceTree: { packaged: "aspeed-ast2600-evb.dtb" },
  prepare(tree) {
    tree.nameLines(controller, [...Array.from({ length: 40 }, () => ""), "RELAY", "PUMP", "BUTTON"]);
    tree.addLed("amber:alarm", controller, 48);
    tree.setText(converter, "status", "okay");
  },
  async pins(qmp, qtest) {
    return {
      drive: (offset, voltage) => qmp.set(gpioObject, pinName(offset), voltage === 1),
      voltage: async (offset) => ((await qmp.get(gpioObject, pinName(offset))) === true ? 1 : 0),
      setChannel0: (raw) => qtest.writeWord(adcChannel0, raw),
    };
  },
};
