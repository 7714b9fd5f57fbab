/** The entry of the stock program: hands the C modules to the daemon. */
import * as loop from "nound:loop";
import * as net from "nound:net";
import * as system from "nound:system";
import { runDaemon } from "./daemon.ts";
import { noHardware } from "./hardware.ts";

runDaemon({ net, loop, system, hardware: noHardware });
