import { expect, test } from "vitest";
import { signWebhook } from "./send";

// The example of the Standard Webhooks specification.
const example = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("a delivery is signed according to Standard Webhooks", () => {
  expect(signWebhook([secret], example)).toBe(signature);
});

test("each secret adds a signature", () => {
  const [first, second, ...rest] = signWebhook(["whsec_AAAA", secret], example).split(" ");
  expect(first).toMatch(/^v1,/);
  expect([second, rest]).toEqual([signature, []]);
});
