/** What one tool found. */
export interface Result {
  readonly tool: string;
  /** How many operations of the contract it covered. */
  readonly operations: number;
  /** Each as the tool reports it. */
  readonly violations: readonly string[];
}
