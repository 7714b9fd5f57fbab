/** Calls to the C modules of hardware and storage, by the program of `hardware-application.ts`. */
import { NoundProcess } from "./nound-process.ts";

/** What a call gave: see `hardware-application.ts`. */
export type CallResult = { readonly returned: unknown } | { readonly opened: number } | { readonly thrown: string };

/**
 * Makes the calls one after the other in one process. @returns what each gave. @throws Error when the process fails.
 */
export async function callHardware(...calls: readonly (readonly unknown[])[]): Promise<CallResult[]> {
  const process = new NoundProcess(
    calls.map((call) => JSON.stringify(call)),
    "",
    { program: "nound-hardware" },
  );
  try {
    const { status, stdout, stderr } = await process.ending();
    if (status !== 0 || stderr !== "") {
      throw new Error(`The program ended with status ${status} and said: ${stderr}`);
    }
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as CallResult);
  } finally {
    process.kill();
  }
}
