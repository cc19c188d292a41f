// For `reuse`, the row of a channel stores its first two participants ever, and whether it never had another participant or a manager.

/** The columns of the pair, and their values in a new channel. `joined` is an array of the keys of its participants, in SQL. */
export const pairColumns = "first_participant_pk, second_participant_pk, is_pair_only";
export const pairOf = (joined: string): string =>
  `(${joined})[1], (${joined})[2], cardinality(${joined}) <= 2`;

/** Assignments to the channel `c` when users join who are no participants, and when a manager is added. */
export function addToPair(joined: string): string {
  const [first, second] = ["c.first_participant_pk", "c.second_participant_pk"];
  const ever = `(array_remove(ARRAY[${first}, ${second}], NULL)
      || array_remove(array_remove(${joined}, ${first}), ${second}))`;
  return `(${pairColumns}) = ROW(${ever}[1], ${ever}[2], c.is_pair_only AND cardinality(${ever}) <= 2)`;
}
export const endPair = "is_pair_only = false";

/** Whether a channel never had participants but these two, in this order, nor a manager. */
export const isPairOf = (first: string, second: string): string =>
  `is_pair_only AND first_participant_pk = ${first} AND second_participant_pk = ${second}`;
