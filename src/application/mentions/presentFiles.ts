/** Leaves out rows whose file no longer exists: an editor's tab, a language server and the list of recent mentions may still name it. */
import { stat } from 'node:fs/promises';
import type { MentionRow } from '../../core/protocol/view';

/** Resolves to true when a file or folder exists at the path. False for a broken link. Never rejects. */
export function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    // Any other error does not mean that the file is missing; reading it will show that.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** Returns the rows without those of a missing file, folder or symbol. @param pathOf returns the absolute path of a `file:` address */
export async function presentRows(rows: readonly MentionRow[], pathOf: (uri: string) => string): Promise<readonly MentionRow[]> {
  const areThere = await Promise.all(
    rows.map(({ mention }) => {
      const ref = mention?.ref;
      const isOnDisk = (ref?.kind === 'file' || ref?.kind === 'folder' || ref?.kind === 'symbol') && ref.uri.startsWith('file:');
      return !isOnDisk || exists(pathOf(ref.uri));
    }),
  );
  return rows.filter((_, at) => areThere[at]);
}
