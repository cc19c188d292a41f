import type { ChatStorage } from "../store/saved";

const storeName = "texts";

/**
 * A storage in the IndexedDB of the browser, for all tabs of the origin.
 *
 * @param name The name of the database.
 * @example <ChatProvider storage={createIndexedDbStorage()} userId={me.id} …>
 */
export function createIndexedDbStorage(name = "madang"): ChatStorage {
  let opening: Promise<IDBDatabase> | undefined;
  const open = () => {
    opening ??= openDatabase(name, () => {
      opening = undefined;
    });
    return opening;
  };
  const run = async <Value>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<Value>,
  ): Promise<Value> => {
    const transaction = (await open()).transaction(storeName, mode);
    const request = work(transaction.objectStore(storeName));
    // A page that is left does not wait for the request.
    if (mode === "readwrite") transaction.commit();
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      // When the disk is full, the request has succeeded.
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    get: (key) => run("readonly", (store) => store.get(key)),
    set: (key, text) => run("readwrite", (store) => store.put(text, key)),
    remove: (key) => run("readwrite", (store) => store.delete(key)),
  };
}

/** @param onClose Called when it can no longer be used: it is opened anew then. */
function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onerror = () => {
      onClose();
      reject(request.error);
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = onClose;
      // Another version of the page needs it.
      database.onversionchange = () => {
        database.close();
        onClose();
      };
      resolve(database);
    };
  });
}
