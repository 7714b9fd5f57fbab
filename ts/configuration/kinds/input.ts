/** The kind `input`: a key, a switch or an axis of the kernel's input layer. */

import { codeNamed, inputCodes } from "../../hardware/input-codes.ts";
import { checkInputDevice } from "../../hardware/inputs.ts";
import { nearestWord } from "../../noun/nearest-word.ts";
import { pressKeys } from "../../nouns/presses.ts";
import { inputNoun } from "../../nouns/ready-made-input.ts";
import { nounKind, type RefuseOption } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { boolean, choice, found, integer, nonEmptyText } from "../setting.ts";

const inputOptions = () => ({
  device: optional(nonEmptyText),
  code: nonEmptyText(),
  from: withDefault(() => choice("evdev", "hotplug"), "evdev"),
  key: optional(nonEmptyText),
  presses: withDefault(boolean, false),
  longPress: optional(() => integer({ minimum: 1, maximum: 60_000 })),
  doublePress: optional(() => integer({ minimum: 0, maximum: 60_000 })),
});

type Refuse = RefuseOption<ReturnType<typeof inputOptions>>;

function verifyCode(code: string, presses: boolean, refuse: Refuse): void {
  const known = codeNamed(code);
  if (known === undefined) {
    const nearest = nearestWord(
      code,
      Array.from(inputCodes(), ({ name }) => name),
    );
    const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
    refuse(["code"], `expected a code of the kernel, such as "KEY_POWER", found ${found(code)}${hint}`);
  } else if (presses && code.startsWith("REL_")) {
    refuse(["presses"], "expected false for an axis, which has a position, found true");
  }
}

export const inputKind = () =>
  nounKind({
    options: inputOptions(),
    verify({ device, code, from, key, presses, ...times }, refuse) {
      if (from === "evdev" && device === undefined) {
        refuse(["device"], 'expected the name of the input device, such as "gpio-keys", found nothing');
      } else if (from === "hotplug" && device !== undefined) {
        refuse(["device"], 'expected nothing together with "from": "hotplug", which knows no devices');
      }
      if (from === "evdev") verifyCode(code, presses, refuse);
      const time = (["longPress", "doublePress"] as const).find((name) => times[name] !== undefined);
      if (!presses && time !== undefined) {
        refuse([time], 'expected nothing without "presses": true, which counts presses');
      } else if (presses && key !== undefined && pressKeys.includes(key)) {
        refuse(["key"], `expected another key, because the counter of presses uses "${key}"`);
      }
    },
    // Of hotplug events the kernel tells nothing before the first one.
    folders: ({ from }) => (from === "evdev" ? ["/dev/input"] : []),
    attempt: (options) => checkInputDevice(options),
    build: (options, { name }) => inputNoun({ ...options, simulatedAs: name }),
  });
