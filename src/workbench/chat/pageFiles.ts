/** What the page's document holds of the webview's build, so that its first paint waits for no file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Written by `esbuild.mjs`. */
export interface PageFiles {
  /** The page's style sheet. */
  readonly style: string;
  /** The script that serves the text box until the page's own is there. */
  readonly shell: string;
  /** Files of the folder that the page's script imports at once, so that they are asked for together. */
  readonly imports: readonly string[];
}

/** Each time anew: a build that is watched writes it again. @param folder of the webview's build, absolute */
export function readPageFiles(folder: string): PageFiles {
  return JSON.parse(readFileSync(path.join(folder, 'page.json'), 'utf8')) as PageFiles;
}
