export function isBigEndian(program: Uint8Array): boolean;
export function putPayload(program: Uint8Array, payload: Uint8Array): Buffer;
