/** When a rule runs next, by the sentence that the device makes of its times. */
import { expect, test } from "vitest";
import { nextOf } from "../../../ts/page/next.ts";

/** A Saturday, at 14:07. */
const now = new Date(2026, 10, 28, 14, 7);

test.each([
  ["At 15:28: Lamp off.", { days: 0, time: "15:28" }],
  ["At 06:30: Lamp on.", { days: 1, time: "06:30" }],
  ["At 14:07: Lamp on.", { days: 1, time: "14:07" }],
  ["At 23:00, 06:30, 18:00: Lamp on.", { days: 0, time: "18:00" }],
  ["At 22:30 on Mon, Tue: Porch reset.", { days: 2, time: "22:30" }],
  ["At 12:00 on Sat: Porch reset.", { days: 7, time: "12:00" }],
  ["At 12:00 on odd days if Motion is on: Porch on.", { days: 1, time: "12:00" }],
  ["At 30 min before sunset (today 16:12): Lamp on.", { days: 0, time: "16:12" }],
  ["At sunset (today 16:42), 22:00 on even days: Lamp on.", { days: 0, time: "16:42" }],
  // Only the device knows.
  ["At 22:30 on every 3 days: Porch reset.", undefined],
  ["At dawn (not today): Lamp on.", undefined],
  ["At Knob from: Lamp on.", undefined],
  ["When Motion is on: Lamp on.", undefined],
  ["Every 10 min: Lamp on.", undefined],
] as const)("%s", (sentence, next) => {
  expect(nextOf(sentence, now)).toEqual(next);
});
