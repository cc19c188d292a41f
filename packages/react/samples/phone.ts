import type { ChatStorage } from "@madang/react";

/** The part of `@react-native-async-storage/async-storage` that is used. */
declare const AsyncStorage: {
  getItem(name: string): Promise<string | null>;
  setItem(name: string, text: string): Promise<void>;
  removeItem(name: string): Promise<void>;
};

export const storage: ChatStorage = {
  get: (name) => AsyncStorage.getItem(name),
  set: (name, text) => AsyncStorage.setItem(name, text),
  remove: (name) => AsyncStorage.removeItem(name),
};
