import { copyFileSync, mkdirSync } from "node:fs";

// Run when versions are raised: from then on the gate compares with this contract.
const folder = new URL("../released/", import.meta.url);
mkdirSync(folder, { recursive: true });
copyFileSync(new URL("../openapi.json", import.meta.url), new URL("openapi.json", folder));
