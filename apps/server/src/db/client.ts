import pg from "pg";

/**
 * The client class for a database URL. With `require_auth=scram-sha-256`, as in libpq, the client never sends its
 * password or an MD5 hash of it, and rejects a server that does not prove that it knows the password.
 */
export function clientClassFor(url: string): typeof pg.Client {
  return new URL(url).searchParams.has("require_auth") ? ScramClient : pg.Client;
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
