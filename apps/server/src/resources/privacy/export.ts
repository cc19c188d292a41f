import { limits } from "@madang/contract";
import type { Reader } from "../../db/db";
import { type Cursors, invalidCursor, rejectDifferentParameters } from "../../paging/cursor";
import { takePage } from "../../paging/page";
import { oldest, type Position } from "../../paging/position";
import { rejectUnknownUser } from "../users/store";
import { listMemberships, listPersonalMessages, listPersons, type MembershipPosition } from "./export-store";
import { presentPerson, presentPersonalMembership, presentPersonalMessage } from "./present";

/** Where the next page begins: at a user, after a membership and after a message. Undefined: the list has ended. */
interface Place {
  readonly limit: number;
  readonly userPk?: number;
  readonly membership?: MembershipPosition;
  readonly message?: Position;
  readonly hasMemberships: boolean;
  readonly hasMessages: boolean;
}

interface Query {
  readonly limit?: number | undefined;
  readonly next?: string | undefined;
}

/** A page of what is stored about the users that ever had an id. The users come one after the other. */
export async function exportPerson(
  { db, cursors }: { readonly db: Parameters<typeof listPersons>[0] & Reader; readonly cursors: Cursors },
  userId: string,
  query: Query,
) {
  const scope = `privacy.export ${userId}`;
  const place = openPlace(cursors, scope, query);
  const { limit, userPk, membership, message = oldest, hasMemberships, hasMessages } = place;
  const persons = await listPersons(db, userId);
  const index = userPk === undefined ? 0 : persons.findIndex(({ pk }) => pk === userPk);
  const person = persons[index] ?? rejectUnknownUser(userId);
  const [memberships, messages] = await Promise.all([
    hasMemberships ? listMemberships(db, person.pk, membership, limit + 1) : [],
    hasMessages ? listPersonalMessages(db, person.pk, message, limit + 1) : [],
  ]);
  const membershipPage = takePage(memberships, limit);
  const messagePage = takePage(messages, limit);
  const following = persons[index + 1];
  const lastMembership = membershipPage.last;
  const lastMessage = messagePage.last;
  const continuation: Place | undefined =
    lastMembership !== undefined || lastMessage !== undefined
      ? {
          limit,
          userPk: person.pk,
          hasMemberships: lastMembership !== undefined,
          hasMessages: lastMessage !== undefined,
          ...(lastMembership && {
            membership: {
              joinedAt: lastMembership.joinedAt,
              channelPk: lastMembership.channelPk,
              role: lastMembership.role,
            },
          }),
          ...(lastMessage && { message: { createdAt: lastMessage.sentAt, pk: lastMessage.messagePk } }),
        }
      : following && { limit, userPk: following.pk, hasMemberships: true, hasMessages: true };
  return {
    user: presentPerson(person),
    memberships: membershipPage.items.map(presentPersonalMembership),
    messages: messagePage.items.map(presentPersonalMessage),
    ...(continuation && { next: cursors.sign(scope, continuation) }),
  };
}

function openPlace(cursors: Cursors, scope: string, { limit, next }: Query): Place {
  if (next === undefined)
    return { limit: limit ?? limits.personalPage.default, hasMemberships: true, hasMessages: true };
  const place = cursors.open(scope, next, "next");
  if (!isPlace(place)) throw invalidCursor();
  rejectDifferentParameters({ limit }, { limit: place.limit });
  return place;
}

/** The content was signed above, possibly in another version. */
function isPlace(content: unknown): content is Place {
  const { limit, userPk, hasMemberships, hasMessages } = Object(content) as Record<string, unknown>;
  return (
    typeof limit === "number" &&
    typeof userPk === "number" &&
    typeof hasMemberships === "boolean" &&
    typeof hasMessages === "boolean"
  );
}
