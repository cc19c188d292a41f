/** What one tool found. */
export interface Result {
  readonly tool: string;
  /** How many operations of the contract it saw. */
  readonly operations: number;
  /** Each as the tool names it; none is what is hoped for. */
  readonly violations: readonly string[];
}
