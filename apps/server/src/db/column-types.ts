import pg from "pg";

/** Parses column values as `pg` does, except that 64-bit integers become numbers. */
export const columnTypes = new pg.TypeOverrides();

// Times and counts stay far below 2^53.
columnTypes.setTypeParser(pg.types.builtins.INT8, Number);
