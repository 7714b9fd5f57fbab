/**
 * The board `ast2600-evb` with chips of Industrial I/O, whose drivers come in one order or in the other. The kernel
 * numbers the chips as their drivers find them, so each order gives them other numbers.
 *
 *     DPS310, a barometer, at 0x76 and at 0x77 of bus 3   the board's own converters
 *
 * The kernel's driver refuses QEMU's LSM303DLHC, which has no identity.
 */
import { type Ast2600Pins, ast2600 } from "./ast2600.ts";
import type { Board } from "./board.ts";

/** The drivers of the chips. */
const drivers = ["aspeed_adc", "dps310"] as const;

const addresses = [0x76, 0x77] as const;

function chipsBoard(name: string, order: readonly string[]): Board<Ast2600Pins> {
  const others = ast2600.modules.filter((module) => module !== "aspeed_adc");
  return {
    ...ast2600,
    name,
    machine: [
      ...ast2600.machine,
      ...addresses.flatMap((address) => ["-device", `dps310,bus=aspeed.i2c.bus.3,address=${address}`]),
    ],
    modules: [...others, ...order],
    prepare(tree) {
      ast2600.prepare(tree);
      for (const address of addresses) {
        const node = `/ahb/apb/bus@1e78a000/i2c-bus@200/pressure@${address.toString(16)}`;
        tree.setText(node, "compatible", "infineon,dps310");
        tree.setWords(node, "reg", address);
      }
    },
  };
}

/** The boards. */
export const chipsBoards = [
  chipsBoard("ast2600-chips", drivers),
  chipsBoard("ast2600-swapped", drivers.toReversed()),
] as const;
