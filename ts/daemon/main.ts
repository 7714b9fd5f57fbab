/** The entry of the stock program: hands the C modules to the daemon. */
import * as gpio from "nound:gpio";
import * as guard from "nound:guard";
import * as hash from "nound:hash";
import * as loop from "nound:loop";
import * as memory from "nound:memory";
import * as net from "nound:net";
import * as privileges from "nound:privileges";
import * as script from "nound:script";
import * as storage from "nound:storage";
import * as sysfs from "nound:sysfs";
import * as system from "nound:system";
import { runDaemon } from "./daemon.ts";

const hardware = { gpio, sysfs, storage };
runDaemon({ net, hash, loop, guard, memory, system, script, privileges, hardware });
