import { describe, expect, it } from "vitest";
import type { When } from "../../../ts/core/noun/condition.ts";
import { endSwitches } from "../../../ts/core/noun/noun-traits.ts";
import { guardMistakes } from "../../../ts/parts/guards/mistakes.ts";
import { guardsKey } from "../../../ts/parts/guards/part.ts";
import { GuardedDevice, settle } from "./device.ts";

/** A gate with one end switch, and what it was told. */
function gateWith(when: When) {
  const device = new GuardedDevice({ top: undefined });
  const told: boolean[] = [];
  const gate = device.register("gate");
  device.server.unregister("gate");
  const reach = (isThere: boolean) => void told.push(isThere);
  device.server.register("gate", Object.assign(gate, { [endSwitches]: [{ option: ["stopAt"], when, reach }] }));
  device.server.parts.find(guardsKey)?.start();
  return { device, told };
}

describe("an end switch", () => {
  it("is told in the turn in which its noun changes", async () => {
    const { device, told } = gateWith({ Top: { on: 1 } });
    await settle();
    device.of("top").become(1);
    await settle();
    device.of("top").become(0);
    await settle();
    expect(told).toEqual([true, false]);
  });

  it("is not reached while its noun cannot be read", async () => {
    const { device, told } = gateWith({ top: { on: 1 } });
    device.of("top").become(1);
    await device.pass();
    device.of("top").isUnreadable = true;
    device.of("top").tell();
    await settle();
    expect(told).toEqual([true, false]);
  });

  it("is followed no more once its noun is removed", async () => {
    const { device, told } = gateWith({ top: { on: 1 } });
    await settle();
    device.server.unregister("gate");
    device.of("top").become(1);
    await settle();
    expect(told).toEqual([]);
  });

  it("has a mistake if no noun has its name", () => {
    const { device } = gateWith({ tip: { on: 1 } });
    const sentence = 'expected the name of a noun, found "tip"; did you mean "top"?';
    expect(guardMistakes(device.server.nouns)).toEqual([{ noun: "gate", keys: ["stopAt", "tip"], sentence }]);
  });
});
