import { expect, test } from "vitest";
import { nearestLine } from "../../../ts/hardware/open/nearest-line.ts";

const names = ["", "GPIO17", "GPIO27", "GPIO4", "P9_12 [gpio1_28]", "TWIN_A", "TWIN-A", "STATUS_LED"];

test.each([
  ["gpio17", "GPIO17"],
  ["GPIO_17", "GPIO17"],
  ["P9_12", "P9_12 [gpio1_28]"],
  ["27", "GPIO27"],
  ["STATUSLED", "STATUS_LED"],
  ["STATUS_LEF", "STATUS_LED"],
  ["twin a", undefined],
  ["PUMP", undefined],
])("for %j the line %j is meant", (name, meant) => {
  expect(nearestLine(name, names)).toBe(meant);
});
