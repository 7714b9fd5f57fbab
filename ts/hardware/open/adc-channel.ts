/** A channel of the kernel's Industrial I/O (Documentation/ABI/testing/sysfs-bus-iio). */
import type { Files } from "../../native/files.ts";
import { readTexts } from "./kernel-file.ts";
import { channelOf } from "./quantities.ts";
import { Attributes, type ChannelReading, readingOfChannel, rounded } from "./sensor-channels.ts";
import { findSensor, foldersOf, type SensorDevice, sensorClasses } from "./sensor-device.ts";

/**
 * A reading of an `AdcChannel`.
 *
 * @example
 * const { value, raw }: AdcReading = await openAdc("iio:device0", "voltage0").read();
 */
export interface AdcReading {
  /** (raw + offset) * scale: mV for a voltage; the other quantities have the units of the kernel's document. */
  readonly value: number;
  /** The converter's own number; null if the driver gives the value alone. */
  readonly raw: number | null;
}

const iioFolder = sensorClasses.iio.folder;

/** @returns whether a text is a device's own name there, which changes when another driver is found first. */
function isNumbered(device: string): boolean {
  return /^iio:device[0-9]+$/.test(device);
}

/**
 * @param device its folder's name, a chip's name or label, or the path of its device on a bus.
 * @returns the folder of its attributes on simulated hardware.
 */
export function simulatedAdcFolder(device: string): string {
  if (device.startsWith("/")) return /\/iio:device[^/]*$/.test(device) ? device : `${device}/iio:device0`;
  return `${iioFolder}/${isNumbered(device) ? device : `iio:device-${device}`}`;
}

/** @returns the texts of a chip on simulated hardware: one attribute, undefined if it is absent, and its name. */
export function chipFiles(device: string, attribute: string, text: string | undefined) {
  const folder = simulatedAdcFolder(device);
  const name = device.startsWith("/") || isNumbered(device) ? {} : { [`${folder}/name`]: `${device}\n` };
  return { ...name, [`${folder}/${attribute}`]: text };
}

/**
 * A channel of an analog-to-digital converter, or of any sensor that the kernel's Industrial I/O has.
 *
 * @example
 * const battery = openAdc("iio:device0", "voltage0");
 * const { value } = await battery.read(); // mV
 */
export class AdcChannel {
  private readonly files: Files;
  private readonly device: string;
  private readonly channel: string;
  private found: { readonly attributes: Attributes; readonly reading: ChannelReading } | undefined;

  /**
   * @param channel its name in the attributes: `voltage0` of `in_voltage0_raw`.
   * @internal
   */
  constructor(files: Files, device: string, channel: string) {
    this.files = files;
    this.device = device;
    this.channel = channel;
  }

  /** @throws Error with a sentence (a rejected promise): there is no such device or channel, or the kernel refuses. */
  async read(): Promise<AdcReading> {
    const { attributes, reading } = this.found ?? this.find();
    // If anything fails, the next reading looks for the attributes again, because another device may come back.
    this.found = undefined;
    // All attributes are read each time: drivers change the scale with the gain, and other programs may set it.
    const texts = await readTexts(this.files, attributes.paths, "iio");
    const result = { value: rounded(Number(reading.value(texts))), raw: reading.raw(texts) };
    this.found = { attributes, reading };
    return result;
  }

  private find() {
    const folders = foldersOf(this.files);
    const device = findSensor(folders, this.device, (one: SensorDevice) => one.class === "iio");
    const attributes = new Attributes();
    // The kernel's own unit: the one that people use is a matter of nouns.
    const channel = { ...channelOf(this.channel), type: "", quantity: { key: "", initial: 0 } };
    return { attributes, reading: readingOfChannel(folders, device, channel, attributes) };
  }
}
