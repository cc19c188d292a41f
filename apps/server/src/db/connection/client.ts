import pg from "pg";
import { connectionStringFor, listHosts } from "./connection-string";

/**
 * The client class for a database URL. As in libpq, with `require_auth=scram-sha-256` the client never sends its
 * password or an MD5 hash of it, and rejects a server that does not prove that it knows the password; with
 * `target_session_attrs`, it rejects a host that accepts no writes.
 */
export function clientClassFor(url: string): typeof pg.Client {
  const { searchParams } = new URL(url);
  const Client = searchParams.has("require_auth") ? ScramClient : pg.Client;
  return searchParams.has("target_session_attrs") ? primaryClient(Client, url) : Client;
}

/** The host that was tried last, by URL. All clients of a process use it until it fails them. */
const currentHosts = new Map<string, number>();

/** Each client connects to one host. If that fails, or the host is a standby, the next client connects to the next one. */
function primaryClient(Client: typeof pg.Client, url: string): typeof pg.Client {
  const hosts = listHosts(url);
  return class extends Client {
    readonly #hostIndex = currentHosts.get(url) ?? 0;
    #isStandby = false;

    constructor(config?: pg.ClientConfig) {
      const host = hosts[currentHosts.get(url) ?? 0] ?? url;
      super({ ...config, connectionString: connectionStringFor(host) });
      this.connection.on("parameterStatus", (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === "in_hot_standby") this.#isStandby = status.parameterValue === "on";
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const opened = this.#open();
      if (callback === undefined) return opened;
      // The pool, like `pg`, gets undefined for success.
      opened.then(() => callback(undefined as unknown as Error), callback);
      return undefined;
    }

    async #open(): Promise<pg.Client> {
      try {
        await super.connect();
        if (!this.#isStandby) return this;
        await this.end();
        throw new Error("The host is a standby and accepts no writes.");
      } catch (error) {
        // Another client may have moved on already.
        if ((currentHosts.get(url) ?? 0) === this.#hostIndex)
          currentHosts.set(url, (this.#hostIndex + 1) % hosts.length);
        throw error;
      }
    }
  };
}

class ScramClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this;
    let isProven = false;
    // Runs before the listeners of `pg` itself: nothing that they write to a destroyed socket is sent.
    const reject = () => {
      if (!isProven) connection.stream.destroy(new Error("The database server did not offer SCRAM-SHA-256."));
    };
    connection.on("authenticationCleartextPassword", reject);
    connection.on("authenticationMD5Password", reject);
    connection.on("authenticationOk", reject);
    // `pg` verifies the server's signature and closes the connection if it is wrong.
    connection.on("authenticationSASLFinal", () => {
      isProven = true;
    });
  }
}
