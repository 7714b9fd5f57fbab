/** The help of the stock program. */
import { system } from "../application/platform.ts";

/** What `--help` prints. */
export const helpText = `Usage: nound --config FILE [OPTION]...
       nound --simulate [OPTION]...
       nound --run FILE [-- ARGUMENT...]

Serves nouns, things with a state, to HTTP clients: GET reads a noun's state,
PUT sets it, POST updates it, DELETE resets it.

  -c, --config FILE     serve the nouns of this JSON configuration
      --simulate        simulate the hardware; without --config, serve a few
                        demonstration nouns on 127.0.0.1:8080
      --listen ADDRESS  listen here instead of where the configuration says:
                        127.0.0.1:8080, [::1]:8080 or unix:/run/nound.sock;
                        may be given more than once; ,mode=0660,group=www-data
                        behind a Unix socket says who may connect
      --user NAME       started as root, become this user once all is open
      --group NAME      with this group in place of the user's own
      --run FILE        run a bundled application, an ES module, in place of
                        this program; what follows -- is its command line
      --check           check the configuration, say what it holds, and end
      --avahi           print the service file by which Avahi announces the
                        configuration's server, nothing if it is reached from
                        this device alone, and end
      --new-token NAME  make a bearer token, print it and its line for the
                        token file, and end
      --debug           log connections, requests and errors to standard error,
                        as the environment's NOUND_DEBUG=1 does
      --version         print the version and end
  -h, --help            print this help and end

Examples:
  nound --simulate
  nound --config /etc/nound.json --listen 0.0.0.0:80

The smallest configuration; docs/configuration.md describes the whole:
  { "nouns": { "led": { "kind": "switch", "key": "led" } } }
`;

/** Prints the help to standard output. */
export function printHelp(): void {
  system.printOutput(helpText);
}
