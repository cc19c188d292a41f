import { handleClick, handlePush } from "@madang/react/service-worker";

addEventListener("push", (event) => handlePush(event));
addEventListener("notificationclick", (event) => handleClick(event));
