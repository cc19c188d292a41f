import { create } from "content-disposition";

const shown = /^(image\/(?!svg\+xml)|audio\/|video\/|application\/pdf$)/;

/** What a browser may show by itself. It saves everything else: a page or an SVG could contain scripts. */
export const isShown = (type: string): boolean => shown.test(essenceOf(type));

/** `Content-Disposition` of a file. */
export const dispositionOf = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  create(name, { type: isShown(type) ? "inline" : "attachment" });

/** A MIME type without its parameters. */
const essenceOf = (type: string) => (type.split(";")[0] ?? "").toLowerCase();
