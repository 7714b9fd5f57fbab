/** A noun for a TMP102 thermometer on an I2C bus, spoken to without a driver of the kernel (datasheet SBOS397, 7.5). */
import { defineNoun, type Noun, openI2c } from "nound";

/** The register of the temperature: 12 bits in steps of 1/16 °C, two's complement, at the high end of 16. */
const temperatureRegister = 0;

/** @param word the 16 bits of the register. @returns degrees Celsius. */
export function celsiusOf(word: number): number {
  const signed = word >= 0x8000 ? word - 0x1_0000 : word;
  return (signed >> 4) / 16;
}

/**
 * GET reads the sensor; one that does not answer reads as null, and is asked again by the next GET.
 * @param bus the number N of `/dev/i2c-N`.
 * @param address 0x48 to 0x4b, by the pin ADD0.
 */
export function tmp102(bus: number, address: number): Noun {
  const sensor = openI2c(bus, address);

  async function measure(): Promise<number | null> {
    try {
      return celsiusOf(await sensor.readRegister16(temperatureRegister));
    } catch {
      return null;
    }
  }

  return defineNoun({
    shape: { celsius: { type: "number", unit: "Cel", readOnly: true, nullable: true } },
    get: async () => ({ celsius: await measure() }),
    close: () => sensor.close(),
  });
}
