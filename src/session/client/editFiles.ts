/** Edits of several files that the editor makes for an agent, recorded as the agent's writes. Loaded with the first one. */
import { writtenFile } from '../../core/fileChanges/writtenFile';
import type { AllowedEdit, FileEdit, FileService } from '../../fs/fileService';
import type { QuestionStore } from '../questions/questions';

export type ApplyEdits = (allowed: readonly AllowedEdit[]) => Promise<void | readonly FileEdit[]>;

/**
 * Makes an edit, all files or none.
 * @param apply makes the changes that are allowed. It may resolve to the texts of the files before and after, where the editor writes another text than
 * the user was shown.
 * @throws the `Fault` of a file that may not be written
 */
export async function editFiles(
  service: FileService,
  store: QuestionStore,
  edits: readonly FileEdit[],
  apply: ApplyEdits,
  signal: AbortSignal,
): Promise<void> {
  let made: readonly (FileEdit & Pick<AllowedEdit, 'reviewed'>)[] = [];
  await service.editTogether(
    edits,
    async (allowed) => {
      made = (await apply(allowed)) ?? allowed;
    },
    signal,
  );
  store.append(
    ...made.map(({ path, before, after, reviewed }) => ({
      type: 'file_written' as const,
      file: writtenFile(path, before, reviewed ?? after),
    })),
  );
}
