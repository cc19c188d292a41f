import pg from "pg";

/**
 * The class of the clients for a database URL. A URL may demand `require_auth=scram-sha-256`, as for libpq: the client
 * then never sends its password, nor an MD5 hash of it, and accepts no server that does not prove that it knows it.
 */
export function clientClassFor(url: string): typeof pg.Client {
  const [, method] = /[?&]require_auth=([^&]*)/.exec(url) ?? [];
  if (method === undefined) return pg.Client;
  if (method === "scram-sha-256") return ScramClient;
  throw new Error(`The database URL has require_auth=${method}; only scram-sha-256 is supported.`);
}

class ScramClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this;
    let isProven = false;
    // Before the listeners of `pg` itself: what they write to a destroyed socket is not sent.
    const reject = () => {
      if (!isProven) connection.stream.destroy(new Error("The database server did not offer SCRAM-SHA-256."));
    };
    connection.on("authenticationCleartextPassword", reject);
    connection.on("authenticationMD5Password", reject);
    connection.on("authenticationOk", reject);
    // `pg` checks the proof, and closes the connection where it is wrong.
    connection.on("authenticationSASLFinal", () => {
      isProven = true;
    });
  }
}
