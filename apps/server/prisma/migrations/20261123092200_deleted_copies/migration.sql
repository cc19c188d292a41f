-- Only a distributed database has copies of the users: see citus.sql.
SELECT 1;
