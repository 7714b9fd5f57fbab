/** Replaces `nound:storage` on Node. */
import type { Storage } from "../../storage.ts";
import { world } from "../world.ts";

export const openStore: Storage["openStore"] = (path) => world().storage.openStore(path);
