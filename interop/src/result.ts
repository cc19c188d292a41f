/** The result of one tool. */
export interface Result {
  readonly tool: string;
  /** Absent: the package of npm that this one depends on. */
  readonly version?: string;
  /** How many operations of the contract it covered, or how many deliveries or objects. */
  readonly operations: number;
  /** As reported by the tool. */
  readonly violations: readonly string[];
}
