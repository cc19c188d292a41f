import { defineConfig } from "prisma/config";

// `prisma generate` needs no schema engine, but the command line downloads one first. Naming any program as the
// engine skips that download; every other command is left to fetch the real one.
if (process.argv.includes("generate")) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/schema.prisma", migrations: { path: "prisma/migrations" } });
