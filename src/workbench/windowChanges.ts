/** Creates the changes feature with its dependencies from the window. */
import type { CommentsFeature } from './comments/commentsFeature';
import type { LineComments } from './comments/lineComments';
import type { SessionPanels } from './chat/panels';
import type { SessionCommands } from './sessions/sessionCommands';
import { ChangesFeature, type ChangesFeatureDependencies } from './changes/changesFeature';

export interface WindowChangesDependencies
  extends Pick<ChangesFeatureDependencies, 'clock' | 'cleanTexts' | 'log' | 'activity' | 'journals' | 'state' | 'sessionKeyIn'> {
  readonly panels: SessionPanels;
  readonly sessionCommands: SessionCommands;
  /** Undefined while there is no session. */
  commenting(): Promise<CommentsFeature> | undefined;
}

export function windowChanges({ panels, sessionCommands, commenting, ...deps }: WindowChangesDependencies): ChangesFeature {
  const handover = async () => (await sessionCommands.actions()).handover();
  const comments = async (): Promise<LineComments | undefined> => (await commenting())?.comments;
  const home = new ChangesFeature({
    ...deps,
    activeKey: () => panels.active?.key,
    read: async (key) => (await sessionCommands.actions()).read(key),
    readBack: (key) => sessionCommands.readBack(key),
    restoreConversation: async (session, entryId) => (await handover()).restoreConversation(session, entryId),
    show: (session) => panels.open(session, 'composer'),
    discard: async (session) => (await handover()).discard(session),
    comments,
    commentForAgent: async () =>
      (await import('./comments/commentCommands')).commentForAgent(comments, () =>
        sessionCommands.create({}, 'last', undefined, { preserveFocus: true }),
      ),
    openPlan: async () => (await commenting())?.openPlan(),
  });
  // The first changes are those of a session, so its comments exist.
  home.changes.onDidChange(() => void comments().then((all) => all?.followReview(home.changes)));
  return home;
}
