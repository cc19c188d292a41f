import { createECDH } from "node:crypto";
import { expect, test } from "vitest";
import { encryptPayload } from "./encrypt";

const decode = (text: string) => Buffer.from(text, "base64url");

test("a payload is encrypted as in RFC 8291, appendix A", () => {
  const sender = createECDH("prime256v1");
  sender.setPrivateKey(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
  const keys = {
    p256dh: decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    auth: decode("BTBZMqHH6r4Tts7J_aSIgg"),
  };
  const salt = decode("DGv6ra1nlYgDCS1FRnbzlw");
  const body = encryptPayload(Buffer.from("When I grow up, I want to be a watermelon"), keys, {
    salt,
    sender,
  });
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});
