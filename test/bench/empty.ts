/** The script of `nound-empty`, which has nothing to do: what the engine itself takes to start and to end. */
export {};
