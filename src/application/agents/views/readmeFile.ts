/** The readme of an installed package. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { InstalledVersion } from '../../../registry/types';
import { beginningOf } from '../../../util/beginning';

/** UTF-16 units, and bytes. An archive may contain a file of gigabytes. */
const MAX_README = 200_000;
const MAX_BYTES = 3 * MAX_README;

/** Returns the readme of an installed version, as Markdown. Undefined when there is none. Never rejects. */
export async function readmeOf({ folder, way, source }: Pick<InstalledVersion, 'folder' | 'way' | 'source'>): Promise<string | undefined> {
  const name = way === 'npx' ? packageName(source) : undefined;
  // Archives are unpacked into `files`.
  const places = name !== undefined ? [path.join(folder, 'node_modules', name), folder] : [path.join(folder, 'files'), folder];
  for (const place of places) {
    const text = await readmeIn(place, folder);
    if (text !== undefined) {
      return text.slice(0, MAX_README);
    }
  }
  return undefined;
}

/** `@scope/name@1.0.0` → `@scope/name`. Undefined for a name that is not a package of npm, such as a path. */
export function packageName(specifier: string): string | undefined {
  return /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*)(?:@[^/\\]*)?$/i.exec(specifier)?.[1];
}

async function readmeIn(place: string, folder: string): Promise<string | undefined> {
  try {
    const names = await readdir(place);
    const name = names.find((each) => /^readme\.(?:md|markdown)$/i.test(each));
    if (name === undefined) {
      return undefined;
    }
    // A link in an archive must not show another file.
    const file = await realpath(path.join(place, name));
    const root = await realpath(folder);
    return file.startsWith(root + path.sep) ? (await beginningOf(file, MAX_BYTES)).toString('utf8') : undefined;
  } catch {
    return undefined;
  }
}
