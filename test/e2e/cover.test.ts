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
  expect(await blind()).toEqual({ position: 100, moving: "stopped", failure: null });
  // It may leave that end, and not run on at the other one.
  expect(await service.ask("PUT", "/blind", { position: 0 })).toEqual({
    position: 100,
    moving: "closing",
    failure: null,
  });
  await eventually("it moves", async () => ((await blind()) as { position: number }).position < 100);
  await service.ask("PUT", "/simulated.top", { pressed: 0 });
  await service.ask("PUT", "/simulated.bottom", { pressed: 1 });
  expect(await blind()).toEqual({ position: 0, moving: "stopped", failure: null });
});

test("a gate that is opened by hand is not closed any more", async () => {
  const service = await Service.start(nouns, { args: ["--simulate"] });
  await service.ask("PUT", "/simulated.bottom", { pressed: 1 });
  expect(await service.ask("GET", "/blind")).toMatchObject({ position: 0, moving: "stopped" });
  await service.ask("PUT", "/simulated.bottom", { pressed: 0 });
  expect(await service.ask("GET", "/blind")).toMatchObject({ position: null, moving: "stopped" });
});

test("a reload keeps the position of a cover, and ends its move", async () => {
  const service = await Service.start(nouns, { args: ["--simulate"] });
  const state = { position: 100, moving: "stopped", failure: null };
  await service.ask("PUT", "/simulated.top", { pressed: 1 });
  expect(await service.ask("GET", "/blind")).toEqual(state);
  service.configure({ ...nouns, blind: { ...nouns.blind, title: "Blind" } });
  await service.reload();
  expect(await service.ask("GET", "/blind")).toEqual(state);
});

test("a cover whose end switch does not report in time says so in its state and in the log", async () => {
  const blind = { ...nouns.blind, openTime: 100, closeTime: 100, pause: 100 };
  const service = await Service.start({ ...nouns, blind }, { args: ["--simulate"] });
  await service.ask("PUT", "/blind", { position: 0 });
  const failure = "It did not reach its end switch in time.";
  await eventually("it gives up", async () => {
    const state = (await service.ask("GET", "/blind")) as { failure: string | null };
    return state.failure === failure;
  });
  expect(await service.ask("GET", "/blind")).toEqual({ position: null, moving: "stopped", failure });
  expect(service.process.printed).toContain(`blind: ${failure}`);
});

test("while its guard does not hold, a cover takes back the state that it gives, and moves nowhere", async () => {
  const { stopAt: _, ...blind } = nouns.blind;
  const hold = { kind: "switch", key: "on" };
  const service = await Service.start(
    { hold, blind: { ...blind, pause: 100, guard: { hold: { on: 0 } } } },
    {
      args: ["--simulate"],
    },
  );
  type Moving = { readonly position: number | null; readonly moving: string };
  const state = async () => (await service.ask("GET", "/blind")) as Moving;
  await service.ask("PUT", "/blind", { moving: "opening" });
  await eventually("it moves", async () => (await state()).moving === "opening");
  await service.ask("PUT", "/hold", { on: 1 });
  const stopped = await state();
  expect(stopped).toMatchObject({ moving: "stopped" });
  expect(await service.ask("PUT", "/blind", stopped)).toEqual(stopped);
  for (const other of [{ position: 40 }, { moving: "closing" }]) {
    expect(await service.ask("PUT", "/blind", other)).toMatchObject({ status: 409 });
  }
  expect(await state()).toEqual(stopped);
});
