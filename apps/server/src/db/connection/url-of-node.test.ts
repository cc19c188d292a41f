import { expect, test } from "vitest";
import { urlOfNode } from "./connection-string";

test.each([
  [
    "postgresql://ann:s%2Fecret@10.0.0.10:5432/chat",
    "10.0.0.11",
    "postgresql://ann:s%2Fecret@10.0.0.11:5433/chat",
  ],
  [
    "postgresql://ann@coordinator/chat?sslmode=verify-full&host=/run/postgresql&port=5000",
    "worker-1.internal",
    "postgresql://ann@worker-1.internal:5433/chat?sslmode=verify-full",
  ],
  ["postgresql://[::1]/chat", "fd00::2", "postgresql://[fd00::2]:5433/chat"],
  ["postgresql:///chat?host=/run/postgresql", "10.0.0.11", "postgresql://10.0.0.11:5433/chat"],
])("%s on the node %s is %s", (coordinatorUrl, name, expected) => {
  expect(urlOfNode(coordinatorUrl, name, 5433)).toBe(expected);
});
