/** Configurations that would open a listener to the network without a token, though `access.required` is true. */

const nouns = { led: { kind: "switch", key: "led" } };
const stateDirectory = "/var/lib/nound";
const modbusServer = (listen: string | readonly string[], more: object = {}) => ({
  modbusServer: { listen, registers: { coil: { 0: "led.led" } }, ...more },
});
const open = (address: string) => `the network reaches ${address} without a token: name a token file as "tokens"`;
const masters = (address: string) => `the network reaches ${address}, but Modbus has no tokens: listen on 127.0.0.1`;

/** A configuration that is tried. */
export interface Tried {
  readonly configuration: object;
  /** The addresses of the command line. */
  readonly args?: readonly string[];
  /** The text of the token file. */
  readonly file?: string;
}

const required = { required: true };

/**
 * @param tokens the path of the token file.
 * @returns thirty of them, each with what it is and the sentences that refuse it.
 */
export function openListeners(tokens: string): readonly (readonly [string, Tried, readonly string[]])[] {
  const withTokens = { required: true, tokens };
  const noToken = `${tokens}: it has no token`;
  const line = `panel GET * ${"0".repeat(64)}\n`;
  return [
    ...["0.0.0.0:8080", "[::]:8080", "192.0.2.7:8080", "10.0.0.1:80", "169.254.1.1:80", "[2001:db8::7]:8080"].map(
      (listen) => [listen, { configuration: { nouns, access: required, listen } }, [open(listen)]] as const,
    ),
    ...[
      "[fe80::1]:8080",
      "[::ffff:10.0.0.1]:8080",
      "[::2]:8080",
      "126.255.255.255:80",
      "128.0.0.1:80",
      "0.0.0.0:0",
    ].map((listen) => [listen, { configuration: { nouns, access: required, listen } }, [open(listen)]] as const),
    ...["https://0.0.0.0:8443", "https://[::]:8443", "https://192.0.2.7:443"].map(
      (listen) =>
        [listen, { configuration: { nouns, access: required, listen, stateDirectory } }, [open(listen)]] as const,
    ),
    [
      "https with a certificate of its own",
      {
        configuration: {
          nouns,
          access: required,
          listen: "https://0.0.0.0:8443",
          https: { certificate: "/etc/nound/chain.pem", key: "/etc/nound/key.pem" },
        },
      },
      [open("https://0.0.0.0:8443")],
    ],
    [
      "one of two addresses",
      {
        configuration: { nouns, access: required, listen: ["127.0.0.1:8080", "192.0.2.7:8080"] },
      },
      [open("192.0.2.7:8080")],
    ],
    [
      "two addresses",
      {
        configuration: { nouns, access: required, listen: ["0.0.0.0:8080", "[::]:8081"] },
      },
      [open("0.0.0.0:8080"), open("[::]:8081")],
    ],
    [
      "an address beside a Unix socket",
      {
        configuration: { nouns, access: required, listen: ["unix:/run/nound.sock", "10.0.0.1:80"] },
      },
      [open("10.0.0.1:80")],
    ],
    [
      "allowed hosts instead of tokens",
      {
        configuration: { nouns, access: { ...required, hosts: ["hall.example"] }, listen: "0.0.0.0:80" },
      },
      [open("0.0.0.0:80")],
    ],
    [
      "allowed origins instead of tokens",
      {
        configuration: { nouns, access: { ...required, origins: ["https://panel.example"] }, listen: "0.0.0.0:80" },
      },
      [open("0.0.0.0:80")],
    ],
    [
      "an address of the command line",
      {
        configuration: { nouns, access: required },
        args: ["0.0.0.0:8080"],
      },
      [open("0.0.0.0:8080")],
    ],
    [
      "two addresses of the command line",
      {
        configuration: { nouns, access: required },
        args: ["127.0.0.1:8080", "https://0.0.0.0:8443"],
      },
      [open("https://0.0.0.0:8443")],
    ],
    [
      "an empty token file",
      {
        configuration: { nouns, access: withTokens, listen: "0.0.0.0:80" },
        file: "",
      },
      [noToken],
    ],
    [
      "a token file of comments",
      {
        configuration: { nouns, access: withTokens, listen: "0.0.0.0:80" },
        file: "# panel\n\n   \n",
      },
      [noToken],
    ],
    [
      "a token file with a mistake",
      {
        configuration: { nouns, access: withTokens, listen: "0.0.0.0:80" },
        file: "panel GET *\n",
      },
      ["expected a name, verbs, nouns and a hash"],
    ],
    ["a token file that is missing", { configuration: { nouns, access: withTokens, listen: "0.0.0.0:80" } }, [tokens]],
    [
      "masters of Modbus",
      {
        configuration: { nouns, access: required, ...modbusServer("0.0.0.0:502") },
      },
      [masters("0.0.0.0:502")],
    ],
    [
      "masters of Modbus that may only read, from one network",
      {
        configuration: {
          nouns,
          access: required,
          ...modbusServer("192.0.2.7:502", { may: "GET *", from: "192.0.2.0/24" }),
        },
      },
      [masters("192.0.2.7:502")],
    ],
    [
      "masters of Modbus beside tokens",
      {
        configuration: { nouns, access: withTokens, listen: "0.0.0.0:80", ...modbusServer("[::]:502") },
        file: line,
      },
      [masters("[::]:502")],
    ],
    [
      "one of two addresses for masters",
      {
        configuration: { nouns, access: required, ...modbusServer(["127.0.0.1:502", "10.0.0.1:502"]) },
      },
      [masters("10.0.0.1:502")],
    ],
    [
      "both",
      {
        configuration: { nouns, access: required, listen: "0.0.0.0:80", ...modbusServer("0.0.0.0:502") },
      },
      [open("0.0.0.0:80"), masters("0.0.0.0:502")],
    ],
  ];
}
