import { Platform } from "react-native";

/** Where Madang is, and the server of this application. Expo puts settings with this prefix into the app: never an API key. */
export const madangUrl = process.env.EXPO_PUBLIC_MADANG_URL ?? "http://127.0.0.1:3000";
export const serverUrl = process.env.EXPO_PUBLIC_SERVER_URL ?? "http://127.0.0.1:4000";

/** The language of the phone. */
export const language = Intl.DateTimeFormat().resolvedOptions().locale;

export const isPhone = Platform.OS !== "web";
