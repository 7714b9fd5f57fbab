/** The option `boot` of a noun whose state survives the process. */
import { withDefault } from "../../settings/record.ts";
import { choice } from "../../settings/setting.ts";

/** What a state is at the start: the default, or what it was. */
export const bootOption = () => withDefault(() => choice("default", "restore"), "default");

/** @returns the option by which a state survives the process. */
export const keeps = ({ boot }: { readonly boot: string }) => (boot === "restore" ? "boot" : undefined);
