export function leanBytecode(bytes: Buffer): Buffer;
