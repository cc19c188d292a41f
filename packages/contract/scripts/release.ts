import { copyFileSync, mkdirSync } from "node:fs";

// Runs when versions are raised. The gate then compares with this contract.
const folder = new URL("../released/", import.meta.url);
mkdirSync(folder, { recursive: true });
copyFileSync(new URL("../openapi.json", import.meta.url), new URL("openapi.json", folder));
