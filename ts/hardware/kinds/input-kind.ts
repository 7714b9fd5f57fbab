/** The kind `input`: a key, a switch or an axis of the kernel's input layer. */

import { didYouMean } from "../../core/noun/nearest-word.ts";
import { nounKind, type RefuseOption } from "../../settings/noun-kind.ts";
import { optional, type RecordOf, withDefault } from "../../settings/record.ts";
import { choice, found, nonEmptyText } from "../../settings/setting.ts";
import { inputNounKeptAs } from "../nouns/input-noun.ts";
import { codeNamed, inputCodes } from "../open/input-codes.ts";
import { checkInputDevice } from "../open/inputs.ts";
import { keepsTotal, meterOptions, verifyMeter } from "./meter-options.ts";
import { pressesOf, pressKeysOf, pressOptions, verifyPresses } from "./press-options.ts";

const inputOptions = () => ({
  device: optional(nonEmptyText),
  channel: nonEmptyText(),
  from: withDefault(() => choice("evdev", "hotplug"), "evdev"),
  key: optional(nonEmptyText),
  ...pressOptions(),
  ...meterOptions(),
});

type Refuse = RefuseOption<ReturnType<typeof inputOptions>>;
type Coded = Pick<RecordOf<ReturnType<typeof inputOptions>>, "channel" | "presses" | "pairs">;

function verifyCode({ channel: code, presses, pairs }: Coded, refuse: Refuse): void {
  const known = codeNamed(code);
  if (known === undefined) {
    if (code.startsWith("ABS_")) {
      const remedy = "relative_axis=1 of its overlay, or rotary-encoder,relative-axis in the device tree";
      refuse(
        ["channel"],
        `expected a code such as "REL_X", found "${code}": a rotary encoder turns without an end by ${remedy}`,
      );
      return;
    }
    const codes = Array.from(inputCodes(), ({ name }) => name);
    const suggestion = didYouMean(code, codes);
    refuse(["channel"], `expected a code of the kernel, such as "KEY_POWER", found ${found(code)}${suggestion}`);
  } else if (presses !== false && code.startsWith("REL_")) {
    refuse(["presses"], `expected false for an axis, which has a position, found ${JSON.stringify(presses)}`);
  } else if (pairs && code.startsWith("REL_")) {
    refuse(["pairs"], "expected false for an axis, which nobody presses, found true");
  }
}

/** @returns the options as an application gives them. */
function coded<O extends { readonly channel: string }>({ channel, ...options }: O) {
  return { ...options, code: channel };
}

export const inputKind = () =>
  nounKind({
    options: inputOptions(),
    verify(options, refuse) {
      const { device, channel: code, from } = options;
      if (from === "evdev" && device === undefined) {
        refuse(["device"], 'expected the name of the input device, such as "gpio-keys", found nothing');
      } else if (from === "hotplug" && device !== undefined) {
        refuse(["device"], 'expected nothing together with "from": "hotplug", which knows no devices');
      }
      if (from === "evdev") verifyCode(options, refuse);
      verifyPresses(options, refuse);
      const { key = "pressed" } = options;
      const missing = "expected nothing together with an axis, which has a position";
      verifyMeter(options, [key, ...pressKeysOf(options)], code.startsWith("REL_") ? missing : undefined, refuse);
    },
    // Of hotplug events the kernel tells nothing before the first one.
    folders: ({ from }) => (from === "evdev" ? ["/dev/input"] : []),
    attempt: (options) => checkInputDevice(coded(options)),
    keeps: keepsTotal,
    build: (options, context, kept) =>
      inputNounKeptAs(context, { ...coded(options), ...pressesOf(options), simulatedAs: context.name, ...kept }),
  });
