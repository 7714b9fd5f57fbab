/** The controls of a light whose red, green and blue are keys of one noun or of three. */
import type { Colour } from "./arrange.ts";
import { Control } from "./controls.tsx";
import { headOf } from "./form.ts";
import { brightnessOf, levelsOf, setBrightness, setLevels, setPower } from "./light.ts";
import { say, switchText } from "./say.ts";
import { type Key, keysOf } from "./thing.ts";

/** In the order of their names. */
const swatches = ["#ffa757", "#ffffff", "#ff0000", "#00ff00", "#0000ff"];

/** Sends the colour of a text such as `#ff8000`. */
function send(channels: Colour, text: string): void {
  setLevels(
    channels,
    [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)),
  );
}

interface ColourProps {
  readonly channels: Colour;
  readonly labelledBy: string;
}

function ColourRow({ channels, labelledBy }: ColourProps) {
  const text = `#${levelsOf(channels)
    .map((level) => Math.round(level).toString(16).padStart(2, "0"))
    .join("")}`;
  return (
    <div class="row colours">
      <span class="unseen">{say("colour")}</span>
      <input
        type="color"
        aria-labelledby={labelledBy}
        value={text}
        onChange={({ currentTarget: { value } }) => send(channels, value)}
      />
      {swatches.map((swatch, index) => (
        <button
          key={swatch}
          type="button"
          class="square swatch"
          style={{ backgroundColor: swatch }}
          aria-label={say("swatches").split("|")[index]}
          aria-pressed={swatch === text}
          onClick={() => send(channels, swatch)}
        />
      ))}
    </div>
  );
}

/** What a control of a light has that no key stands for. */
function controlOf(channels: Colour, name: string, value: number, labelledBy: string) {
  const [of] = keysOf({ [name]: value }, channels[0].view.noun);
  const rest = { refused: undefined, describedBy: undefined, onWrong: () => {}, onForget: () => {} };
  return of && { ...rest, of, value, labelledBy };
}

/** The switch of a light that has channels alone. */
function LightSwitch({ channels, labelledBy, isOnTile }: ColourProps & { readonly isOnTile: boolean }) {
  const control = controlOf(channels, "on", Math.ceil(Math.max(...levelsOf(channels)) / 255), labelledBy);
  if (control === undefined) return null;
  const of = { ...control.of, kind: "switch", values: [0, 1] } as const;
  return (
    <div class={isOnTile ? "row head" : "row"}>
      <span class="word" aria-hidden={true}>
        {switchText({ ...of, readOnly: false }, control.value)}
      </span>
      <Control {...control} of={of} onSet={(value) => setPower(channels, value === 1)} />
    </div>
  );
}

/** The brightness of a light that has channels alone. */
function Brightness({ channels, labelledBy }: ColourProps) {
  const control = controlOf(channels, "brightness", brightnessOf(channels), `${labelledBy} ${labelledBy}-light`);
  if (control === undefined) return null;
  const of = { ...control.of, isInteger: true, minimum: 0, maximum: 100, unit: "%" };
  return (
    <div class="row of-number slid">
      <span class="label" id={`${labelledBy}-light`}>
        {of.label}
      </span>
      <Control {...control} of={of} onSet={(value) => setBrightness(channels, Number(value))} />
    </div>
  );
}

interface LightProps extends ColourProps {
  /** Its other keys. */
  readonly others: readonly Key[];
  readonly isOnTile: boolean;
}

/** What a person does with a light, as far as no key of its own is there for that. */
export function LightControls({ channels, others, labelledBy, isOnTile }: LightProps) {
  const isDimmed = others.some(({ readOnly, kind }) => !readOnly && kind === "number");
  return (
    <>
      {headOf(others, true) === undefined && (
        <LightSwitch channels={channels} labelledBy={labelledBy} isOnTile={isOnTile} />
      )}
      <ColourRow channels={channels} labelledBy={labelledBy} />
      {!isDimmed && <Brightness channels={channels} labelledBy={labelledBy} />}
    </>
  );
}
