-- The whole schema: what schema.prisma says, and checks, partial indexes, statistics and first rows, which it cannot say.

-- Messages, members and reactions have their order from one sequence.
CREATE SEQUENCE "messages_pk_seq";

CREATE TABLE "users" (
  "pk"                BIGSERIAL NOT NULL,
  "user_id"           TEXT NOT NULL,
  "name"              TEXT NOT NULL,
  "profile_url"       TEXT,
  "meta"              JSONB NOT NULL DEFAULT '{}',
  "created_at"        BIGINT NOT NULL,
  "updated_at"        BIGINT NOT NULL,
  "deleted_at"        BIGINT,
  -- Whether the user is deleted and may still have rows of memberships or manager roles, which are ignored.
  "needs_sweep"       BOOLEAN NOT NULL DEFAULT false,
  -- Until when the user may not send, join and react. 0: without end.
  "suspended_until"   BIGINT,
  "suspension_reason" TEXT,
  CONSTRAINT "users_pkey" PRIMARY KEY (pk),
  CONSTRAINT "users_meta_pairs" CHECK (jsonb_typeof(meta) = 'object' AND jsonb_array_length(jsonb_path_query_array(meta, '$.keyvalue()')) <= 10),
  CONSTRAINT "users_name_length" CHECK (char_length(name) BETWEEN 1 AND 80),
  CONSTRAINT "users_profile_url_length" CHECK (char_length(profile_url) BETWEEN 1 AND 2048),
  CONSTRAINT "users_user_id_form" CHECK (char_length(user_id) BETWEEN 4 AND 80 AND user_id ~ '^[a-z0-9_]+$' OR user_id = '~deleted')
);
CREATE INDEX "users_deleted_by_user_id" ON "users" (user_id) WHERE deleted_at IS NOT NULL;
CREATE INDEX "users_live_by_creation" ON "users" (created_at, pk) WHERE deleted_at IS NULL;
CREATE INDEX "users_live_by_name_prefix" ON "users" (name COLLATE "C", created_at, pk) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX "users_live_user_id_key" ON "users" (user_id) WHERE deleted_at IS NULL;
CREATE INDEX "users_to_sweep" ON "users" (deleted_at) WHERE needs_sweep;

CREATE TABLE "channels" (
  "pk"                    BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  "channel_id"            TEXT NOT NULL,
  "name"                  TEXT NOT NULL,
  "profile_url"           TEXT,
  "meta"                  JSONB NOT NULL DEFAULT '{}',
  "is_frozen"             BOOLEAN NOT NULL DEFAULT false,
  "total_message_count"   BIGINT NOT NULL DEFAULT 0,
  "total_file_count"      BIGINT NOT NULL DEFAULT 0,
  "member_count"          INTEGER NOT NULL DEFAULT 0,
  "manager_count"         INTEGER NOT NULL DEFAULT 0,
  -- The first two participants ever, and whether the channel never had other participants or a manager.
  "first_participant_pk"  BIGINT,
  "second_participant_pk" BIGINT,
  "is_pair_only"          BOOLEAN NOT NULL DEFAULT true,
  "created_at"            BIGINT NOT NULL,
  "updated_at"            BIGINT NOT NULL,
  "deleted_at"            BIGINT,
  -- The time of the newest message. Null if there is none, or if it was deleted: then the messages have to be searched.
  "last_message_at"       BIGINT,
  -- The latest time that a message or a participant got. No later one gets an earlier time, whatever the clocks show.
  "latest_at"             BIGINT NOT NULL DEFAULT 0,
  -- Raised by whatever can make a message not allowed: a mute, ban, leave, freeze or a deleted message.
  "moderation_revision"   BIGINT NOT NULL DEFAULT 0,
  -- How many days messages are kept. Null: as the setting of the server says.
  "retention_days"        INTEGER,
  -- Whether nothing is deleted by age or by the erasure of a person.
  "is_held"               BOOLEAN NOT NULL DEFAULT false,
  -- How long a participant waits between two messages, and since when. Null: not at all.
  "slow_mode_seconds"     INTEGER,
  "slow_mode_since"       BIGINT,
  CONSTRAINT "channels_pkey" PRIMARY KEY (pk),
  CONSTRAINT "channels_channel_id_form" CHECK (char_length(channel_id) BETWEEN 4 AND 80 AND channel_id ~ '^[a-z0-9_]+$'),
  CONSTRAINT "channels_counts" CHECK (total_file_count BETWEEN 0 AND total_message_count),
  CONSTRAINT "channels_manager_limit" CHECK (manager_count BETWEEN 0 AND 10),
  CONSTRAINT "channels_member_limit" CHECK (member_count BETWEEN 0 AND 100),
  CONSTRAINT "channels_meta_pairs" CHECK (jsonb_typeof(meta) = 'object' AND jsonb_array_length(jsonb_path_query_array(meta, '$.keyvalue()')) <= 10),
  CONSTRAINT "channels_name_length" CHECK (char_length(name) BETWEEN 1 AND 150),
  CONSTRAINT "channels_pair" CHECK (first_participant_pk <> second_participant_pk AND NOT (first_participant_pk IS NULL AND second_participant_pk IS NOT NULL)),
  CONSTRAINT "channels_profile_url_length" CHECK (char_length(profile_url) BETWEEN 1 AND 2048)
);
CREATE INDEX "channels_live_by_creation" ON "channels" (created_at, pk) WHERE deleted_at IS NULL;
CREATE INDEX "channels_live_by_name" ON "channels" (name COLLATE "C", created_at, pk) WHERE deleted_at IS NULL;
CREATE INDEX "channels_live_by_pair" ON "channels" (first_participant_pk, second_participant_pk) WHERE (deleted_at IS NULL) AND is_pair_only;
CREATE UNIQUE INDEX "channels_live_channel_id_key" ON "channels" (channel_id) WHERE deleted_at IS NULL;
CREATE INDEX "channels_to_sweep" ON "channels" (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX "channels_with_retention" ON "channels" (pk) WHERE (retention_days IS NOT NULL) AND (deleted_at IS NULL);

-- The participants. `position` breaks ties of `joinedAt`; it is drawn from the sequence of the messages.
CREATE TABLE "members" (
  "channel_pk"      BIGINT NOT NULL,
  "user_pk"         BIGINT NOT NULL,
  "joined_at"       BIGINT NOT NULL,
  "position"        BIGINT NOT NULL DEFAULT nextval('messages_pk_seq'::regclass),
  -- The newest message that the user has marked as read; null while there is none.
  "read_created_at" BIGINT,
  "read_pk"         BIGINT,
  -- What is pushed to the user: mentions or none. Null: everything.
  "notify"          TEXT,
  -- Until when nothing is pushed or counted.
  "quiet_until"     BIGINT,
  "is_archived"     BOOLEAN NOT NULL DEFAULT false,
  -- The end of the channel when the user hid it. It is hidden while no message comes after.
  "hidden_at"       BIGINT,
  "hidden_pk"       BIGINT,
  "pinned_at"       BIGINT,
  CONSTRAINT "members_pkey" PRIMARY KEY (channel_pk, user_pk),
  CONSTRAINT "members_read_mark" CHECK ((read_created_at IS NULL) = (read_pk IS NULL)),
  CONSTRAINT "members_notify" CHECK (notify IN ('mentions', 'none')),
  CONSTRAINT "members_place" CHECK ((hidden_at IS NULL) = (hidden_pk IS NULL)
    AND is_archived::integer + (hidden_at IS NOT NULL)::integer + (pinned_at IS NOT NULL)::integer <= 1)
);
CREATE INDEX "members_by_user" ON "members" (user_pk, is_archived, joined_at);
CREATE INDEX "members_hidden" ON "members" (user_pk) WHERE hidden_at IS NOT NULL;
CREATE INDEX "members_pinned" ON "members" (user_pk) WHERE pinned_at IS NOT NULL;
-- A row of a channel and a user is looked up by the primary key. The default estimate is the average number of rows of a user. Where that is
-- about one, PostgreSQL would also look up by the user alone, and read all rows of a user who has thousands.
ALTER TABLE "members" ALTER COLUMN "user_pk" SET (n_distinct = -0.1);

CREATE TABLE "managers" (
  "channel_pk" BIGINT NOT NULL,
  "user_pk"    BIGINT NOT NULL,
  "joined_at"  BIGINT NOT NULL,
  "position"   BIGSERIAL NOT NULL,
  CONSTRAINT "managers_pkey" PRIMARY KEY (channel_pk, user_pk)
);
CREATE INDEX "managers_by_user" ON "managers" (user_pk);
ALTER TABLE "managers" ALTER COLUMN "user_pk" SET (n_distinct = -0.1);

-- A user who may not send in a channel, also after leaving it. `until` is 0 when the mute has no end.
CREATE TABLE "mutes" (
  "channel_pk" BIGINT NOT NULL,
  "user_pk"    BIGINT NOT NULL,
  "until"      BIGINT NOT NULL,
  CONSTRAINT "mutes_pkey" PRIMARY KEY (channel_pk, user_pk)
);
CREATE INDEX "mutes_by_user" ON "mutes" (user_pk);
ALTER TABLE "mutes" ALTER COLUMN "user_pk" SET (n_distinct = -0.1);

-- When users sent the latest message of theirs to a channel in slow mode, also if it was deleted or they have left since.
CREATE TABLE "slow_mode_sends" (
  "channel_pk" BIGINT NOT NULL,
  "user_pk"    BIGINT NOT NULL,
  "sent_at"    BIGINT NOT NULL,
  CONSTRAINT "slow_mode_sends_pkey" PRIMARY KEY (channel_pk, user_pk)
);
CREATE INDEX "slow_mode_sends_by_time" ON "slow_mode_sends" (sent_at);

-- A user who may not be a participant or manager of a channel. `until` is 0 when the ban has no end.
CREATE TABLE "bans" (
  "channel_pk" BIGINT NOT NULL,
  "user_pk"    BIGINT NOT NULL,
  "until"      BIGINT NOT NULL,
  "reason"     TEXT,
  "created_at" BIGINT NOT NULL,
  -- Whether the users of the channel knew the user. Only then they see the ban.
  "was_known"  BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "bans_pkey" PRIMARY KEY (channel_pk, user_pk),
  CONSTRAINT "bans_reason_length" CHECK (char_length(reason) BETWEEN 1 AND 500)
);
CREATE INDEX "bans_by_creation" ON "bans" (channel_pk, created_at, user_pk);
CREATE INDEX "bans_by_user" ON "bans" (user_pk);
ALTER TABLE "bans" ALTER COLUMN "user_pk" SET (n_distinct = -0.1);

-- A user whom another user has blocked.
CREATE TABLE "blocks" (
  "user_pk"    BIGINT NOT NULL,
  "blocked_pk" BIGINT NOT NULL,
  "created_at" BIGINT NOT NULL,
  CONSTRAINT "blocks_pkey" PRIMARY KEY (user_pk, blocked_pk),
  CONSTRAINT "blocks_of_another" CHECK (user_pk <> blocked_pk)
);
CREATE INDEX "blocks_by_blocked" ON "blocks" (blocked_pk);
CREATE INDEX "blocks_by_creation" ON "blocks" (user_pk, created_at, blocked_pk);

-- What moderators should look at. The ids of users are removed with the users, the report with its channel.
CREATE TABLE "reports" (
  "pk"                BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  "report_id"         TEXT NOT NULL,
  "channel_pk"        BIGINT NOT NULL,
  "channel_id"        TEXT NOT NULL,
  "message_id"        TEXT,
  "reported_pk"       BIGINT,
  "reported_user_id"  TEXT,
  "reporter_pk"       BIGINT,
  "reporter_user_id"  TEXT,
  "reason"            TEXT NOT NULL,
  "status"            TEXT NOT NULL DEFAULT 'open',
  "resolution"        TEXT,
  "created_at"        BIGINT NOT NULL,
  "updated_at"        BIGINT NOT NULL,
  -- The sender of the message, also after it was deleted: the reason may quote it.
  "message_sender_pk" BIGINT,
  -- What the reported message was, as the API shows it. Null without a message, and when the copy has gone.
  "evidence"          JSONB,
  CONSTRAINT "reports_pkey" PRIMARY KEY (pk),
  CONSTRAINT "reports_reason_length" CHECK (char_length(reason) BETWEEN 1 AND 500),
  CONSTRAINT "reports_resolution_length" CHECK (char_length(resolution) BETWEEN 1 AND 500),
  CONSTRAINT "reports_status" CHECK (status IN ('open', 'resolved'))
);
CREATE INDEX "reports_by_channel" ON "reports" (channel_pk);
CREATE INDEX "reports_by_creation" ON "reports" (created_at, pk);
CREATE INDEX "reports_by_message_sender" ON "reports" (message_sender_pk) WHERE message_sender_pk IS NOT NULL;
CREATE INDEX "reports_by_reported" ON "reports" (reported_pk) WHERE reported_pk IS NOT NULL;
CREATE INDEX "reports_by_reporter" ON "reports" (reporter_pk) WHERE reporter_pk IS NOT NULL;
CREATE INDEX "reports_by_status" ON "reports" (status, created_at, pk);
CREATE UNIQUE INDEX "reports_report_id_key" ON "reports" (report_id);
CREATE INDEX "reports_with_evidence" ON "reports" (updated_at) WHERE (evidence IS NOT NULL) AND (status = 'resolved');

-- The erasure of every user that ever had an id, done by a background job in small steps.
CREATE TABLE "erasures" (
  "pk"                 BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  "erasure_id"         TEXT NOT NULL,
  "user_id"            TEXT NOT NULL,
  "messages"           TEXT NOT NULL,
  "status"             TEXT NOT NULL DEFAULT 'running',
  "erased_messages"    BIGINT NOT NULL DEFAULT 0,
  "erased_memberships" BIGINT NOT NULL DEFAULT 0,
  "erased_channels"    BIGINT NOT NULL DEFAULT 0,
  "created_at"         BIGINT NOT NULL,
  "completed_at"       BIGINT,
  -- The messages that the last round left because their channels are held. Null if it left nothing there.
  "held_messages"      BIGINT,
  CONSTRAINT "erasures_pkey" PRIMARY KEY (pk),
  CONSTRAINT "erasures_messages" CHECK (messages IN ('erase', 'keep')),
  CONSTRAINT "erasures_status" CHECK (status IN ('running', 'done'))
);
CREATE INDEX "erasures_by_creation" ON "erasures" (created_at, pk);
CREATE INDEX "erasures_by_user" ON "erasures" (user_id);
CREATE UNIQUE INDEX "erasures_erasure_id_key" ON "erasures" (erasure_id);
CREATE INDEX "erasures_running" ON "erasures" (pk) WHERE status = 'running';

-- A user whose erasure has begun, with the id that its row loses.
CREATE TABLE "erased_users" (
  "user_pk"    BIGINT NOT NULL,
  "user_id"    TEXT NOT NULL,
  -- The first erasure that includes the user.
  "erasure_pk" BIGINT NOT NULL,
  CONSTRAINT "erased_users_pkey" PRIMARY KEY (user_pk)
);
CREATE INDEX "erased_users_by_user_id" ON "erased_users" (user_id);

-- A channel in which an erasure has erased something, so that it counts once. Kept until the erasure is done.
CREATE TABLE "erasure_channels" (
  "erasure_pk" BIGINT NOT NULL,
  "channel_pk" BIGINT NOT NULL,
  CONSTRAINT "erasure_channels_pkey" PRIMARY KEY (erasure_pk, channel_pk)
);

-- The key starts with the channel, so that a channel's history is one range of the index and can be sharded by
-- channel.
CREATE TABLE "messages" (
  "channel_pk"          BIGINT NOT NULL,
  "created_at"          BIGINT NOT NULL,
  "pk"                  BIGINT NOT NULL DEFAULT nextval('messages_pk_seq'::regclass),
  -- Null in a system message.
  "sender_pk"           BIGINT,
  "type"                TEXT NOT NULL,
  "content"             TEXT,
  "file"                JSONB,
  "meta"                JSONB NOT NULL DEFAULT '{}',
  "updated_at"          BIGINT NOT NULL,
  -- The id that the application gave it.
  "external_id"         TEXT,
  -- When the content last changed.
  "edited_at"           BIGINT,
  -- The position of the message that it replies to, which may be deleted.
  "reply_to_created_at" BIGINT,
  "reply_to_pk"         BIGINT,
  -- How many replies to it exist. Written while the channel is locked.
  "reply_count"         INTEGER NOT NULL DEFAULT 0,
  -- The ids of the users that it mentions; null if there are none.
  "mentions"            JSONB,
  -- The different reactions in the order of first use, each with its count, as pairs. Null if there are none.
  "reactions"           JSONB,
  "pinned_at"           BIGINT,
  -- JSON as text; null if there are none.
  "parts"               TEXT,
  -- `streaming`: its text is in the chunks, and `content` is empty. `cancelled`, `interrupted`: how that ended.
  "state"               TEXT,
  -- Of the request that ended it, to recognize a repeated one.
  "finish_digest"       BYTEA,
  -- What it shows of its files; null if there are none.
  "attachments"         JSONB,
  CONSTRAINT "messages_pkey" PRIMARY KEY (channel_pk, created_at, pk),
  CONSTRAINT "messages_content_length" CHECK (char_length(content) <= 65536),
  CONSTRAINT "messages_external_id_length" CHECK (char_length(external_id) BETWEEN 1 AND 100),
  CONSTRAINT "messages_form" CHECK (type = 'text' AND sender_pk IS NOT NULL AND content IS NOT NULL AND file IS NULL
    OR type = 'file' AND sender_pk IS NOT NULL AND content IS NULL AND file IS NOT NULL
    OR type = 'system' AND sender_pk IS NULL AND content IS NOT NULL AND file IS NULL),
  CONSTRAINT "messages_meta_pairs" CHECK (jsonb_typeof(meta) = 'object' AND jsonb_array_length(jsonb_path_query_array(meta, '$.keyvalue()')) <= 10),
  CONSTRAINT "messages_parts" CHECK (parts IS NULL OR type <> 'file'),
  CONSTRAINT "messages_reply_to" CHECK ((reply_to_created_at IS NULL) = (reply_to_pk IS NULL) AND reply_count >= 0),
  CONSTRAINT "messages_state" CHECK (state IS NULL OR type <> 'file' AND (state IN ('streaming', 'cancelled', 'interrupted')))
);
CREATE INDEX "messages_by_pin" ON "messages" (channel_pk, pinned_at) WHERE pinned_at IS NOT NULL;
CREATE INDEX "messages_by_reply" ON "messages" (channel_pk, reply_to_created_at, reply_to_pk, created_at, pk) WHERE reply_to_pk IS NOT NULL;
CREATE INDEX "messages_by_sender" ON "messages" (sender_pk, created_at, pk);
CREATE INDEX "messages_by_time" ON "messages" (created_at, pk);
CREATE UNIQUE INDEX "messages_external_id_key" ON "messages" (channel_pk, external_id) WHERE external_id IS NOT NULL;

-- The text of a message that is being written: at first what it began with. An append extends the last chunk until it has 512
-- characters, then it makes another one. They become the content of the message at its end, and are removed.
CREATE TABLE "message_chunks" (
  "channel_pk"         BIGINT NOT NULL,
  "message_created_at" BIGINT NOT NULL,
  "message_pk"         BIGINT NOT NULL,
  -- How many appends come before it.
  "number"             INTEGER NOT NULL,
  "content"            TEXT NOT NULL,
  -- How many characters the text has with this chunk.
  "characters"         INTEGER NOT NULL,
  -- When the last append was stored.
  "created_at"         BIGINT NOT NULL DEFAULT (EXTRACT(epoch FROM clock_timestamp()) * 1000)::bigint,
  -- How many characters each of its appends has. They are the end of the content.
  "lengths"            SMALLINT[] NOT NULL DEFAULT '{}',
  -- When the next append would come from a writer at the highest rate.
  "due_at"             BIGINT NOT NULL DEFAULT 0,
  -- Of the first chunk. Null in others, and in system messages.
  "sender_pk"          BIGINT,
  CONSTRAINT "message_chunks_pkey" PRIMARY KEY (message_pk, number),
  CONSTRAINT "message_chunks_characters" CHECK (characters <= 65536)
) WITH (fillfactor=50);
CREATE INDEX "message_chunks_first" ON "message_chunks" (sender_pk) WHERE number = 0;

-- The reaction of a user to a message. `position` breaks ties of `createdAt`.
CREATE TABLE "reactions" (
  "channel_pk"         BIGINT NOT NULL,
  "message_created_at" BIGINT NOT NULL,
  "message_pk"         BIGINT NOT NULL,
  "reaction"           TEXT NOT NULL,
  "user_pk"            BIGINT NOT NULL,
  "created_at"         BIGINT NOT NULL,
  "position"           BIGINT NOT NULL DEFAULT nextval('messages_pk_seq'::regclass),
  CONSTRAINT "reactions_pkey" PRIMARY KEY (channel_pk, message_created_at, message_pk, reaction, user_pk),
  CONSTRAINT "reactions_reaction_length" CHECK (char_length(reaction) BETWEEN 1 AND 32)
);
CREATE INDEX "reactions_by_user_and_time" ON "reactions" (user_pk, created_at, "position");

-- A file, whose bytes are in the storage. `status`: `waiting` for its bytes, `ready`, or `deleted` until no upload can bring bytes back.
CREATE TABLE "files" (
  "pk"                 BIGSERIAL NOT NULL,
  "file_id"            TEXT NOT NULL,
  "channel_pk"         BIGINT NOT NULL,
  -- Who may send it, and the sender once it was sent. Null: any sender of the channel, or the system.
  "user_pk"            BIGINT,
  "name"               TEXT NOT NULL,
  "type"               TEXT NOT NULL,
  "size"               BIGINT NOT NULL,
  "status"             TEXT NOT NULL DEFAULT 'waiting',
  "created_at"         BIGINT NOT NULL,
  -- When it was sent. Without a message after that, its message was deleted.
  "attached_at"        BIGINT,
  "message_channel_pk" BIGINT,
  "message_created_at" BIGINT,
  "message_pk"         BIGINT,
  -- Whether the bytes of a deleted file were removed.
  "is_emptied"         BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "files_pkey" PRIMARY KEY (pk),
  CONSTRAINT "files_status" CHECK (status IN ('waiting', 'ready', 'deleted'))
);
CREATE INDEX "files_by_message" ON "files" (message_channel_pk, message_created_at, message_pk) WHERE message_pk IS NOT NULL;
CREATE INDEX "files_by_user" ON "files" (user_pk, created_at, pk) WHERE user_pk IS NOT NULL;
CREATE INDEX "files_deleted" ON "files" (created_at) WHERE status = 'deleted';
CREATE UNIQUE INDEX "files_file_id_key" ON "files" (file_id);
CREATE INDEX "files_unattached_by_channel" ON "files" (channel_pk) WHERE (message_pk IS NULL) AND (attached_at IS NULL) AND (status <> 'deleted');
CREATE INDEX "files_without_message" ON "files" (attached_at, created_at) WHERE (message_pk IS NULL) AND (status <> 'deleted');

-- The index of the search: consecutive messages of a channel, after the block before and up to the message of the key. The
-- background writes it. Without a signature, or with one of another version, the block is read directly.
CREATE TABLE "search_blocks" (
  "channel_pk"      BIGINT NOT NULL,
  "last_created_at" BIGINT NOT NULL,
  "last_pk"         BIGINT NOT NULL,
  "version"         INTEGER NOT NULL,
  "signature"       BYTEA,
  CONSTRAINT "search_blocks_pkey" PRIMARY KEY (channel_pk, last_created_at, last_pk)
) WITH (toast_tuple_target=8160);

-- A user that a message mentions. `isOwn`: the sender mentions itself, which is not counted.
CREATE TABLE "mentions" (
  "channel_pk"         BIGINT NOT NULL,
  "message_created_at" BIGINT NOT NULL,
  "message_pk"         BIGINT NOT NULL,
  "user_pk"            BIGINT NOT NULL,
  "is_own"             BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "mentions_pkey" PRIMARY KEY (channel_pk, message_created_at, message_pk, user_pk)
);
CREATE INDEX "mentions_by_user" ON "mentions" (user_pk, channel_pk, message_created_at, message_pk);

-- A change, written by its transaction. Keyed by channel first, as messages are; 0 stands for no channel.
CREATE TABLE "events" (
  "channel_pk"         BIGINT NOT NULL DEFAULT 0,
  "pk"                 BIGSERIAL NOT NULL,
  "transaction_id"     BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  "type"               TEXT NOT NULL,
  "channel_id"         TEXT,
  "user_pk"            BIGINT,
  "user_id"            TEXT,
  "message_created_at" BIGINT,
  "message_pk"         BIGINT,
  -- What else the event says, as its `data` shows it.
  "detail"             JSONB,
  "created_at"         BIGINT NOT NULL DEFAULT (EXTRACT(epoch FROM clock_timestamp()) * 1000)::bigint,
  CONSTRAINT "events_pkey" PRIMARY KEY (channel_pk, pk)
);
CREATE INDEX "events_by_transaction" ON "events" (transaction_id);
CREATE INDEX "events_of_changes" ON "events" (transaction_id) WHERE type IN ('message.updated', 'messages.imported');
CREATE INDEX "events_of_roles" ON "events" (user_pk, channel_pk, pk) WHERE type IN ('member.joined', 'member.left', 'manager.added', 'manager.removed');

-- Numbers the events of the transactions that committed between two snapshots.
CREATE TABLE "event_ranges" (
  "after_position"          BIGINT NOT NULL,
  "last_position"           BIGINT NOT NULL,
  "transaction_ids"         BIGINT[] NOT NULL,
  "next_transaction_id"     BIGINT NOT NULL,
  "running_transaction_ids" BIGINT[] NOT NULL,
  "nonce"                   BIGINT NOT NULL,
  "created_at"              BIGINT NOT NULL,
  CONSTRAINT "event_ranges_pkey" PRIMARY KEY (after_position)
);
CREATE INDEX "event_ranges_by_transaction" ON "event_ranges" (next_transaction_id);

-- How far a consumer has read the feed of events. Its name: "usage", "search", "push", or the id of a webhook. "search build …", with a
-- version of signatures: the channels up to this key are indexed.
CREATE TABLE "consumers" (
  "name"     TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  CONSTRAINT "consumers_pkey" PRIMARY KEY (name)
);

-- A sub key: its digest for lookups, its encrypted text for the list. It belongs to the first master key of the database.
CREATE TABLE "sub_keys" (
  "pk"           BIGSERIAL NOT NULL,
  "master_id"    BYTEA NOT NULL,
  "digest"       BYTEA NOT NULL,
  "sealed"       BYTEA NOT NULL,
  "created_at"   BIGINT NOT NULL,
  "label"        TEXT,
  "expires_at"   BIGINT,
  "last_used_at" BIGINT,
  -- Empty: a key without scopes.
  "scopes"       TEXT[] NOT NULL DEFAULT '{}',
  -- The user as whom the key acts. Null in a key of the application.
  "user_pk"      BIGINT,
  CONSTRAINT "sub_keys_pkey" PRIMARY KEY (pk)
);
CREATE INDEX "sub_keys_by_master" ON "sub_keys" (master_id);
CREATE UNIQUE INDEX "sub_keys_digest_key" ON "sub_keys" (digest);

-- Ends the tokens that were created for a user before: they were revoked, or the user was deleted. Tokens are not stored.
CREATE TABLE "token_revocations" (
  "pk"             BIGSERIAL NOT NULL,
  "user_pk"        BIGINT NOT NULL,
  "transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  "created_at"     BIGINT NOT NULL DEFAULT (EXTRACT(epoch FROM clock_timestamp()) * 1000)::bigint,
  CONSTRAINT "token_revocations_pkey" PRIMARY KEY (pk)
);
CREATE INDEX "token_revocations_by_time" ON "token_revocations" (created_at);
CREATE INDEX "token_revocations_by_transaction" ON "token_revocations" (transaction_id);
CREATE INDEX "token_revocations_by_user" ON "token_revocations" (user_pk, pk);

-- What texts of messages must not contain: words, or a pattern.
CREATE TABLE "filters" (
  "pk"          BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  "filter_id"   TEXT NOT NULL,
  "label"       TEXT NOT NULL,
  -- Empty in a filter with a pattern.
  "words"       TEXT[] NOT NULL DEFAULT '{}',
  "pattern"     TEXT,
  -- Empty: all channels.
  "channel_ids" TEXT[] NOT NULL DEFAULT '{}',
  "action"      TEXT NOT NULL,
  -- Raised with each change, so that processes read only what has changed.
  "revision"    BIGINT NOT NULL DEFAULT 0,
  "created_at"  BIGINT NOT NULL,
  "updated_at"  BIGINT NOT NULL,
  CONSTRAINT "filters_pkey" PRIMARY KEY (pk),
  CONSTRAINT "filters_action" CHECK (action IN ('reject', 'mask', 'report')),
  CONSTRAINT "filters_label_length" CHECK (char_length(label) BETWEEN 1 AND 80),
  CONSTRAINT "filters_words_or_pattern" CHECK ((words = '{}') <> (pattern IS NULL))
);
CREATE UNIQUE INDEX "filters_filter_id_key" ON "filters" (filter_id);

-- In how many texts a filter found something, by UTC days since the Unix epoch.
CREATE TABLE "filter_hits" (
  "filter_pk" BIGINT NOT NULL,
  "day"       INTEGER NOT NULL,
  "count"     BIGINT NOT NULL,
  CONSTRAINT "filter_hits_pkey" PRIMARY KEY (filter_pk, day)
);

-- A URL of the application that is called before messages are stored. Only the holder of the master key can open its sealed secrets.
CREATE TABLE "hooks" (
  "pk"                    BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  "hook_id"               TEXT NOT NULL,
  "master_id"             BYTEA NOT NULL,
  "url"                   TEXT NOT NULL,
  "operations"            TEXT[] NOT NULL,
  "callers"               TEXT NOT NULL,
  "timeout_ms"            INTEGER NOT NULL,
  "on_failure"            TEXT NOT NULL,
  "secret"                BYTEA NOT NULL,
  -- The secret before the last rotation, and until when it also signs.
  "previous_secret"       BYTEA,
  "previous_secret_until" BIGINT,
  -- The latest calls, newest first.
  "attempts"              JSONB NOT NULL DEFAULT '[]',
  -- Until when a process has paused it.
  "paused_until"          BIGINT,
  "created_at"            BIGINT NOT NULL,
  "updated_at"            BIGINT NOT NULL,
  CONSTRAINT "hooks_pkey" PRIMARY KEY (pk),
  CONSTRAINT "hooks_callers" CHECK (callers IN ('users', 'all')),
  CONSTRAINT "hooks_on_failure" CHECK (on_failure IN ('accept', 'reject')),
  CONSTRAINT "hooks_timeout" CHECK (timeout_ms BETWEEN 100 AND 5000),
  CONSTRAINT "hooks_url_length" CHECK (char_length(url) BETWEEN 1 AND 2048)
);
CREATE INDEX "hooks_by_master" ON "hooks" (master_id);
CREATE UNIQUE INDEX "hooks_hook_id_key" ON "hooks" (hook_id);

-- A URL that gets the events. Only the holder of the master key can open its sealed secrets.
CREATE TABLE "webhooks" (
  "pk"                    BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  "webhook_id"            TEXT NOT NULL,
  "master_id"             BYTEA NOT NULL,
  "url"                   TEXT NOT NULL,
  -- Empty: every type.
  "types"                 TEXT[] NOT NULL DEFAULT '{}',
  "description"           TEXT,
  "is_enabled"            BOOLEAN NOT NULL DEFAULT true,
  "secret"                BYTEA NOT NULL,
  -- The secret before the last rotation, and until when it also signs.
  "previous_secret"       BYTEA,
  "previous_secret_until" BIGINT,
  "created_at"            BIGINT NOT NULL,
  "updated_at"            BIGINT NOT NULL,
  -- The time of the first failure after the last success.
  "failing_since"         BIGINT,
  CONSTRAINT "webhooks_pkey" PRIMARY KEY (pk),
  CONSTRAINT "webhooks_description_length" CHECK (char_length(description) BETWEEN 1 AND 200),
  CONSTRAINT "webhooks_url_length" CHECK (char_length(url) BETWEEN 1 AND 2048)
);
CREATE INDEX "webhooks_by_master" ON "webhooks" (master_id);
CREATE UNIQUE INDEX "webhooks_webhook_id_key" ON "webhooks" (webhook_id);

-- What a webhook still has to get of a channel: its events after `donePk` up to `throughPk`. An event that belongs to
-- no channel has a queue of its own, with its key in `eventPk`.
CREATE TABLE "webhook_queues" (
  "webhook_pk" BIGINT NOT NULL,
  "channel_pk" BIGINT NOT NULL,
  "event_pk"   BIGINT NOT NULL,
  "done_pk"    BIGINT NOT NULL,
  "through_pk" BIGINT NOT NULL,
  -- The failed attempts to deliver the event after `donePk`.
  "attempt"    INTEGER NOT NULL DEFAULT 0,
  -- When the next attempt is due. While an attempt is under way: until when it may take.
  "due_at"     BIGINT NOT NULL,
  "is_claimed" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "webhook_queues_pkey" PRIMARY KEY (webhook_pk, channel_pk, event_pk)
);
CREATE INDEX "webhook_queues_by_due_time" ON "webhook_queues" (webhook_pk, due_at);

-- An attempt to deliver an event. `durationMs` is absent while a ping is under way.
CREATE TABLE "webhook_attempts" (
  "webhook_pk"  BIGINT NOT NULL,
  "created_at"  BIGINT NOT NULL,
  "pk"          BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  "event_id"    TEXT NOT NULL,
  "attempt"     INTEGER NOT NULL,
  "status"      INTEGER,
  "duration_ms" INTEGER,
  "error"       TEXT,
  -- The channel of the event, 0 for none. Absent for a ping, and for an attempt of an earlier version.
  "channel_pk"  BIGINT,
  CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY (webhook_pk, created_at, pk)
);
CREATE INDEX "webhook_attempts_by_age" ON "webhook_attempts" (created_at);

-- A device to which messages for a user are pushed.
CREATE TABLE "devices" (
  "pk"               BIGSERIAL NOT NULL,
  "user_pk"          BIGINT NOT NULL,
  "device_id"        TEXT NOT NULL,
  "provider"         TEXT NOT NULL,
  -- `fcm`, `apns`, `apns-development`, or the host of a service of Web Push.
  "service"          TEXT NOT NULL,
  -- Of the token or endpoint, which belongs to one device.
  "digest"           BYTEA NOT NULL,
  -- The token, or the endpoint and the keys of the subscription.
  "sealed"           BYTEA NOT NULL,
  "locale"           TEXT,
  "created_at"       BIGINT NOT NULL,
  "updated_at"       BIGINT NOT NULL,
  "last_push_at"     BIGINT,
  "last_push_status" INTEGER,
  "last_push_error"  TEXT,
  CONSTRAINT "devices_pkey" PRIMARY KEY (pk),
  CONSTRAINT "devices_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES "users" (pk) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX "devices_digest_key" ON "devices" (digest);
CREATE UNIQUE INDEX "devices_device_id_key" ON "devices" (user_pk, device_id);
CREATE INDEX "devices_by_service" ON "devices" (service);

-- A message that waits to be pushed to a device.
CREATE TABLE "push_entries" (
  "device_pk"          BIGINT NOT NULL,
  "channel_pk"         BIGINT NOT NULL,
  "message_created_at" BIGINT NOT NULL,
  "message_pk"         BIGINT NOT NULL,
  "channel_id"         TEXT NOT NULL,
  "user_pk"            BIGINT NOT NULL,
  "service"            TEXT NOT NULL,
  "created_at"         BIGINT NOT NULL,
  "attempt"            INTEGER NOT NULL DEFAULT 0,
  -- When the next attempt is due. While an attempt is under way: until when it may take.
  "due_at"             BIGINT NOT NULL,
  "is_claimed"         BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "push_entries_pkey" PRIMARY KEY (device_pk, channel_pk, message_created_at, message_pk),
  CONSTRAINT "push_entries_device_pk_fkey" FOREIGN KEY (device_pk) REFERENCES "devices" (pk) ON DELETE CASCADE
);
CREATE INDEX "push_entries_by_due_time" ON "push_entries" (service, due_at);

-- Since when every push to a service has failed. Null: the last one was accepted.
CREATE TABLE "push_services" (
  "service"       TEXT NOT NULL,
  "failing_since" BIGINT,
  "error"         TEXT,
  CONSTRAINT "push_services_pkey" PRIMARY KEY (service)
);

-- What was done on a day (UTC), counted from the events.
CREATE TABLE "usage_days" (
  "day"               DATE NOT NULL,
  "users_created"     BIGINT NOT NULL DEFAULT 0,
  "users_deleted"     BIGINT NOT NULL DEFAULT 0,
  "channels_created"  BIGINT NOT NULL DEFAULT 0,
  "messages_sent"     BIGINT NOT NULL DEFAULT 0,
  "messages_imported" BIGINT NOT NULL DEFAULT 0,
  "messages_deleted"  BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "usage_days_pkey" PRIMARY KEY (day)
);

-- Random values that all server processes share.
CREATE TABLE "secrets" (
  "name"  TEXT NOT NULL,
  "value" BYTEA NOT NULL,
  CONSTRAINT "secrets_pkey" PRIMARY KEY (name)
);

-- The rows that a keyed write returned, stored by the statement that made the change.
CREATE TABLE "idempotency_keys" (
  "caller"      TEXT NOT NULL,
  "key"         TEXT NOT NULL,
  "fingerprint" BYTEA NOT NULL,
  "created_at"  BIGINT NOT NULL,
  "result"      JSON NOT NULL,
  CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY (caller, key),
  CONSTRAINT "idempotency_keys_key_form" CHECK (char_length(key) <= 255 AND key ~ '^[\x21-\x7e]+$')
);
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" (created_at);

-- The number of requests of a credential in its current window, if there is a limit.
-- Unlogged: a crash empties it, and every window begins anew.
CREATE UNLOGGED TABLE "rate_limits" (
  "key"    VARCHAR(255) NOT NULL,
  "points" INTEGER NOT NULL DEFAULT 0,
  "expire" BIGINT,
  CONSTRAINT "rate_limits_pkey" PRIMARY KEY (key)
);

-- Until when the users of a process count as online, unless it renews this.
-- Unlogged, as the next table: a crash or a failover empties both, and each process enters itself and its users again.
CREATE UNLOGGED TABLE "presence_leases" (
  "process_id" TEXT NOT NULL,
  "expires_at" BIGINT NOT NULL,
  CONSTRAINT "presence_leases_pkey" PRIMARY KEY (process_id)
);

-- The users who have a stream or a waiting list of events open at a process, or had one ten seconds ago.
CREATE UNLOGGED TABLE "online_users" (
  "user_pk"    BIGINT NOT NULL,
  "process_id" TEXT NOT NULL,
  CONSTRAINT "online_users_pkey" PRIMARY KEY (user_pk, process_id)
);

-- When users were last online, to the minute, if MADANG_PRESENCE says so.
CREATE TABLE "last_seen_times" (
  "user_pk"      BIGINT NOT NULL,
  "last_seen_at" BIGINT NOT NULL,
  CONSTRAINT "last_seen_times_pkey" PRIMARY KEY (user_pk),
  CONSTRAINT "last_seen_times_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES "users" (pk) ON DELETE RESTRICT
);

-- A session of the console that was signed out before it expired. Its cookie is rejected.
CREATE TABLE "ended_sessions" (
  "id"         TEXT NOT NULL,
  "expires_at" BIGINT NOT NULL,
  CONSTRAINT "ended_sessions_pkey" PRIMARY KEY (id)
);

-- The database whose events may be delivered to webhooks.
CREATE TABLE "delivery_permits" (
  "database" TEXT NOT NULL,
  CONSTRAINT "delivery_permits_pkey" PRIMARY KEY (database)
);

-- An entry of the audit log, written by the transaction of its change.
CREATE TABLE "audit_entries" (
  "number"         BIGSERIAL NOT NULL,
  "at"             BIGINT NOT NULL DEFAULT (EXTRACT(epoch FROM clock_timestamp()) * 1000)::bigint,
  "operation"      TEXT NOT NULL,
  "method"         TEXT NOT NULL,
  "status"         INTEGER NOT NULL,
  "code"           TEXT,
  "kind"           TEXT NOT NULL,
  "key_id"         TEXT,
  "actor"          TEXT,
  "reason"         TEXT,
  "address"        TEXT NOT NULL,
  "user_id"        TEXT,
  "channel_id"     TEXT,
  "message_id"     TEXT,
  -- What else the change concerns: a key, a webhook, or a number of channels.
  "subject"        TEXT,
  -- The user as whom the request acts. Null for keys of the application.
  "acting_user_id" TEXT,
  CONSTRAINT "audit_entries_pkey" PRIMARY KEY (number)
);
CREATE INDEX "audit_entries_by_acting_user" ON "audit_entries" (acting_user_id, at, number) WHERE acting_user_id IS NOT NULL;
CREATE INDEX "audit_entries_by_channel" ON "audit_entries" (channel_id, at, number) WHERE channel_id IS NOT NULL;
CREATE INDEX "audit_entries_by_key" ON "audit_entries" (key_id, at, number) WHERE key_id IS NOT NULL;
CREATE INDEX "audit_entries_by_operation" ON "audit_entries" (operation, at, number);
CREATE INDEX "audit_entries_by_time" ON "audit_entries" (at, number);
CREATE INDEX "audit_entries_by_user" ON "audit_entries" (user_id, at, number) WHERE user_id IS NOT NULL;

ALTER TABLE "filter_hits"
  ADD CONSTRAINT "filter_hits_filter_pk_fkey" FOREIGN KEY (filter_pk) REFERENCES filters(pk) ON DELETE CASCADE;
ALTER TABLE "channels"
  ADD CONSTRAINT "channels_first_participant_pk_fkey" FOREIGN KEY (first_participant_pk) REFERENCES users(pk) ON DELETE RESTRICT,
  ADD CONSTRAINT "channels_second_participant_pk_fkey" FOREIGN KEY (second_participant_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "members"
  ADD CONSTRAINT "members_channel_pk_fkey" FOREIGN KEY (channel_pk) REFERENCES channels(pk) ON DELETE CASCADE,
  ADD CONSTRAINT "members_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "managers"
  ADD CONSTRAINT "managers_channel_pk_fkey" FOREIGN KEY (channel_pk) REFERENCES channels(pk) ON DELETE CASCADE,
  ADD CONSTRAINT "managers_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "mutes"
  ADD CONSTRAINT "mutes_channel_pk_fkey" FOREIGN KEY (channel_pk) REFERENCES channels(pk) ON DELETE CASCADE,
  ADD CONSTRAINT "mutes_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "slow_mode_sends"
  ADD CONSTRAINT "slow_mode_sends_channel_pk_fkey" FOREIGN KEY (channel_pk) REFERENCES channels(pk) ON DELETE CASCADE;
ALTER TABLE "bans"
  ADD CONSTRAINT "bans_channel_pk_fkey" FOREIGN KEY (channel_pk) REFERENCES channels(pk) ON DELETE CASCADE,
  ADD CONSTRAINT "bans_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "blocks"
  ADD CONSTRAINT "blocks_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES users(pk) ON DELETE RESTRICT,
  ADD CONSTRAINT "blocks_blocked_pk_fkey" FOREIGN KEY (blocked_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "messages"
  ADD CONSTRAINT "messages_channel_pk_fkey" FOREIGN KEY (channel_pk) REFERENCES channels(pk) ON DELETE RESTRICT,
  ADD CONSTRAINT "messages_sender_pk_fkey" FOREIGN KEY (sender_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "message_chunks"
  ADD CONSTRAINT "message_chunks_message_fkey" FOREIGN KEY (channel_pk, message_created_at, message_pk) REFERENCES messages(channel_pk, created_at, pk) ON DELETE CASCADE;
ALTER TABLE "reactions"
  ADD CONSTRAINT "reactions_message_fkey" FOREIGN KEY (channel_pk, message_created_at, message_pk) REFERENCES messages(channel_pk, created_at, pk) ON DELETE CASCADE,
  ADD CONSTRAINT "reactions_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "files"
  ADD CONSTRAINT "files_message_fkey" FOREIGN KEY (message_channel_pk, message_created_at, message_pk) REFERENCES messages(channel_pk, created_at, pk) ON DELETE SET NULL,
  ADD CONSTRAINT "files_user_pk_fkey" FOREIGN KEY (user_pk) REFERENCES users(pk) ON DELETE RESTRICT;
ALTER TABLE "search_blocks"
  ADD CONSTRAINT "search_blocks_channel_pk_fkey" FOREIGN KEY (channel_pk) REFERENCES channels(pk) ON DELETE CASCADE;
ALTER TABLE "mentions"
  ADD CONSTRAINT "mentions_message_fkey" FOREIGN KEY (channel_pk, message_created_at, message_pk) REFERENCES messages(channel_pk, created_at, pk) ON DELETE CASCADE;

ALTER SEQUENCE "messages_pk_seq" OWNED BY "messages"."pk";

-- PostgreSQL keeps samples of analyzed columns: an erased name or text would stay among them. No plan needs those of these columns.
ALTER TABLE "users"
  ALTER COLUMN "name" SET STATISTICS 0,
  ALTER COLUMN "profile_url" SET STATISTICS 0,
  ALTER COLUMN "meta" SET STATISTICS 0,
  ALTER COLUMN "suspension_reason" SET STATISTICS 0;
ALTER TABLE "bans"
  ALTER COLUMN "reason" SET STATISTICS 0;
ALTER TABLE "reports"
  ALTER COLUMN "reason" SET STATISTICS 0,
  ALTER COLUMN "resolution" SET STATISTICS 0,
  ALTER COLUMN "evidence" SET STATISTICS 0;
ALTER TABLE "messages"
  ALTER COLUMN "content" SET STATISTICS 0,
  ALTER COLUMN "file" SET STATISTICS 0,
  ALTER COLUMN "meta" SET STATISTICS 0,
  ALTER COLUMN "external_id" SET STATISTICS 0,
  ALTER COLUMN "reactions" SET STATISTICS 0,
  ALTER COLUMN "parts" SET STATISTICS 0,
  ALTER COLUMN "finish_digest" SET STATISTICS 0,
  ALTER COLUMN "attachments" SET STATISTICS 0;
ALTER TABLE "message_chunks"
  ALTER COLUMN "content" SET STATISTICS 0;
ALTER TABLE "reactions"
  ALTER COLUMN "reaction" SET STATISTICS 0;
ALTER TABLE "files"
  ALTER COLUMN "name" SET STATISTICS 0;
ALTER TABLE "events"
  ALTER COLUMN "detail" SET STATISTICS 0;

-- A signature is compared in the page of its row: compressed or elsewhere, it would have to be unpacked first.
ALTER TABLE "search_blocks" ALTER COLUMN "signature" SET STORAGE EXTERNAL;

-- The feed begins.
INSERT INTO "event_ranges" VALUES (-1, 0, '{}', (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint,
  ARRAY(SELECT (pg_snapshot_xip(pg_current_snapshot())::text)::bigint), floor(random() * 4503599627370496)::bigint,
  (extract(epoch FROM now()) * 1000)::bigint);
INSERT INTO "consumers" VALUES ('usage', 0), ('search', 0), ('push', 0);
