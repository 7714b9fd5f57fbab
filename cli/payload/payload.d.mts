export function makePayload(
  form: "bytecode" | "text",
  modules: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Buffer;
