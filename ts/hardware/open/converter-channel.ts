/**
 * A channel of a converter, for configurations of earlier versions. It is loaded with the sensors: whoever imports the
 * quantities themselves would have them in the memory of each device (tools/bundle/groups.mjs).
 */
import { channelOf, factorOf } from "./quantities.ts";

/** @returns the usual key and the unit of a channel, and what makes a value of the kernel's number. */
export function measuredBy(channel: string) {
  const measured = channelOf(channel);
  const { key, unit } = measured.quantity;
  return { key, unit, factor: factorOf(measured, "iio") };
}
