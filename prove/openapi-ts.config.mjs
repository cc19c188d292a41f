export default {
  input: "../packages/contract/openapi.json",
  // Node runs what is generated as it is, and wants to know the whole name of a file.
  output: { path: "generated/hey-api", module: { extension: ".ts" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  logs: { level: "warn", file: false },
};
