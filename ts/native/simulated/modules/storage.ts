/** Replaces `nound:storage` on Node. */
import type { Storage } from "../../storage.ts";
import { functionsOf, world } from "../world.ts";

export const { openStore } = functionsOf<Storage>(() => world().storage);
