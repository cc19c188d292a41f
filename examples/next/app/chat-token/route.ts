import { connect } from "../../server/chat";
import { readSession } from "../../server/session";

/** A token for the page of the person who is signed in. */
export async function POST(): Promise<Response> {
  const userId = await readSession();
  if (userId === undefined) return new Response(null, { status: 401 });
  return Response.json(await connect().users.createToken(userId));
}
