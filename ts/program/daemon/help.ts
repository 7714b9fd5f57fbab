/** The help of the stock program. */

const text = `Usage: nound --config FILE [OPTION]...
       nound --simulate [OPTION]...
       nound --find [button | modbus DEVICE [BAUD] [PARITY]]

Serves nouns to HTTP clients. A noun has a state: GET reads it, PUT sets it,
POST updates it, DELETE resets it.

  -c, --config FILE     serve the nouns of this JSON configuration
      --simulate        simulate the hardware; without --config, serve a few
                        demonstration nouns on 127.0.0.1:8080
      --listen ADDRESS  listen here instead of where the configuration says:
                        127.0.0.1:8080, [::1]:8080 or unix:/run/nound.sock;
                        may be given more than once; ,mode=0660,group=www-data
                        after a Unix socket's path decides who may connect
      --user NAME       if root starts nound, become this user after the start
      --group NAME      use this group instead of the user's own
      --find            print a configuration with this device's sensors, LEDs
                        and keys, and on standard error a table of its GPIO
                        lines, buses and missing permissions, and exit
      --find button     wait until you press a button, and print its noun
      --find modbus DEVICE [BAUD] [PARITY]
                        ask the Modbus units 1 to 247 on a serial line, and
                        print those that answer: --find modbus /dev/ttyS1
      --check           check the configuration, print a summary, and exit
      --avahi           print a service file for Avahi to announce the server
                        (nothing if it listens on this device only), and exit
      --certificate     print the fingerprints of the certificate for https,
                        and exit
      --evidence        print what the configuration opens, who may do what,
                        and what is stored and sent, and exit; --evidence json
                        prints the same as JSON
      --forget          delete all that a stopped nound has stored, and what its
                        broker retains, and exit; --forget all also deletes
                        the files of tokens, passwords and keys
      --reload PID      reload the nound with this process ID, wait until it
                        serves again, and exit; it must be the only option
      --new-token NAME  make a bearer token, print it and its line for the
                        token file, and exit
      --debug           log connections, requests and errors to standard error,
                        as NOUND_DEBUG=1 in the environment does
      --bom             print the bill of materials in CycloneDX, and exit
      --version         print the version and exit
  -h, --help            print this help and exit

Examples:
  nound --simulate
  nound --config /etc/nound/nound.json --listen 0.0.0.0:80

The smallest configuration; docs/configuration.md describes all keys:
  { "nouns": { "led": { "kind": "switch", "key": "led" } } }
`;

/** @returns what `--help` prints. */
export function helpText(): string {
  return text;
}
