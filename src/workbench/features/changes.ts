import { changes } from '../../core/protocol/channels/changes';
import { failureOf } from '../../core/model/failure';
import type { Log } from '../../core/model/ports';
import type { ChangesHome } from '../changes/changesHome';
import type { OpenHandlers } from '../editor/openHandlers';
import { showFailure } from '../shared/showFailure';
import { feature } from './feature';

interface ChangesServices {
  readonly log: Pick<Log, 'error'>;
  /** The recorded changes of the window's sessions. */
  changesHome(): Promise<ChangesHome>;
  openHandlers(): Promise<OpenHandlers>;
}

export const changesFeature = feature(changes, ({ log, changesHome, openHandlers }: ChangesServices) => {
  const orShowFailure = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      log.error(`${name}: ${String(error)}`);
      void showFailure('error', failureOf(error));
      return undefined;
    }
  };
  return {
    restore_checkpoint: ({ entryId }, { session }) =>
      orShowFailure('restore_checkpoint', async () => (await (await changesHome()).restores()).restoreCheckpoint(session, entryId)),
    review_changes: ({ act, path }, { session }) =>
      orShowFailure('review_changes', async () => (await changesHome()).review(session.key, act, path)),
    change_report: ({ act, path }, { session }) =>
      orShowFailure('change_report', async () => {
        const home = await changesHome();
        const recorded = home.changes.get(session.key);
        await (recorded && (await home.reports())[act](recorded, path));
      }),
    // Opens the recorded change of a turn, or else the file that the agent reported.
    open_turn_file: async ({ entryId, file }, { session }) => {
      const isOpen =
        !session.isRecorded &&
        (await orShowFailure('open_turn_file', async () => (await changesHome()).openTurnFile(session.key, entryId, file)));
      if (isOpen === false) {
        await (await openHandlers()).openTurnFile(session.store.state, session.roots, entryId, file);
      }
    },
  };
});
