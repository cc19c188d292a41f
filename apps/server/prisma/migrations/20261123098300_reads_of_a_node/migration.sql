-- Only a distributed database has functions for its shards: see citus.sql.
SELECT 1;
