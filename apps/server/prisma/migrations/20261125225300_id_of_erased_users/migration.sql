-- '~deleted' is the id of every erased user. A request cannot contain it.
ALTER TABLE "users" DROP CONSTRAINT "users_user_id_form",
  ADD CONSTRAINT "users_user_id_form" CHECK ("user_id" ~ '^[a-z0-9_]{4,80}$' OR "user_id" = '~deleted') NOT VALID;
