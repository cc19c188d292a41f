import type { IncomingMessage } from "node:http";
import type { ServiceError } from "../../errors/service-error";

const faults = new WeakMap<IncomingMessage, ServiceError>();
const listeners = new WeakMap<IncomingMessage, (fault: ServiceError) => void>();

/** Reports that the rest of a request's body is malformed or did not arrive in time. */
export function failBody(request: IncomingMessage, fault: ServiceError): void {
  faults.set(request, fault);
  listeners.get(request)?.(fault);
}

/** Calls the listener when the body fails, or immediately if it has failed already. */
export function onBodyFault(request: IncomingMessage, listener: (fault: ServiceError) => void): void {
  const fault = faults.get(request);
  if (fault === undefined) listeners.set(request, listener);
  else listener(fault);
}

const uploads = new WeakSet<IncomingMessage>();

/** Gives the body of a request the time of an upload. */
export function allowUpload(request: IncomingMessage): void {
  uploads.add(request);
}

export const isUpload = (request: IncomingMessage): boolean => uploads.has(request);
