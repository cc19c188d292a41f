CREATE INDEX "audit_entries_by_acting_user" ON "audit_entries" ("acting_user_id", "at", "number") WHERE acting_user_id IS NOT NULL;
