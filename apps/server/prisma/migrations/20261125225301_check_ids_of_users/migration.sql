-- Apart, because it reads all users, which no request waits for.
ALTER TABLE "users" VALIDATE CONSTRAINT "users_user_id_form";
