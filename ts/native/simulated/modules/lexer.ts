/** Stands for `nound:lexer` on Node. */
import type { Lexer } from "../../lexer.ts";
import { simulatedLexer } from "../lexer.ts";

export const tokens: Lexer["tokens"] = simulatedLexer.tokens;
export const follow: Lexer["follow"] = simulatedLexer.follow;
export const rewrite: Lexer["rewrite"] = simulatedLexer.rewrite;
