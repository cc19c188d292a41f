import { initContract } from "@ts-rest/core";
import * as z from "zod";

export const c = initContract();

/** For an operation without query parameters or without body fields: whatever is sent is unknown, and refused. */
export const nothing = z.strictObject({});
