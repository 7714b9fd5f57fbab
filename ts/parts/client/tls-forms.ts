/** The forms of the parts of TLS's settings. */
export const tlsForms = {
  hostPattern: /^(?:[0-9A-Fa-f:.]+|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?)$/,
  protocolPattern: /^[!-+\--~]{1,32}$/,
  hashPattern: /^[0-9a-fA-F]{64}$/,
  mostProtocols: 3,
  mostKeys: 8,
  longestPath: 255,
};
