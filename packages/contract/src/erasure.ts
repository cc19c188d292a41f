import * as z from "zod";
import { erasure as erasureExample } from "./example-data";
import { timestamp } from "./fields";

/** What happens to the messages of an erased user. */
export const erasedMessages = z.enum(["erase", "keep"]);

export const erasure = z
  .object({
    erasure_id: z
      .string()
      .meta({ description: "The id, assigned by the service.", examples: [erasureExample.erasure_id] }),
    user_id: z.string().meta({ description: "The id whose users are erased.", examples: ["kim_01"] }),
    messages: erasedMessages.meta({
      description:
        "`erase`: the messages of the users are erased. `keep`: they stay, with the sender `deleted`.",
    }),
    status: z.enum(["running", "done"]).meta({
      description:
        "`done`: the name and the erased texts are in no row of the database, except in channels that are held. When a hold ends, it is `running` again.",
    }),
    erased: z
      .object({
        messages: z.int().meta({ description: "How many messages were erased so far." }),
        memberships: z.int().meta({ description: "How many memberships and manager roles were ended." }),
        channels: z.int().meta({ description: "In how many channels something was erased so far." }),
        held: z.int().meta({
          description:
            "How many messages are left because their channels are held. They are erased when the holds end.",
        }),
      })
      .meta({ id: "ErasedCounts", description: "What was erased so far." }),
    created_at: timestamp,
    completed_at: timestamp.optional().meta({
      description: "When the erasure was done. Absent while it is running.",
      examples: [erasureExample.completed_at],
    }),
  })
  .meta({ id: "Erasure", description: "The erasure of every user that ever had an id." });
