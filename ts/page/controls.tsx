/**
 * The controls of keys. Each shows the value of the key. What a person enters stays until the device has reported the
 * new value.
 */
import { Component } from "./dom/component.ts";
import { unitText, withUnit } from "./format.ts";
import { labelOf, say, unknown } from "./say.ts";
import type { Scalar } from "./scalar.ts";
import { isPair, type Key } from "./thing.ts";

/** The properties of every control. */
export interface ControlProps {
  readonly of: Key;
  /** Undefined if it is unknown. */
  readonly value: Scalar | undefined;
  /** The value that the device has refused last; undefined for none. */
  readonly refused: Scalar | undefined;
  /** The id of the element whose text is the control's name. */
  readonly labelledBy: string;
  /** The id of the element that says why the last change failed; undefined if none failed. */
  readonly describedBy: string | undefined;
  readonly onSet: (value: Scalar) => void;
  /** Reports an input that cannot be sent. */
  readonly onWrong: (sentence: string) => void;
  /** Ends what is said of a refused value. */
  readonly onForget: () => void;
}

function common({ labelledBy, describedBy }: ControlProps) {
  return {
    "aria-labelledby": labelledBy,
    "aria-describedby": describedBy,
    "aria-invalid": describedBy === undefined ? undefined : true,
  };
}

/** `checked` shows the value, also to screen readers. */
const switchType = { type: "checkbox", role: "switch" } as const;

/** The control of two values. */
export class Switch extends Component<ControlProps & { readonly isWhole?: boolean }> {
  /** Whether a pointer pressed it to switch it on. An event may redraw it before the click. */
  private aim: boolean | undefined;

  render(props: ControlProps & { readonly isWhole?: boolean }) {
    const { of, value, onSet, isWhole } = props;
    return (
      <input
        {...common(props)}
        {...switchType}
        class={isWhole ? "hit" : "switch"}
        checked={value === of.values[1]}
        indeterminate={value === undefined}
        onPointerdown={({ currentTarget }) => {
          this.aim = !currentTarget.checked;
        }}
        onClick={({ currentTarget, detail }) => {
          // Clicks of the keyboard and of a screen reader have no number.
          if (detail > 0) currentTarget.checked = this.aim ?? currentTarget.checked;
          this.aim = undefined;
          onSet(of.values[currentTarget.checked ? 1 : 0] ?? null);
        }}
      />
    );
  }
}

/** The control of a choice of two: both words side by side. */
function Pair({ of, value, labelledBy, describedBy, onSet }: ControlProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand beside a title
    <div class="pair" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {of.values.map((one, index) => (
        <button key={index} type="button" dir="auto" aria-pressed={one === value} onClick={() => onSet(one)}>
          {labelOf(of, one) ?? String(one)}
        </button>
      ))}
    </div>
  );
}

/** The control of a few values. They are distinguished by their positions, because 1 and "1" are the same text. */
function Select(props: ControlProps) {
  const { of, value, onSet } = props;
  const place = value === undefined ? -1 : of.values.indexOf(value);
  return (
    <select
      {...common(props)}
      value={String(place)}
      onChange={({ currentTarget }) => onSet(of.values[Number(currentTarget.value)] ?? null)}
    >
      {place < 0 && <option value="-1">{unknown}</option>}
      {of.values.map((one, index) => (
        <option key={index} value={String(index)}>
          {labelOf(of, one) ?? String(one ?? unknown)}
        </option>
      ))}
    </select>
  );
}

interface FieldState {
  /** The text that was entered and has not been sent; undefined for none. */
  readonly draft: string | undefined;
}

/**
 * Whether a field is switched off because the device is lost. Browsers report a change and a blur of a field that goes
 * off while a person types. Nobody has entered that, and it stays for later.
 */
function isOff(field: HTMLInputElement): boolean {
  return field.matches(":disabled");
}

/** A field that a person types into. */
abstract class Field extends Component<ControlProps, FieldState> {
  override state: FieldState = { draft: undefined };
  private isSent = false;
  /** Whether the draft cannot be sent. It stays, with the sentence beside it. */
  protected isWrong = false;

  protected readonly enter = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => {
    this.isSent = this.isWrong = false;
    this.setState({ draft: currentTarget.value });
  };

  protected readonly leave = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => {
    if (isOff(currentTarget)) return;
    if (!this.isSent && !this.isWrong) this.setState({ draft: undefined });
  };

  /** Escape gives the device's value back. */
  protected readonly press = ({ key }: { key: string }): void => {
    if (key !== "Escape") return;
    this.isWrong = false;
    this.setState({ draft: undefined });
    this.props.onForget();
  };

  /** Sends a value. The draft stays until the page draws that value, because a person may enter more before. */
  protected commit(value: Scalar): void {
    this.isSent = true;
    this.props.onSet(value);
  }

  override componentWillReceiveProps(): void {
    if (this.isSent) this.setState({ draft: undefined });
    this.isSent = false;
  }

  /** Browsers report a change also if a field is removed while a person types. Nobody has entered that. */
  override componentWillUnmount(): void {
    this.commit = () => {};
  }

  protected shown(): string {
    const { value, refused } = this.props;
    return this.state.draft ?? String(refused ?? value ?? "");
  }
}

class TextField extends Field {
  render(props: ControlProps) {
    return (
      <input
        {...common(props)}
        type="text"
        dir="auto"
        value={this.shown()}
        onInput={this.enter}
        onChange={({ currentTarget }) => {
          if (!isOff(currentTarget)) this.commit(currentTarget.value);
        }}
        onBlur={this.leave}
        onKeydown={this.press}
      />
    );
  }
}

/** A time of day. One of the sun is a text. */
class TimeField extends Field {
  render(props: ControlProps) {
    if (!/^\d\d:\d\d$/.test(String(props.value))) return <TextField {...props} />;
    return (
      <input
        {...common(props)}
        type="time"
        value={this.shown()}
        onInput={this.enter}
        onChange={({ currentTarget }) => {
          if (!isOff(currentTarget) && currentTarget.value !== "") this.commit(currentTarget.value);
        }}
        onBlur={this.leave}
        onKeydown={this.press}
      />
    );
  }
}

/** A range with more steps than this has a field for numbers instead of a slider. */
const mostSteps = 100_000;

/** ms between two changes that a slider sends while it moves. */
const slideTime = 200;

/** @returns a step that gives a slider some hundreds of positions: 1, 2 or 5 times a power of 10. */
function stepOf(range: number): number {
  const exact = range / 400;
  const power = 10 ** Math.floor(Math.log10(exact));
  return power * (exact / power > 5 ? 10 : exact / power > 2 ? 5 : exact / power > 1 ? 2 : 1);
}

class NumberField extends Field {
  /** The position that the slider has, and the timer that sends it. */
  private position = 0;
  private sending: ReturnType<typeof setTimeout> | undefined;

  render(props: ControlProps) {
    const { of } = props;
    const { minimum, maximum, isInteger } = of;
    const range = minimum !== undefined && maximum !== undefined ? maximum - minimum : 0;
    const isSlid = range > 0 && range <= mostSteps;
    const shown = this.shown();
    // Nobody reads millions of ns.
    const hint =
      of.unit === "ns" && typeof props.value === "number" && props.value >= 1_000 ? withUnit(props.value, "ns") : "";
    return (
      <>
        {isSlid && (
          <input
            {...common(props)}
            type="range"
            min={minimum}
            max={maximum}
            // Nobody wants a lamp at 30.2 %.
            step={isInteger || (of.unit === "%" && range >= 10) ? 1 : stepOf(range)}
            value={shown}
            onInput={this.slide}
            onChange={this.sendPosition}
          />
        )}
        <span class="number">
          <input
            {...common(props)}
            {...(isSlid ? { "aria-labelledby": undefined, "aria-label": say("asNumber", of.label) } : {})}
            type="number"
            step={isInteger ? 1 : "any"}
            value={shown}
            onInput={this.enter}
            onChange={this.commitNumber}
            onBlur={this.leave}
            onKeydown={this.press}
          />
          <span class="unit" dir="auto">
            {unitText(of.unit)}
            {hint !== "" && ` = ${hint}`}
          </span>
        </span>
      </>
    );
  }

  private readonly slide = (event: { currentTarget: HTMLInputElement }): void => {
    this.enter(event);
    this.position = event.currentTarget.valueAsNumber;
    this.sending ??= setTimeout(this.sendPosition, slideTime);
  };

  /** Sends the position unless it has been sent. The browser reports no change if a slider ends where it began. */
  private readonly sendPosition = (): void => {
    if (this.sending === undefined) return;
    clearTimeout(this.sending);
    this.sending = undefined;
    this.commit(this.position);
  };

  private readonly commitNumber = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => {
    if (isOff(currentTarget)) return;
    const { of, onWrong } = this.props;
    const { valueAsNumber, validity } = currentTarget;
    if (!Number.isNaN(valueAsNumber)) this.commit(valueAsNumber);
    else if (of.nullable && !validity.badInput) this.commit(null);
    else {
      this.isWrong = true;
      onWrong(say("enterNumber"));
    }
  };
}

export function Control(props: ControlProps) {
  switch (props.of.kind) {
    case "switch":
      return <Switch {...props} />;
    case "choice":
      return isPair(props.of) ? <Pair {...props} /> : <Select {...props} />;
    case "time":
      return <TimeField {...props} />;
    case "number":
      return <NumberField {...props} />;
    case "text":
      return <TextField {...props} />;
  }
}
