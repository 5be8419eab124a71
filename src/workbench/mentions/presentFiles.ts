/** Leaves out rows whose file is no longer on disk: an editor's tab, a language server and the list of recent mentions may still name it. */
import { stat } from 'node:fs/promises';
import type { MentionRow } from '../../core/protocol/view';

/** Resolves to true when the path leads to a file or folder. False for a link whose target is gone. Never rejects. */
export function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    // Any other error says nothing about the file: reading it will.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** The rows without those of a missing file, folder or symbol. @param pathOf the absolute path of a `file:` address */
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
