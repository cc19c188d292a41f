declare module "s3rver" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Options {
    readonly silent: boolean;
    readonly directory: string;
    readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
  }
  class S3rver {
    constructor(options: Options);
    configureBuckets(): Promise<void>;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
  export = S3rver;
}
