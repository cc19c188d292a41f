import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../package-folder";

/** A guide, or a page that the guides link to. */
interface Page {
  /** Its address below `/docs`: `guides/…` or `pages/…`. */
  readonly id: string;
  readonly title: string;
  /** As HTML. */
  readonly body: string;
  readonly markdown: string;
  /** The text below each heading. */
  readonly sections: readonly { readonly anchor: string; readonly title: string; readonly text: string }[];
}

/** The pages, from the build. Before the first one, there are none. */
export function readPages(): readonly Page[] {
  const path = join(packageFolder, "dist/pages.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

export const isGuide = ({ id }: Page): boolean => id.startsWith("guides/");
