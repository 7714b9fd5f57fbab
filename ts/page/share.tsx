/** A number that is set in percent of another one: the duty of a PWM signal, of its period. */
import { Control, type ControlProps } from "./controls.tsx";
import type { Scalar } from "./scalar.ts";

interface ShareProps extends ControlProps {
  /** The value of the key whose share it is. */
  readonly whole: Scalar | undefined;
}

/** Shows a number as a share, to the tenth of a percent, and sends the number. */
export function Share({ whole, ...props }: ShareProps) {
  const { of, value, refused, onSet } = props;
  const largest = typeof whole === "number" && whole > 0 ? whole : undefined;
  const shareOf = (number: Scalar | undefined) =>
    typeof number === "number" && largest !== undefined ? Math.round((number / largest) * 1_000) / 10 : undefined;
  return (
    <Control
      {...props}
      of={{ ...of, minimum: 0, maximum: 100, isInteger: false, unit: "%" }}
      value={shareOf(value)}
      refused={shareOf(refused)}
      onSet={(share) => {
        if (typeof share === "number" && largest !== undefined) onSet(Math.round((share / 100) * largest));
      }}
    />
  );
}
