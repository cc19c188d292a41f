-- The first version of the schema with data of its server, written by pg_dump --inserts.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE FUNCTION public.meta_pair_count(meta jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(meta) = 'object'::text) THEN (SELECT (count(*))::integer AS count FROM jsonb_object_keys(meta_pair_count.meta) jsonb_object_keys(jsonb_object_keys)) ELSE NULL::integer END;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public._prisma_migrations (
    id character varying(36) NOT NULL,
    checksum character varying(64) NOT NULL,
    finished_at timestamp with time zone,
    migration_name character varying(255) NOT NULL,
    logs text,
    rolled_back_at timestamp with time zone,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    applied_steps_count integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.channels (
    pk bigint NOT NULL,
    channel_id text NOT NULL,
    name text NOT NULL,
    profile_url text,
    meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    is_frozen boolean DEFAULT false NOT NULL,
    total_message_count bigint DEFAULT 0 NOT NULL,
    total_file_count bigint DEFAULT 0 NOT NULL,
    member_count integer DEFAULT 0 NOT NULL,
    manager_count integer DEFAULT 0 NOT NULL,
    first_participant_pk bigint,
    second_participant_pk bigint,
    is_pair_only boolean DEFAULT true NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deleted_at bigint,
    CONSTRAINT channels_channel_id_form CHECK ((channel_id ~ '^[a-z0-9_]{4,80}$'::text)),
    CONSTRAINT channels_counts CHECK (((total_file_count >= 0) AND (total_file_count <= total_message_count))),
    CONSTRAINT channels_manager_limit CHECK (((manager_count >= 0) AND (manager_count <= 10))),
    CONSTRAINT channels_member_limit CHECK (((member_count >= 0) AND (member_count <= 100))),
    CONSTRAINT channels_meta_pairs CHECK ((COALESCE(public.meta_pair_count(meta), 11) <= 10)),
    CONSTRAINT channels_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 150))),
    CONSTRAINT channels_pair CHECK (((first_participant_pk <> second_participant_pk) AND (NOT ((first_participant_pk IS NULL) AND (second_participant_pk IS NOT NULL))))),
    CONSTRAINT channels_profile_url_length CHECK (((char_length(profile_url) >= 1) AND (char_length(profile_url) <= 2048)))
);

ALTER TABLE public.channels ALTER COLUMN pk ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.channels_pk_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.idempotency_keys (
    caller text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    answer bytea,
    created_at bigint NOT NULL,
    CONSTRAINT idempotency_keys_key_form CHECK ((key ~ '^[\x21-\x7e]{1,255}$'::text))
);

CREATE TABLE public.managers (
    channel_pk bigint NOT NULL,
    user_pk bigint NOT NULL,
    joined_at bigint NOT NULL,
    "position" bigint NOT NULL
);

CREATE SEQUENCE public.managers_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.managers_position_seq OWNED BY public.managers."position";

CREATE TABLE public.members (
    channel_pk bigint NOT NULL,
    user_pk bigint NOT NULL,
    joined_at bigint NOT NULL,
    "position" bigint NOT NULL
);

CREATE SEQUENCE public.members_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.members_position_seq OWNED BY public.members."position";

CREATE TABLE public.messages (
    channel_pk bigint NOT NULL,
    created_at bigint NOT NULL,
    pk bigint NOT NULL,
    sender_pk bigint NOT NULL,
    type text NOT NULL,
    content text,
    file jsonb,
    meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT messages_content_length CHECK (((char_length(content) >= 1) AND (char_length(content) <= 8192))),
    CONSTRAINT messages_form CHECK ((((type = 'text'::text) AND (content IS NOT NULL) AND (file IS NULL)) OR ((type = 'file'::text) AND (content IS NULL) AND (file IS NOT NULL)))),
    CONSTRAINT messages_meta_pairs CHECK ((COALESCE(public.meta_pair_count(meta), 11) <= 10))
);

CREATE SEQUENCE public.messages_pk_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.messages_pk_seq OWNED BY public.messages.pk;

CREATE UNLOGGED TABLE public.rate_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);

CREATE TABLE public.secrets (
    name text NOT NULL,
    value bytea NOT NULL
);

CREATE TABLE public.sub_keys (
    pk bigint NOT NULL,
    master_id bytea NOT NULL,
    digest bytea NOT NULL,
    sealed bytea NOT NULL,
    created_at bigint NOT NULL
);

CREATE SEQUENCE public.sub_keys_pk_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.sub_keys_pk_seq OWNED BY public.sub_keys.pk;

CREATE TABLE public.users (
    pk bigint NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    profile_url text,
    meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deleted_at bigint,
    CONSTRAINT users_meta_pairs CHECK ((COALESCE(public.meta_pair_count(meta), 11) <= 10)),
    CONSTRAINT users_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
    CONSTRAINT users_profile_url_length CHECK (((char_length(profile_url) >= 1) AND (char_length(profile_url) <= 2048))),
    CONSTRAINT users_user_id_form CHECK ((user_id ~ '^[a-z0-9_]{4,80}$'::text))
);

CREATE SEQUENCE public.users_pk_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.users_pk_seq OWNED BY public.users.pk;

ALTER TABLE ONLY public.managers ALTER COLUMN "position" SET DEFAULT nextval('public.managers_position_seq'::regclass);

ALTER TABLE ONLY public.members ALTER COLUMN "position" SET DEFAULT nextval('public.members_position_seq'::regclass);

ALTER TABLE ONLY public.messages ALTER COLUMN pk SET DEFAULT nextval('public.messages_pk_seq'::regclass);

ALTER TABLE ONLY public.sub_keys ALTER COLUMN pk SET DEFAULT nextval('public.sub_keys_pk_seq'::regclass);

ALTER TABLE ONLY public.users ALTER COLUMN pk SET DEFAULT nextval('public.users_pk_seq'::regclass);

INSERT INTO public._prisma_migrations VALUES
	('dec294fa-cd07-4102-bd3e-acd102d3da12', '151bf2fa87e710d89c939d5204504cadd1ccedf82d41a4dcbd8dd5eb8a4d0c7e', '2026-11-22 01:53:52.268434+00', '20261121000000_init', NULL, NULL, '2026-11-22 01:53:52.268434+00', 1),
	('85b6f8e5-a4af-4730-8365-0ee7605a734c', 'fc0007873f43b107597264b7a85da780ff9a8115223d53c40f820f2a8981e9b1', '2026-11-22 01:53:52.401557+00', '20261121010000_idempotency_keys', NULL, NULL, '2026-11-22 01:53:52.401557+00', 1),
	('177920d4-8dfe-4c04-9f95-5ac05a0054ee', '7e7be2adeae9faa5f178d5249753c38171e10a4427bf080749c4049c77303abd', '2026-11-22 01:53:52.429339+00', '20261121020000_rate_limits', NULL, NULL, '2026-11-22 01:53:52.429339+00', 1);

INSERT INTO public.channels OVERRIDING SYSTEM VALUE VALUES
	(1, 'lunch_01', '점심', NULL, '{"a": "1"}', false, 121, 1, 2, 1, 1, 2, false, 1795312435671, 1795312435671, NULL),
	(2, 'other_01', 'Other', NULL, '{}', false, 1, 0, 0, 0, 3, NULL, true, 1795312435729, 1795312435729, NULL);

INSERT INTO public.idempotency_keys VALUES
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'k1', '\x92b15540bd55ff3e7d553ca1bf11fb43b966dcfa6ee80e8cba9993bdbd637734', '\xa122c5a28f23458f55b601595406e20a00cfb9ce86b2f2ae4f6f6ffccd3c75c200efe2c6cca63468f16b24fdcf5733dfa84b875d6ebd587adfe449107e69a9c652d0927bfcf50fd6ba314e8efdfb2e72030716836d9828895d156f31cb916dba00ca5d28466d10957f5f02acb4574af71a94e1fb0d83eabf83709b49e0a1d93cd9c49259200dcb5e0d4e4b8096c8f95aed0d74937c1b6c2fd8327ac4df6b8efff591ed2f7d629b708d991fa36e17c5f1cf8c2714590db26dbd86ce6b1f18b68dc795c3abc4c6eeab773785965c9621925209cba32f59971fcb', 1795312435526),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'k2', '\x51094467c9da6f7d1f0228aad73cde99c2124beab5cbeffc2daa97325276e082', '\x6f4db11fcde9406c3ddc0d3564f716faf82d835a2f50ab8d494591becd25b094a5d28dbea918be4bf3c886d282576d239f7a9d582c0e4fc5bd49d6072df73575505fc24ca8345b6b6c129413c51a6fd9a3be19558142132747618c42bd5d13815147a9790ce1083d32812d482e380e86569f3b7ad6667ac75678cdc7d0da77b0d07eb69efab16da20d5d19601a3b0e1d82a07d5411e43a62e5a5fa0470e9fca9048a', 1795312435564),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'k3', '\xacdea757c1a72da1901d64ec1c245e55c623a509b35bd08ee95d07edd5abda63', '\xbee4eda7ada7c4415a4e7930a14346bfb6c5a488801e5cf7d779efe4ff496582d9f33488292be9724d93f213e5d579b63f46ee13751cf7c91fc38c1f4f1f77ada8b626229569987a3193ba15c039db25e26e8b0f332a7cbf787d7276768ba4712246db1c46e4fa8610e6da7a376623ccd447a415b5d1e3da2be516cf87a94e7b3695dfb5af5d319029332658a58127fe16ff5aea9156247e813f163c2914ac8cf25a', 1795312435602),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'k4', '\xbcb24a7ef6738ba41d03a567a2aee13567ead42243322f6898930c8d12d32120', '\xcd75e24ff099ae9161bf3d8571d4f63d868c2dd9ac46aea333239940a4628afd9caa8ee219e6d029bfa568b9ec8d6dcf73267deb820cab5ef00a1653f2de9b566887861f9839f8c8a62227d80dd25e1856c6dcd7a1f14ccb172fe48d2fcd1ef36e3bd68595bf857d4825b3849576087786afe7de1a5590c2ec42678596df85ae22a9ac31491933fd63f3c0cb6d56e076503ba6bfd3d28542968fea8618b3b22cac231c5241e26f5eb241953c8da6124913b6c212ebe380d92be82ef78c35fe25211378d625c415305f303e006263c1e87bf2b1c6cede03ea88a50a494442021ce360e774ee1a35f33b7f3c9931319eb8284ab26e1964e1310dd86bf5a9f9a2a54cf7fe2fedbcc93b0f35bc1263762c188a5983f4b8f390de3c4deefb4e9e2c65ce00e9532cce52cd06d5276b9820044e566d28d5521c1b9e6490df245793b041949639942cc5c830836436f9605369b37fb63973676baba287793f94b9a8e8fa2bb6b4c9c7b6bb3f02b3d9ff4174952b3afc8495c8fa137aa98ccafe0eba41b684066cd532d2b510d726cbcc778a47f0d2a67dd1a12733bff761a1e416f106f53acd0dc7ad7ff19e840d7dfe1e9bf528888901a3bc95283038e42d2d8909384554af4dad3c5b5041f2ae837c7b483e98aaf197e7a128678387bfc1d3ba097a146f88a5fdcdbc95c137cd7ba232d6a62756b1ca83755f748c8e171347154ff11c9215ef883e829e0635036e6843f443998aa3c0305566002bbf6a3ca5b2e6530695', 1795312435670),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'k5', '\x48cdc7fec1192d3899a9f203a4e9882ac5e1cc87e76a753619ad206c4aad9815', '\xc36455264d4158ab505d71e16b14700ada66b8879d34a48a71b4c37d40b0a54933e1127293bec88266279b8386e2217e88dbf5693f96babc76354fa179e5281ff6b1251be38e2c99b3eec3666628f7fab5597f644561a21651f831843741f491244b755dfcf6edc15cbcd83711c8ccbb1b51d991ad75b66f0a1a3815e45e444078c00e883d2ae07743109b60edf0e7be8d5f060960b49bf88e8dce9026101bc857965e186bd657015ee4fca26ab6e95ac5b8b30e9a012831aeee0ccae22882c2fae533d546729d21f919f315e16e0cc227e45afb12267220ec44ae931d52672149c98cecc44efc3722fba979da77b511ab601bf6b8e4218cbd3b9a7299c22d40d913469e3769d8e759208a7f72a9977613455bc2a3cbb4eb82338d6a1167f32903fec49a0ea2fb3a49da57aa0b13bfb7de3eaedcce52a1ca0c932d6c4a4b0438fc751cf7d2db122ff56ba176711dcab8813376aa4aecdbe0ce6f981d67e0206934e9ae062380d2fb65b9a0b1517edfb60e5eb27d96123f2906407a97e23ffecc5fbeeab0ac7c1bd4a5ef42bbd1de55ceb73c7611667668fa2c6a223911b315cf3b172d28f8db713e9a6e6faf27aa2077f55a8ca124eb9fc292b3fa701fa83843460804de6363dc4196fbe9b1c2b61606cf21086df0d73f009bc59cd242d63e21447c98a68006bc514d68abb13c8c230bb92ec37123cc38d96a1a59a94cb276b5fb944dfd065208c6631607562e3a805329759bf076443aadcb53bae52925032cd60a', 1795312435706),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'k6', '\x832fd521cf83e18e2f28a3cc4db315cd473e9c45318f37b8d45f7c3d43aac940', '\x7c780496a61552c5d48b4bca798379231f9e9813796c1579bb11d5dd48d7f8fb8b5baf5724f8a1f79eedc2d99dda5af0180c7f40877f0fbd65f4a88f973abe00e89fb6ae14c4ea3c64c6703ef1634c4112d998a4a55c5fd15dd2bbd75b776dcd805eca57368ccfdd1fa4363524c8351b54d0ebab8a53376299d3708b79a611879c2858c92188464fb454ed162e497d82247ad4584ae414ac831255730915526f6e9a610c8430173536b4e7fccceb344c3b720a15d4648b23b7464502bce375500e21536e36618da803c9938948693ffab4e1347711d15d8de171d0e43e646b8a7675feb32d9fca226874f33c081ee18c44eecf674302ed7765fb33ab01573458757861e8881c0c254969c29d2ccf857e419b949b11c207fdb4ba3fb8126e049d806f78079e57b59b29823278490d3b906e39b2172a1e52394d8b6faa277edd1c7875dee0e639c0ac5b943a3a8526d1f8b56b6271172fc04bf979b476b5304869f5b8fa7a8fb164e285ad1d7a7b4d156d91bab9916619f0c77bf6db661d18', 1795312435728),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'k7', '\x49f1f11fb247ef11d2006ed7fccf2ed3acffa3621ddc91dfbd26e77bc5c3016b', '\x89aa80f0d9fd36ee20c5e32c3f1d9b89866c1be7696915598e63769cdb76cd6234045c10c1aff28eace1fdc1ea4870bea9ae01ccc3b08a', 1795312435764),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'f1', '\x566b97ae046b51dd35dc0ea53c6858b56f11e1f1b37d8341aa36d14a869a7943', '\xd0a118d37660234a7cd8eb41e8f6a82a3e53174959d381f751b6aa7b8059e4d1c81294070d52fb978ae7cc08a918259ce25c228958ab2bfe45300c32139fb5caaf76fed84b1a42cf36459e19debfcc0642f7de22f9b336ff4571d87e8594b4eb9aa0066c70898d5c65a8602a47f38609126608f67a09d6a2f24615967052c937346aaa252eedecdcfcc32f82142cb9702af915ce47f76561e8198973cead7ffd5a6368cde4b63966153b754dd333b4506c65323e37bc19be39e103dbf017a1919d2435e9497328e8e2f20c72780a04d49c68d9709a85857bb087ca7d7262aeb6a4332fe00c7cc6c233ead51ffe645f70e8c6e32b40e85513c1e7cae7ac9e168337e3a69462442f18f40ae7d78407d76a592ed6c894c3bdf3b8c4faa9976401fd1f03d7382652d9a58487ed2ea92310b075c4ce50e9312c448767a2405f00b26787a20397a7d5b1c1403f7b827c37912bc02379ef5acc74736e9520a57662d167081fb723d066fa1e912d4a7ae38b6d82a87b6b0dbb3c11378e795e18e3401eb7f23d1d0691812d22cd216b0ac50e', 1795312439479),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 'f2', '\x05858a8efa26e8715d4aa9ae9b82d799ed3b94cbf2362fe667e6a258b0775e15', '\x19fdac42161df4b41933af1ab91f7fb7508dba1958104fd58425ab1ea488d4113f6ac1f77004f6b0fdfbcc7209893d00f0491eb3dd3d341afe8826a0d3ea94ed2eb1596cc465805bf4b0f7d7247717f32be006d80b749ccf763b977299ad719d4c1b2e8367662bfdcd2c7d538d7d4e6018bbd09933310cb55dfa8365c0d2bfd40ef167c16a1b22a2f64ac7066efb5b1d9b39e2024f2ed9a371a725a60511feaa663000078ac02cb692f3a0968290e371d09cd7d7eeea780012dfc3a957396f59e1d6764f1c12a42fc35618c01c1e90b9a017565591e5ec002442d0244c926b67cd9736fcc85849983f77d565bddffa3cc520ba2b733794d825f2e34c55f71e576862b0861d1617053f5451062dcb8082d725a9bdc6baba0d1065958cf48f5fb28d43d0b8cc4a631f9695dc3fc40ca8977dda4fddc0d4862ac1b8ed90', 1795312439512),
	('master zR4OQOeOSv9JY2zpU8Uwfg', 's1', '\xaec24a0ffa2525227d5142368131d9d208e8b6800188fa83d58be232cf4f77f2', '\x0526e50a66b1ef47d9cca5fe08865a72a874b282f215c2a4b66017313025477f5ec133e0438b7c44844ee6e59aa4dda398872c0490a1967a9845db513d647b9cbb48646a9e156fe086c34c242c78dfd85e547918597cd86e813042d4bad0eaece1e7dfb3cb812943a9bfffa69a2b9f07e064f98391c0cad356c302c058bb85447104a701c96ec5ed8297f8c9f5e93fee8d09d81b5c920d22e902825a523868cb40ee68389b1a12', 1795312439538);

INSERT INTO public.managers VALUES
	(1, 2, 1795312435764, 1);

INSERT INTO public.members VALUES
	(1, 1, 1795312435671, 1),
	(1, 2, 1795312435671, 2);

INSERT INTO public.messages VALUES
	(1, 1795312435823, 1, 1, 'text', 'message 1', NULL, '{}', 1795312435823),
	(1, 1795312435840, 2, 1, 'text', 'message 2', NULL, '{}', 1795312435840),
	(1, 1795312435855, 3, 1, 'text', 'message 3', NULL, '{}', 1795312435855),
	(1, 1795312435867, 4, 1, 'text', 'message 4', NULL, '{}', 1795312435867),
	(1, 1795312435893, 5, 1, 'text', 'message 5', NULL, '{}', 1795312435893),
	(1, 1795312435907, 6, 1, 'text', 'message 6', NULL, '{}', 1795312435907),
	(1, 1795312435928, 7, 1, 'text', 'message 7', NULL, '{}', 1795312435928),
	(1, 1795312435951, 8, 1, 'text', 'message 8', NULL, '{}', 1795312435951),
	(1, 1795312435979, 9, 1, 'text', 'message 9', NULL, '{}', 1795312435979),
	(1, 1795312436008, 10, 1, 'text', 'message 10', NULL, '{}', 1795312436008),
	(1, 1795312436045, 11, 1, 'text', 'message 11', NULL, '{}', 1795312436045),
	(1, 1795312436068, 12, 1, 'text', 'message 12', NULL, '{}', 1795312436068),
	(1, 1795312436096, 13, 1, 'text', 'message 13', NULL, '{}', 1795312436096),
	(1, 1795312436127, 14, 1, 'text', 'message 14', NULL, '{}', 1795312436127),
	(1, 1795312436154, 15, 1, 'text', 'message 15', NULL, '{}', 1795312436154),
	(1, 1795312436178, 16, 1, 'text', 'message 16', NULL, '{}', 1795312436178),
	(1, 1795312436210, 17, 1, 'text', 'message 17', NULL, '{}', 1795312436210),
	(1, 1795312436236, 18, 1, 'text', 'message 18', NULL, '{}', 1795312436236),
	(1, 1795312436296, 19, 1, 'text', 'message 19', NULL, '{}', 1795312436296),
	(1, 1795312436330, 20, 1, 'text', 'message 20', NULL, '{}', 1795312436330),
	(1, 1795312436370, 21, 1, 'text', 'message 21', NULL, '{}', 1795312436370),
	(1, 1795312436410, 22, 1, 'text', 'message 22', NULL, '{}', 1795312436410),
	(1, 1795312436434, 23, 1, 'text', 'message 23', NULL, '{}', 1795312436434),
	(1, 1795312436462, 24, 1, 'text', 'message 24', NULL, '{}', 1795312436462),
	(1, 1795312436483, 25, 1, 'text', 'message 25', NULL, '{}', 1795312436483),
	(1, 1795312436499, 26, 1, 'text', 'message 26', NULL, '{}', 1795312436499),
	(1, 1795312436523, 27, 1, 'text', 'message 27', NULL, '{}', 1795312436523),
	(1, 1795312436541, 28, 1, 'text', 'message 28', NULL, '{}', 1795312436541),
	(1, 1795312436583, 29, 1, 'text', 'message 29', NULL, '{}', 1795312436583),
	(1, 1795312436616, 30, 1, 'text', 'message 30', NULL, '{}', 1795312436616),
	(1, 1795312436646, 31, 1, 'text', 'message 31', NULL, '{}', 1795312436646),
	(1, 1795312436669, 32, 1, 'text', 'message 32', NULL, '{}', 1795312436669),
	(1, 1795312436686, 33, 1, 'text', 'message 33', NULL, '{}', 1795312436686),
	(1, 1795312436702, 34, 1, 'text', 'message 34', NULL, '{}', 1795312436702),
	(1, 1795312436737, 35, 1, 'text', 'message 35', NULL, '{}', 1795312436737),
	(1, 1795312436754, 36, 1, 'text', 'message 36', NULL, '{}', 1795312436754),
	(1, 1795312436775, 37, 1, 'text', 'message 37', NULL, '{}', 1795312436775),
	(1, 1795312436792, 38, 1, 'text', 'message 38', NULL, '{}', 1795312436792),
	(1, 1795312436826, 39, 1, 'text', 'message 39', NULL, '{}', 1795312436826),
	(1, 1795312436839, 40, 1, 'text', 'message 40', NULL, '{}', 1795312436839),
	(1, 1795312436871, 41, 1, 'text', 'message 41', NULL, '{}', 1795312436871),
	(1, 1795312436896, 42, 1, 'text', 'message 42', NULL, '{}', 1795312436896),
	(1, 1795312436924, 43, 1, 'text', 'message 43', NULL, '{}', 1795312436924),
	(1, 1795312436954, 44, 1, 'text', 'message 44', NULL, '{}', 1795312436954),
	(1, 1795312437054, 45, 1, 'text', 'message 45', NULL, '{}', 1795312437054),
	(1, 1795312437076, 46, 1, 'text', 'message 46', NULL, '{}', 1795312437076),
	(1, 1795312437109, 47, 1, 'text', 'message 47', NULL, '{}', 1795312437109),
	(1, 1795312437138, 48, 1, 'text', 'message 48', NULL, '{}', 1795312437138),
	(1, 1795312437162, 49, 1, 'text', 'message 49', NULL, '{}', 1795312437162),
	(1, 1795312437181, 50, 1, 'text', 'message 50', NULL, '{}', 1795312437181);
INSERT INTO public.messages VALUES
	(1, 1795312437206, 51, 1, 'text', 'message 51', NULL, '{}', 1795312437206),
	(1, 1795312437232, 52, 1, 'text', 'message 52', NULL, '{}', 1795312437232),
	(1, 1795312437258, 53, 1, 'text', 'message 53', NULL, '{}', 1795312437258),
	(1, 1795312437282, 54, 1, 'text', 'message 54', NULL, '{}', 1795312437282),
	(1, 1795312437312, 55, 1, 'text', 'message 55', NULL, '{}', 1795312437312),
	(1, 1795312437373, 56, 1, 'text', 'message 56', NULL, '{}', 1795312437373),
	(1, 1795312437408, 57, 1, 'text', 'message 57', NULL, '{}', 1795312437408),
	(1, 1795312437428, 58, 1, 'text', 'message 58', NULL, '{}', 1795312437428),
	(1, 1795312437458, 59, 1, 'text', 'message 59', NULL, '{}', 1795312437458),
	(1, 1795312437483, 60, 1, 'text', 'message 60', NULL, '{}', 1795312437483),
	(1, 1795312437518, 61, 1, 'text', 'message 61', NULL, '{}', 1795312437518),
	(1, 1795312437544, 62, 1, 'text', 'message 62', NULL, '{}', 1795312437544),
	(1, 1795312437596, 63, 1, 'text', 'message 63', NULL, '{}', 1795312437596),
	(1, 1795312437621, 64, 1, 'text', 'message 64', NULL, '{}', 1795312437621),
	(1, 1795312437647, 65, 1, 'text', 'message 65', NULL, '{}', 1795312437647),
	(1, 1795312437669, 66, 1, 'text', 'message 66', NULL, '{}', 1795312437669),
	(1, 1795312437698, 67, 1, 'text', 'message 67', NULL, '{}', 1795312437698),
	(1, 1795312437729, 68, 1, 'text', 'message 68', NULL, '{}', 1795312437729),
	(1, 1795312437746, 69, 1, 'text', 'message 69', NULL, '{}', 1795312437746),
	(1, 1795312437765, 70, 1, 'text', 'message 70', NULL, '{}', 1795312437765),
	(1, 1795312437779, 71, 1, 'text', 'message 71', NULL, '{}', 1795312437779),
	(1, 1795312437791, 72, 1, 'text', 'message 72', NULL, '{}', 1795312437791),
	(1, 1795312437813, 73, 1, 'text', 'message 73', NULL, '{}', 1795312437813),
	(1, 1795312437847, 74, 1, 'text', 'message 74', NULL, '{}', 1795312437847),
	(1, 1795312437887, 75, 1, 'text', 'message 75', NULL, '{}', 1795312437887),
	(1, 1795312437923, 76, 1, 'text', 'message 76', NULL, '{}', 1795312437923),
	(1, 1795312437999, 77, 1, 'text', 'message 77', NULL, '{}', 1795312437999),
	(1, 1795312438106, 78, 1, 'text', 'message 78', NULL, '{}', 1795312438106),
	(1, 1795312438142, 79, 1, 'text', 'message 79', NULL, '{}', 1795312438142),
	(1, 1795312438225, 80, 1, 'text', 'message 80', NULL, '{}', 1795312438225),
	(1, 1795312438326, 81, 1, 'text', 'message 81', NULL, '{}', 1795312438326),
	(1, 1795312438347, 82, 1, 'text', 'message 82', NULL, '{}', 1795312438347),
	(1, 1795312438394, 83, 1, 'text', 'message 83', NULL, '{}', 1795312438394),
	(1, 1795312438423, 84, 1, 'text', 'message 84', NULL, '{}', 1795312438423),
	(1, 1795312438451, 85, 1, 'text', 'message 85', NULL, '{}', 1795312438451),
	(1, 1795312438469, 86, 1, 'text', 'message 86', NULL, '{}', 1795312438469),
	(1, 1795312438499, 87, 1, 'text', 'message 87', NULL, '{}', 1795312438499),
	(1, 1795312438534, 88, 1, 'text', 'message 88', NULL, '{}', 1795312438534),
	(1, 1795312438574, 89, 1, 'text', 'message 89', NULL, '{}', 1795312438574),
	(1, 1795312438598, 90, 1, 'text', 'message 90', NULL, '{}', 1795312438598),
	(1, 1795312438630, 91, 1, 'text', 'message 91', NULL, '{}', 1795312438630),
	(1, 1795312438670, 92, 1, 'text', 'message 92', NULL, '{}', 1795312438670),
	(1, 1795312438695, 93, 1, 'text', 'message 93', NULL, '{}', 1795312438695),
	(1, 1795312438719, 94, 1, 'text', 'message 94', NULL, '{}', 1795312438719),
	(1, 1795312438740, 95, 1, 'text', 'message 95', NULL, '{}', 1795312438740),
	(1, 1795312438759, 96, 1, 'text', 'message 96', NULL, '{}', 1795312438759),
	(1, 1795312438780, 97, 1, 'text', 'message 97', NULL, '{}', 1795312438780),
	(1, 1795312438791, 98, 1, 'text', 'message 98', NULL, '{}', 1795312438791),
	(1, 1795312438818, 99, 1, 'text', 'message 99', NULL, '{}', 1795312438818),
	(1, 1795312438837, 100, 1, 'text', 'message 100', NULL, '{}', 1795312438837);
INSERT INTO public.messages VALUES
	(1, 1795312438859, 101, 1, 'text', 'message 101', NULL, '{}', 1795312438859),
	(1, 1795312438879, 102, 1, 'text', 'message 102', NULL, '{}', 1795312438879),
	(1, 1795312438912, 103, 1, 'text', 'message 103', NULL, '{}', 1795312438912),
	(1, 1795312438939, 104, 1, 'text', 'message 104', NULL, '{}', 1795312438939),
	(1, 1795312438970, 105, 1, 'text', 'message 105', NULL, '{}', 1795312438970),
	(1, 1795312438993, 106, 1, 'text', 'message 106', NULL, '{}', 1795312438993),
	(1, 1795312439016, 107, 1, 'text', 'message 107', NULL, '{}', 1795312439016),
	(1, 1795312439056, 108, 1, 'text', 'message 108', NULL, '{}', 1795312439056),
	(1, 1795312439107, 109, 1, 'text', 'message 109', NULL, '{}', 1795312439107),
	(1, 1795312439141, 110, 1, 'text', 'message 110', NULL, '{}', 1795312439141),
	(1, 1795312439171, 111, 1, 'text', 'message 111', NULL, '{}', 1795312439171),
	(1, 1795312439206, 112, 1, 'text', 'message 112', NULL, '{}', 1795312439206),
	(1, 1795312439243, 113, 1, 'text', 'message 113', NULL, '{}', 1795312439243),
	(1, 1795312439269, 114, 1, 'text', 'message 114', NULL, '{}', 1795312439269),
	(1, 1795312439293, 115, 1, 'text', 'message 115', NULL, '{}', 1795312439293),
	(1, 1795312439313, 116, 1, 'text', 'message 116', NULL, '{}', 1795312439313),
	(1, 1795312439342, 117, 1, 'text', 'message 117', NULL, '{}', 1795312439342),
	(1, 1795312439369, 118, 1, 'text', 'message 118', NULL, '{}', 1795312439369),
	(1, 1795312439402, 119, 1, 'text', 'message 119', NULL, '{}', 1795312439402),
	(1, 1795312439459, 120, 1, 'text', 'message 120', NULL, '{}', 1795312439459),
	(1, 1795312439482, 121, 2, 'file', NULL, '{"url": "https://example.com/menu.png", "name": "menu.png", "size": 48213, "type": "image/png"}', '{"seen": "1"}', 1795312439482),
	(2, 1795312439513, 122, 3, 'text', 'before I go', NULL, '{}', 1795312439513);

INSERT INTO public.secrets VALUES
	('cursors', '\x98a7901bdd36266ee15cdcffee107220858f3808e479bc81ee0e57cb395eddab');

INSERT INTO public.sub_keys VALUES
	(1, '\xcd1e0e40e78e4aff49636ce953c5307e', '\xb6bcb1923912dc1929c8c5430c29a5c1b099dae9dbf39111c7879a0a7d8399db', '\x4ea68e1b4957add9fdfaf8cb205e70b5ac4a4261a0f3ea6d375dbe0e13a35fe7e9cc2a2fb92e139cd5d5b0d53fa7fa1ca3c2a984832d67b0b03a8bc686ab6ce4c05a1cb580ac0a7440cfb8a6ca05178b2b55db3a9212455a06f18400d10c95', 1795312439538);

INSERT INTO public.users VALUES
	(1, 'kim_01', '김', 'https://example.com/kim.png', '{"team": "blue"}', 1795312435529, 1795312435529, NULL),
	(2, 'park_03', 'Park', NULL, '{}', 1795312435567, 1795312435567, NULL),
	(3, 'gone_05', 'Gone', NULL, '{}', 1795312435603, 1795312435603, 1795312439562);

SELECT pg_catalog.setval('public.channels_pk_seq', 2, true);

SELECT pg_catalog.setval('public.managers_position_seq', 1, true);

SELECT pg_catalog.setval('public.members_position_seq', 3, true);

SELECT pg_catalog.setval('public.messages_pk_seq', 122, true);

SELECT pg_catalog.setval('public.sub_keys_pk_seq', 1, true);

SELECT pg_catalog.setval('public.users_pk_seq', 3, true);

ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (pk);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, key);

ALTER TABLE ONLY public.managers
    ADD CONSTRAINT managers_pkey PRIMARY KEY (channel_pk, user_pk);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (channel_pk, user_pk);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (channel_pk, created_at, pk);

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.sub_keys
    ADD CONSTRAINT sub_keys_pkey PRIMARY KEY (pk);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (pk);

CREATE INDEX channels_live_by_creation ON public.channels USING btree (created_at, pk) WHERE (deleted_at IS NULL);

CREATE INDEX channels_live_by_pair ON public.channels USING btree (first_participant_pk, second_participant_pk) WHERE ((deleted_at IS NULL) AND is_pair_only);

CREATE UNIQUE INDEX channels_live_channel_id_key ON public.channels USING btree (channel_id) WHERE (deleted_at IS NULL);

CREATE INDEX channels_to_sweep ON public.channels USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX managers_by_user ON public.managers USING btree (user_pk);

CREATE INDEX members_by_user ON public.members USING btree (user_pk);

CREATE INDEX sub_keys_by_master ON public.sub_keys USING btree (master_id);

CREATE UNIQUE INDEX sub_keys_digest_key ON public.sub_keys USING btree (digest);

CREATE INDEX users_live_by_creation ON public.users USING btree (created_at, pk) WHERE (deleted_at IS NULL);

CREATE INDEX users_live_by_name ON public.users USING btree (name, created_at, pk) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX users_live_user_id_key ON public.users USING btree (user_id) WHERE (deleted_at IS NULL);

ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_first_participant_pk_fkey FOREIGN KEY (first_participant_pk) REFERENCES public.users(pk) ON DELETE RESTRICT;

ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_second_participant_pk_fkey FOREIGN KEY (second_participant_pk) REFERENCES public.users(pk) ON DELETE RESTRICT;

ALTER TABLE ONLY public.managers
    ADD CONSTRAINT managers_channel_pk_fkey FOREIGN KEY (channel_pk) REFERENCES public.channels(pk) ON DELETE CASCADE;

ALTER TABLE ONLY public.managers
    ADD CONSTRAINT managers_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES public.users(pk) ON DELETE RESTRICT;

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_channel_pk_fkey FOREIGN KEY (channel_pk) REFERENCES public.channels(pk) ON DELETE CASCADE;

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES public.users(pk) ON DELETE RESTRICT;

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_channel_pk_fkey FOREIGN KEY (channel_pk) REFERENCES public.channels(pk) ON DELETE RESTRICT;

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_sender_pk_fkey FOREIGN KEY (sender_pk) REFERENCES public.users(pk) ON DELETE RESTRICT;
