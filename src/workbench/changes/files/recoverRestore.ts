/** Finishes the restores and undos that a crash interrupted, and shows a message. */
import { FileTransaction, type FileTransactionDependencies } from '../../../changes/fileTransaction';
import { t } from '../../shared/l10n';
import { window } from '../../shared/window';
import { recoveredMessage } from '../../../application/changes/text/restoreMessages';
import { unsavedFiles } from './unsavedFiles';

export interface RecoverDependencies extends FileTransactionDependencies {
  /** True while another window has the session: it recovers it. */
  isLiveElsewhere?(): Promise<boolean>;
  /** True while the session's agent works: its files are not touched. */
  isWorking(): boolean;
}

/** To be called before the files are read for anything else. */
export async function recoverRestores(deps: RecoverDependencies): Promise<void> {
  if (await deps.isLiveElsewhere?.()) {
    return;
  }
  const unsaved = await unsavedFiles();
  const recovered = await new FileTransaction(deps).recover(async (file) => !deps.isWorking() && !unsaved.has(file));
  for (const { type, written, left, rewritten } of recovered) {
    // Nothing was missing but the record of the end.
    if (rewritten.length === 0) {
      continue;
    }
    const message = recoveredMessage(type, written.length, left, t);
    void (left.length === 0 ? window.showInformationMessage(message) : window.showWarningMessage(message));
  }
}
