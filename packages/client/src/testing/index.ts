export type { FakeOptions, FakeRequest } from "./fake-service";
export { FakeService } from "./fake-service";
export type { Fault } from "./faulty-fetch";
export { FaultyFetch } from "./faulty-fetch";
