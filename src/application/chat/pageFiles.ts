/** The files of the webview's build that the page's document contains, so that its first paint waits for no file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Written by `esbuild.mjs`. */
export interface PageFiles {
  /** The page's style sheet. */
  readonly style: string;
  /** The script that serves the text box until the page's own script has loaded. */
  readonly shell: string;
  /** The files of the folder that the page's script imports statically, so that they are requested together. */
  readonly imports: readonly string[];
}

/** Reads the files at each call, because a build in watch mode writes them again. @param folder the absolute path of the webview's build */
export function readPageFiles(folder: string): PageFiles {
  return JSON.parse(readFileSync(path.join(folder, 'page.json'), 'utf8')) as PageFiles;
}
