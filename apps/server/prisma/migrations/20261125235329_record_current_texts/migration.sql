-- Two migrations were rewritten without a change of their result. With their current checksums, no server from before that, which
-- would not recognize a newer schema, starts on this database.
UPDATE "_prisma_migrations" SET "checksum" = '136929f4c842bc60846e353e21121d0c5ab9a630afb9019f48f8a8913b8a57f2'
WHERE "migration_name" = '20261122020000_idempotency_results';
UPDATE "_prisma_migrations" SET "checksum" = '5bd00e1cff0a4db6f42769902009556dc7c07bf1561e54b53c88b18c9ef9f987'
WHERE "migration_name" = '20261122131000_external_id_index';
