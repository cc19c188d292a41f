-- Empty for a key without scopes.
ALTER TABLE "sub_keys" ADD COLUMN "scopes" TEXT[] NOT NULL DEFAULT '{}';
