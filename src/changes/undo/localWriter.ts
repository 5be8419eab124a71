/** Writes files one by one after comparing each with the expected state. */
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { sameState } from '../../core/fileChanges/records';
import type { ChangeLog } from '../store/changeLog';
import type { FileStates } from '../turns/fileStates';
import type { FileWriter } from './undoPorts';

/** @param resolve the real path where the session may write, undefined elsewhere */
export function localWriter(
  states: FileStates,
  log: ChangeLog,
  resolve: (path: string) => Promise<string | undefined>,
  now: () => number,
): FileWriter {
  return {
    run: async (type, files, { signal, onFile }) => {
      const undoId = randomUUID();
      const written: string[] = [];
      const left: { path: string; reason: string }[] = [];
      await log.append({ type, undoId, at: now(), files });
      for (const { path: file, before, after } of [...files].sort(
        (one, other) => Number(other.after.kind === 'none') - Number(one.after.kind === 'none'),
      )) {
        const folder = path.dirname(file);
        const present = (await states.of(file, true)).state;
        if (signal?.aborted || (await resolve(folder)) !== folder || !sameState(present, before)) {
          left.push({ path: file, reason: signal?.aborted ? 'cancelled' : 'changed' });
          continue;
        }
        try {
          if ((await states.files.stat(file))?.kind === 'folder') {
            await states.files.removeEmptyFolder(file);
          }
          const bytes = after.kind === 'file' ? await states.store.get(after.hash) : undefined;
          if (after.kind === 'none') {
            await states.files.remove(file);
          } else if (after.kind === 'link') {
            await states.files.link(file, after.target);
          } else if (after.kind === 'file' && bytes) {
            await states.files.write(file, bytes, after.mode);
          } else {
            throw new Error('not stored');
          }
          written.push(file);
          onFile?.(file);
        } catch {
          left.push({ path: file, reason: 'failed' });
        }
      }
      await log.append({ type: 'done', id: undoId, at: now(), written, left: left.map((each) => each.path) });
      return { id: undoId, written, left };
    },
  };
}
