declare module "abort-controller/dist/abort-controller" {
  export const AbortController: typeof globalThis.AbortController;
  export const AbortSignal: typeof globalThis.AbortSignal;
}
declare module "whatwg-fetch";
