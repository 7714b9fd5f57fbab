/** Files of /sys and /proc, which worker threads read: a file of /sys may take as long as the device behind it. */

import type { Awaitable } from "../../core/noun/noun.ts";
import type { Files } from "../../native/files.ts";
import type { AttributeFolder } from "../../native/sysfs.ts";

/** The largest size of a sysfs attribute, in bytes. */
const page = 4_096;

/** The largest number of entries of a folder of devices. */
const mostDevices = 1_024;

/**
 * @param path in /sys or /proc.
 * @param order files with the same text here are read one after the other: it names the device's bus, for instance.
 * @returns the text without its line end. @throws Error with a sentence.
 */
export async function readText(files: Files, path: string, order = ""): Promise<string> {
  const [, top = ""] = path.split("/");
  const text = await files.readText(path, page, `/${top}`, order);
  return text.trimEnd();
}

/**
 * @param name the same text for the same output.
 * @returns the files for all operations of an output, one after the other: sensors that hang do not hold them up.
 */
export function filesOfOutput(files: Files, name: string): Files {
  const order = `output ${name}`;
  return {
    readText: (path, limit, within) => files.readText(path, limit, within, order),
    readTexts: (paths, limit, within) => files.readTexts(paths, limit, within, order),
    listFolder: (path, limit, within) => files.listFolder(path, limit, within, order),
    writeText: (path, text, within) => files.writeText(path, text, within, order),
  };
}

/** @returns the number in a text; undefined if the text is not a number. */
function parseNumber(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) && (value !== 0 || text.trimEnd() !== "") ? value : undefined;
}

/** @returns the number in the text of a file. @throws Error with a sentence if the text is not a number. */
export function numberIn(text: string, path: string): number {
  const value = parseNumber(text);
  if (value === undefined) throw new Error(`${path} holds no number`);
  return value;
}

/** @returns the number in an attribute. @throws Error when it cannot be read or holds no number. */
export function attributeNumber(folder: AttributeFolder, attribute: string): number {
  // Each GET of an LED or a PWM channel calls this: the path is made for the error alone.
  return parseNumber(folder.read(attribute)) ?? numberIn("", `${folder.path}/${attribute}`);
}

/** @returns the number that a file holds. @throws Error with a sentence. */
export async function readNumber(files: Files, path: string, order = ""): Promise<number> {
  return numberIn(await readText(files, path, order), path);
}

/** @param paths in /sys. @returns the texts of these files, read together. @throws Error with a sentence. */
export function readTexts(files: Files, paths: readonly string[], order = ""): Awaitable<readonly string[]> {
  return files.readTexts(paths, page, "/sys", order);
}

/** @returns the names in a folder of /sys, ordered by the numbers in them. @throws Error with a sentence. */
export async function listDevices(files: Files, path: string): Promise<string[]> {
  const names = await files.listFolder(path, mostDevices, "/sys");
  return names.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
}

/**
 * @param folder of a class of devices.
 * @param attribute a file that each of the devices has.
 * @returns by the folder of each device, its text. A device is left out if its text cannot be read: it has disappeared,
 *   or a driver writes no UTF-8.
 * @throws Error with a sentence if the folder cannot be listed.
 */
export async function readEach(files: Files, folder: string, attribute: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of await listDevices(files, folder)) {
    const device = `${folder}/${name}`;
    await readText(files, `${device}/${attribute}`).then(
      (text) => texts.set(device, text),
      () => {},
    );
  }
  return texts;
}

/**
 * The folders of /sys that contain the devices, also those that appear later. The devices in the first two folders are
 * links into the third.
 */
export const devicesReach: readonly string[] = ["/sys/class", "/sys/bus", "/sys/devices"];
