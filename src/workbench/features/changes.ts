import type { changes } from '../../core/protocol/channels/changes';
import type { ChangesFeature } from '../changes/changesFeature';
import type { OpenHandlers } from '../links/openHandlers';
import { feature } from '../routing/feature';

interface ChangesServices {
  /** The recorded changes of the window's sessions. */
  changesHome(): Promise<ChangesFeature>;
  openHandlers(): Promise<OpenHandlers>;
}

export default feature<typeof changes, ChangesServices>(({ changesHome, openHandlers }) => ({
  restore_checkpoint: async ({ entryId }, { session }) => (await (await changesHome()).restores()).restoreCheckpoint(session, entryId),
  undo_restore: async (_, { session }) => (await (await changesHome()).restores()).undoRestoreIn(session.key),
  review_changes: async ({ act, path }, { session }) => (await changesHome()).review(session.key, act, path),
  saved_lines: async ({ act, entryId }, { session }) => (await changesHome()).savedLines(session.key, act, entryId),
  change_report: async ({ act, path }, { session }) => {
    const home = await changesHome();
    const recorded = home.changes.get(session.key);
    await (recorded && (await home.reports())[act](recorded, path));
  },
  // Opens the recorded change of a turn, or else the file that the agent reported.
  open_turn_file: async ({ entryId, file }, { session }) => {
    const isOpen = !session.isRecorded && (await (await changesHome()).openTurnFile(session.key, entryId, file));
    if (!isOpen) {
      await (await openHandlers()).openTurnFile(session.store.state, session.roots, entryId, file);
    }
  },
}));
