/** A file of a message. */
export interface Attachment {
  readonly fileId: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Makes an address at which the bytes of a file can be read. */
export type UrlOf = (file: Attachment) => string;

/** The address at which a request reached the service. */
export interface Addressed {
  readonly protocol: string;
  readonly host: string;
}

/** What the chat needs to know about the storage of files. */
export interface Attachments {
  /** Makes the addresses of files in the response to a request; without one, in events for all callers. */
  addressesFor(request?: Addressed): UrlOf;
  /** Marks the files among these as ready whose bytes have arrived. */
  markArrived(fileIds: readonly string[]): Promise<void>;
}
