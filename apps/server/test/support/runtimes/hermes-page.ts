import "./react-native";
import "whatwg-fetch";
import { type Place, runPage } from "./page";

declare const print: (text: string) => void;

Object.assign(globalThis, {
  start(place: Place) {
    runPage(place).then(
      (shown) => print(`@${JSON.stringify({ type: "result", shown })}`),
      (error: Error) => print(`@${JSON.stringify({ type: "result", fault: `${error} ${error.stack}` })}`),
    );
  },
});
