/** Stands for `nound:lexer` on Node. */
import type { Lexer } from "../../lexer.ts";
import { simulatedLexer } from "../lexer.ts";

export const tokens: Lexer["tokens"] = simulatedLexer.tokens;
export const follow: Lexer["follow"] = simulatedLexer.follow;
/** Looked up at each call, so that a test can count the calls. */
export const rewrite: Lexer["rewrite"] = (...walk) => simulatedLexer.rewrite(...walk);
