/** What of kept-states.mjs the tests use. */
export class KeptStates {
  constructor(onPort: (port: number) => void);
  keep(address: string): Promise<void>;
}
