/** Writes a restore's files as the user's: reloads of their documents, and other sessions' turns, must not take them for an agent's. */
import type { RestoreTarget } from '../../../changes/restore';
import type { DocumentFollower } from './documentFollower';

/** @param wrote called with each file that was written */
export function writingForUser(
  target: RestoreTarget,
  documents: Pick<DocumentFollower, 'userWriting'>,
  wrote: (paths: readonly string[]) => void,
): RestoreTarget {
  const asUser = async (path: string, write: () => Promise<void>): Promise<void> => {
    const end = documents.userWriting([path]);
    try {
      await write();
      wrote([path]);
    } finally {
      end();
    }
  };
  return {
    write: (path, ...rest) => asUser(path, () => target.write(path, ...rest)),
    link: (path, ...rest) => asUser(path, () => target.link(path, ...rest)),
    remove: (path, ...rest) => asUser(path, () => target.remove(path, ...rest)),
  };
}
