/** A cover in the binary, on simulated lines. */
import { expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { Service } from "../harness/reloaded-service.ts";

const slow = 600_000;
const nouns = {
  blind: {
    kind: "cover",
    open: { line: "GPIO17" },
    close: { line: "GPIO18" },
    boot: "default",
    openTime: slow,
    closeTime: slow,
    stopAt: { open: { top: { pressed: 1 } }, close: { bottom: { pressed: 1 } } },
  },
  top: { kind: "gpio-input", line: "GPIO22", key: "pressed", edges: "both" },
  bottom: { kind: "gpio-input", line: "GPIO23", key: "pressed", edges: "both" },
};

test("an end switch stops a cover at its end, and the position is known", async () => {
  const service = await Service.start(nouns, { args: ["--simulate"] });
  const blind = () => service.ask("GET", "/blind");
  await service.ask("PUT", "/blind", { moving: "opening" });
  await eventually("it moves", async () => ((await blind()) as { moving: string }).moving === "opening");
  await service.ask("PUT", "/simulated.top", { pressed: 1 });
  expect(await blind()).toEqual({ position: 100, moving: "stopped" });
  // It may leave that end, and not run on at the other one.
  expect(await service.ask("PUT", "/blind", { position: 0 })).toEqual({ position: 100, moving: "stopped" });
  await service.ask("PUT", "/simulated.bottom", { pressed: 1 });
  expect(await blind()).toEqual({ position: 0, moving: "stopped" });
});

test("a reload keeps the position of a cover, and ends its move", async () => {
  const service = await Service.start(nouns, { args: ["--simulate"] });
  await service.ask("PUT", "/simulated.top", { pressed: 1 });
  await service.ask("PUT", "/simulated.top", { pressed: 0 });
  expect(await service.ask("GET", "/blind")).toEqual({ position: 100, moving: "stopped" });
  service.configure({ ...nouns, blind: { ...nouns.blind, title: "Blind" } });
  await service.reload();
  expect(await service.ask("GET", "/blind")).toEqual({ position: 100, moving: "stopped" });
});
