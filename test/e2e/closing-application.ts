/** An application that runs from a file: a noun that never returns from its closing, and one behind it. */
import { printOutput } from "nound:system";
import { args, limitProcess, type Noun, Server, type State } from "nound";

function closedBy(close: () => void): Noun {
  return {
    getState: () => ({}),
    setState: (state: State) => state,
    updateState: (change: State) => change,
    deleteState: () => ({}),
    close,
  };
}

limitProcess({ nounBusyTime: 100 });
const server = new Server();
server.register(
  "endless",
  closedBy(() => {
    for (;;);
  }),
);
server.register(
  "second",
  closedBy(() => printOutput("closed")),
);
server.listen(args[0] ?? "127.0.0.1:8080");
