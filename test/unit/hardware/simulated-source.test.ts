import { expect, test } from "vitest";
import { checkState } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { simulatedSource } from "../../../ts/hardware/open/simulated-source.ts";

function make(first: number) {
  const hardware = { value: first };
  const write = (value: number) => {
    hardware.value = value;
  };
  return { hardware, noun: simulatedSource({ key: "raw", maximum: 4_095, read: () => hardware.value, write }) };
}

test("sets, toggles and returns the value it found", () => {
  const { noun, hardware } = make(2_048);
  expect(noun.setState({ raw: 7 })).toEqual({ raw: 7 });
  expect(hardware.value).toBe(7);
  expect(noun.updateState({})).toEqual({ raw: 0 });
  expect(noun.updateState({})).toEqual({ raw: 4_095 });
  expect(noun.deleteState()).toEqual({ raw: 2_048 });
  expect(noun.getState()).toEqual({ raw: 2_048 });
});

test("its shape takes what the hardware can have", () => {
  const { shape = {} } = make(0).noun;
  expect(() => checkState(shape, { raw: 4_095 })).not.toThrow();
  for (const raw of [-1, 4_096, 0.5, "1", null]) expect(() => checkState(shape, { raw })).toThrow(StateError);
});
