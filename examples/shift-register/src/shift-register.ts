/** A noun for eight outputs behind a 74HC595 shift register on a SPI bus. */
import { defineNoun, type Noun, openSpi } from "nound";

/**
 * PUT sets all outputs, POST those that it names; DELETE and the program's end switch all off.
 * @param path the device, such as /dev/spidev0.0; its chip select is the register's latch.
 */
export function shiftRegister(path: string): Noun {
  const device = openSpi(path, { speed: 1_000_000 });
  const output = { type: "integer", minimum: 0, maximum: 1 } as const;
  const shape = { q0: output, q1: output, q2: output, q3: output, q4: output, q5: output, q6: output, q7: output };
  const off = { q0: 0, q1: 0, q2: 0, q3: 0, q4: 0, q5: 0, q6: 0, q7: 0 };
  let state = off;

  return defineNoun({
    shape,
    default: off,
    get: () => state,
    async set(wanted) {
      const { q0, q1, q2, q3, q4, q5, q6, q7 } = wanted;
      // The bit that is sent first ends at the last output.
      const bits = [q7, q6, q5, q4, q3, q2, q1, q0].reduce((byte, bit) => byte * 2 + bit, 0);
      await device.transfer(Uint8Array.of(bits));
      state = wanted;
    },
    close() {
      void device.transfer(Uint8Array.of(0)).catch(() => undefined);
      device.close();
    },
  });
}
