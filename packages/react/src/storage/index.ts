export { createIndexedDbStorage } from "./indexed-db";
