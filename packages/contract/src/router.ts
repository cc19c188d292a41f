import { initContract } from "@ts-rest/core";
import * as z from "zod";

export const c: ReturnType<typeof initContract> = initContract();

/** For an operation without query parameters or body fields: every field is unknown and rejected. */
export const nothing = z.strictObject({});
