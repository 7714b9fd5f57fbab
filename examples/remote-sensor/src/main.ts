/** Shows the temperature that another device measures, and asks it again every ten seconds. */
import { serve } from "nound";
import { name, version } from "../package.json";
import { remoteSensor } from "./remote-sensor.ts";

/** The other device: a name works, too. The program can ask no other. */
const cellar = "127.0.0.1:8081";

serve({
  name,
  version,
  listen: "127.0.0.1:8080",
  nouns: () => ({ cellar: remoteSensor({ url: `http://${cellar}/cellar`, interval: 10_000 }) }),
  reach: { connect: [cellar] },
});
