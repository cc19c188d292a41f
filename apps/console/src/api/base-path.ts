/** The path of the server's public address, such as `/chat`. The server writes it into the page. */
export const basePath =
  document.querySelector<HTMLMetaElement>('meta[name="madang-base-path"]')?.content ?? "";
