/** Who can sign in here. Your application has its own users. */
export const people = { chat_kim: "Kim Min-jun", chat_park: "박서연", chat_lee: "Lee Ji-woo" };
