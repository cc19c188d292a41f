import { expect, test } from "vitest";
import { serviceOf } from "./device-secrets";

test.each([
  ["https://push.example.com/1", "push.example.com"],
  ["https://push.example.com:8443/1", "push.example.com:8443"],
  ["https://fcm/1", "fcm:443"],
  ["https://APNS/1", "apns:443"],
  ["https://apns-development:8443/1", "apns-development:8443"],
])("the service of the endpoint %s is %s: never that of Google or Apple", (endpoint, service) => {
  expect(serviceOf({ provider: "webpush", endpoint, p256dh: "", auth: "" })).toBe(service);
});
