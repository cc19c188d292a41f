-- The order of the storages, in which madang-server files check reads both.
ALTER TABLE "files" ALTER "file_id" TYPE TEXT COLLATE "C";
