import type { ChatStorage } from "@madang/react";
import AsyncStorage from "@react-native-async-storage/async-storage";

/** What the app has shown last, and what it has not sent yet: a start without a connection shows it at once. */
export const storage: ChatStorage = {
  get: (name) => AsyncStorage.getItem(name),
  set: (name, text) => AsyncStorage.setItem(name, text),
  remove: (name) => AsyncStorage.removeItem(name),
};

const name = "signed in";

/** Who is signed in on this phone. Yours also keeps the session of your server, in `expo-secure-store`. */
export const readUserId = (): Promise<string | null> => storage.get(name).then((id) => id ?? null);

export const writeUserId = (userId: string | null): Promise<unknown> =>
  userId === null ? storage.remove(name) : storage.set(name, userId);
