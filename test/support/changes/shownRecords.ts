/** Records as short lines for comparison. */
import path from 'node:path';
import type { FileRecord, FileState } from '../../../src/core/fileChanges/records';
import type { Workspace, WorkspaceSession } from './workspace';

/** Each line is `name: earlier > later`, each state by its content, its reason or its target. The later content is read from the disk. */
export async function shownRecords(
  workspace: Workspace,
  { store }: Pick<WorkspaceSession, 'store'>,
  files: readonly FileRecord[],
): Promise<string[]> {
  const shown = async (state: FileState): Promise<string> => {
    switch (state.kind) {
      case 'file': {
        const bytes = await store.get(state.hash);
        return bytes ? JSON.stringify(Buffer.from(bytes).toString()) : `${state.size} bytes`;
      }
      case 'link':
        return `link to ${state.target}`;
      case 'none':
        return 'none';
      case 'unknown':
        return state.reason;
    }
  };
  return Promise.all(
    files.map(async ({ path: file, oldPath, before, after, shared }) => {
      const name = nameIn(workspace, file);
      const from = oldPath === undefined ? '' : ` from ${nameIn(workspace, oldPath)}`;
      return `${name}${from}: ${await shown(before)} > ${await shown(after)}${shared ? ' shared' : ''}`;
    }),
  );
}

function nameIn(workspace: Workspace, file: string): string {
  return path.relative(workspace.folder, file).replaceAll('\\', '/');
}
