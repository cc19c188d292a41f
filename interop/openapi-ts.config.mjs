export default {
  input: "../packages/contract/openapi.json",
  // Node runs the generated TypeScript directly and needs file extensions in imports.
  output: { path: "generated/hey-api", module: { extension: ".ts" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  logs: { level: "warn", file: false },
};
