# /// script
# requires-python = ">=3.11"
# dependencies = ["attrs", "httpx", "python-dateutil"]
# ///
"""What an app does with the client that openapi-python-client generates: it acts as one user, with a token.

Arguments: the folder of the generated client, the address of the service, and an API key.
"""

import sys

folder, url, api_key = sys.argv[1:]
sys.path.insert(0, folder)

from madang_client import AuthenticatedClient  # noqa: E402
from madang_client.api.channels import channels_create, channels_get  # noqa: E402
from madang_client.api.events import events_list  # noqa: E402
from madang_client.api.files import files_create  # noqa: E402
from madang_client.api.members import channels_members_list, channels_members_mark_read  # noqa: E402
from madang_client.api.messages import messages_delete, messages_list, messages_send, messages_update  # noqa: E402
from madang_client.api.reactions import messages_reactions_add  # noqa: E402
from madang_client.api.users import (  # noqa: E402
    users_channels,
    users_create,
    users_create_token,
    users_get,
    users_search_messages,
    users_unread,
)
from madang_client.models import Edit, NewChannel, NewFile, NewTextMessage, NewUser, ReadMark  # noqa: E402

KIM, PARK, ROOM = "python_kim", "python_park", "python_room"
called: set[str] = set()


def succeed(operation, *arguments, **options):
    """Calls an operation and returns what it responded with. Every other status than 2xx ends the tour."""
    response = operation.sync_detailed(*arguments, **options)
    if not response.status_code.is_success:
        raise SystemExit(f"{operation.__name__}: {response.status_code} {response.content!r}")
    called.add(operation.__name__)
    return response.parsed


def reject(code, operation, *arguments, **options):
    """Calls an operation that the service rejects, and compares the code of the generated error."""
    problem = operation.sync(*arguments, **options)
    if problem is None or str(problem.code) != code:
        raise SystemExit(f"{operation.__name__}: {problem!r} instead of {code}")


def expect(what, actual, expected):
    if actual != expected:
        raise SystemExit(f"{what}: {actual!r} instead of {expected!r}")


server = AuthenticatedClient(base_url=url, token=api_key)
for user_id, name in ((KIM, "김길동"), (PARK, "박영희")):
    succeed(users_create, client=server, body=NewUser(user_id=user_id, name=name))
succeed(channels_create, client=server, body=NewChannel(channel_id=ROOM, name="점심", members=[KIM, PARK]))
succeed(channels_create, client=server, body=NewChannel(channel_id="python_other", name="Others", members=[PARK]))
token = succeed(users_create_token, KIM, client=server).token

kim = AuthenticatedClient(base_url=url, token=token)
sent = succeed(messages_send, ROOM, client=kim, body=NewTextMessage(type_="text", content="메뉴는?"))
expect("the sender", (sent.user.user_id, sent.content), (KIM, "메뉴는?"))
edited = succeed(messages_update, ROOM, sent.message_id, client=kim, body=Edit(content="오늘 메뉴는?"))
expect("the edited text", edited.content, "오늘 메뉴는?")
succeed(messages_reactions_add, ROOM, sent.message_id, "👍", KIM, client=kim)
answer = succeed(
    messages_send, ROOM, client=server,
    body=NewTextMessage(type_="text", content="김치찌개", user_id=PARK, reply_to=sent.message_id, mentions=[KIM]),
)
listed = succeed(messages_list, ROOM, client=kim).messages
expect("the list", [message.message_id for message in listed], [answer.message_id, sent.message_id])
reactions = [(each.reaction, each.count, each.own) for each in listed[1].reactions]
expect("the reactions", reactions, [("👍", 1, True)])
expect("unread", succeed(users_unread, KIM, client=kim).unread_count, 1)
[entry] = succeed(users_channels, KIM, client=kim).channels
expect("the inbox", (entry.name, entry.mention_count, entry.last_message.content), ("점심", 1, "김치찌개"))
mark = ReadMark(message_id=answer.message_id)
expect("what is left", succeed(channels_members_mark_read, ROOM, KIM, client=kim, body=mark).unread_count, 0)
expect("members", [each.user_id for each in succeed(channels_members_list, ROOM, client=kim)], [KIM, PARK])
expect("the channel", succeed(channels_get, ROOM, client=kim).name, "점심")
expect("the user", succeed(users_get, KIM, client=kim).name, "김길동")
hits = succeed(users_search_messages, KIM, client=kim, q="김치찌개").messages
expect("the search", [hit.message_id for hit in hits], [answer.message_id])
file = NewFile(channel_id=ROOM, name="menu.png", type_="image/png", size=3)
expect("the upload", succeed(files_create, client=kim, body=file).upload.method, "PUT")
types = [str(event.type_) for event in succeed(events_list, client=kim, channel_id=ROOM).events]
expect("the events", "message.created" in types, True)
succeed(messages_delete, ROOM, sent.message_id, client=kim)

reject("channel_not_found", messages_list, "python_other", client=kim)
reject("channel_not_found", messages_list, "python_none", client=kim)
reject("not_permitted", messages_send, ROOM, client=kim, body=NewTextMessage(type_="text", content="a", user_id=PARK))
reject("not_permitted", messages_update, ROOM, answer.message_id, client=kim, body=Edit(content="mine"))
forged = AuthenticatedClient(base_url=url, token=token[:-4] + "AAAA")
reject("unauthenticated", users_get, KIM, client=forged)
print(len(called))
