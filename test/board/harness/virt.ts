/**
 * QEMU's `virt` with an ARMv7 processor: a PL061 with eight lines. Its outputs are heard as they change, so that
 * nothing between two readings is missed.
 *
 * It has a keyboard, too.
 *
 *     0 RELAY   1 PUMP   2 VALVE   3 the power key, the kernel's   4 BUTTON   5 and 6 TWIN   7 the LED green:status
 */
import type { Board, Pins } from "./board.ts";
import type { Qmp } from "./qmp.ts";
import type { WireChange } from "./qtest.ts";

/** Its controller in the device tree. */
export const controller = "/pl061@9030000";

/** The pins of `virt`: besides the levels, every change since the start; and its keyboard. */
export interface VirtPins extends Pins {
  /** Presses a key of the keyboard, or lets it go. @param key QEMU's name of it: `f1`. */
  key(key: string, isDown: boolean): Promise<void>;
  /** The changes of one output since this was last called for it, or since the board's start; the oldest first. */
  changes(offset: number): Promise<readonly WireChange[]>;
  /** The changes of several outputs since this was last called, or since the board's start, in their order. */
  together(...offsets: readonly number[]): Promise<readonly WireChange[]>;
}

async function controllerPath(qmp: Qmp): Promise<string> {
  const devices = await qmp.list("/machine/unattached");
  const found = devices.find(({ type }) => type === "child<pl061>");
  if (found === undefined) {
    throw new Error("QEMU's machine virt has no PL061 any more.");
  }
  return `/machine/unattached/${found.name}`;
}

/** The board. */
export const virt: Board<VirtPins> = {
  name: "virt",
  machine: [
    ...["-M", "virt", "-cpu", "cortex-a7", "-m", "128"],
    // A keyboard needs version 1 of virtio.
    ...["-global", "virtio-mmio.force-legacy=false", "-device", "virtio-keyboard-device"],
  ],
  network: ["-device", "virtio-net-device,netdev=net"],
  memory: 0x4000_0000,
  console: "ttyAMA0",
  modules: ["virtio_net", "virtio_mmio", "leds_gpio", "evdev", "virtio_input"],
  deviceTree: "dumped",
  prepare(tree) {
    tree.nameLines(controller, ["RELAY", "PUMP", "VALVE", "", "BUTTON", "TWIN", "TWIN", ""]);
    tree.addLed("green:status", controller, 7);
  },
  async pins(qmp, qtest) {
    const path = await controllerPath(qmp);
    await qtest.listenToOutputs(path);
    const taken = new Map<number, number>();
    let heard = 0;
    const all = async (offset: number) => {
      await qtest.settle();
      return qtest.changes.filter(({ wire }) => wire === offset);
    };
    return {
      async changes(offset) {
        const changes = await all(offset);
        const news = changes.slice(taken.get(offset));
        taken.set(offset, changes.length);
        return news;
      },
      async together(...offsets) {
        await qtest.settle();
        const news = qtest.changes.slice(heard).filter(({ wire }) => offsets.includes(wire));
        heard = qtest.changes.length;
        return news;
      },
      async key(key, isDown) {
        const event = { type: "key", data: { down: isDown, key: { type: "qcode", data: key } } };
        await qmp.execute("input-send-event", { events: [event] });
      },
      drive: (offset, voltage) => qtest.setInput(path, offset, voltage),
      // QEMU pulls the lines of this machine down.
      voltage: async (offset) => (await all(offset)).at(-1)?.level ?? 0,
    };
  },
};
