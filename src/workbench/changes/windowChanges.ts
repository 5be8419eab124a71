/** Creates the changes feature with its dependencies from the window. */
import type { Commenting } from '../comments/commenting';
import type { SessionPanels } from '../chat/panels';
import type { SessionCommands } from '../sessions/sessionCommands';
import { ChangesHome, type ChangesHomeDependencies } from './changesHome';

export interface WindowChangesDependencies
  extends Pick<ChangesHomeDependencies, 'clock' | 'cleanTexts' | 'log' | 'activity' | 'journals' | 'sessionKeyIn'> {
  readonly panels: SessionPanels;
  readonly sessionCommands: SessionCommands;
  /** Undefined while there is no session. */
  commenting(): Promise<Commenting> | undefined;
}

export function windowChanges({ panels, sessionCommands, commenting, ...ports }: WindowChangesDependencies): ChangesHome {
  const handover = async () => (await sessionCommands.present()).handover();
  return new ChangesHome({
    ...ports,
    activeKey: () => panels.active?.key,
    read: async (key) => (await sessionCommands.present()).read(key),
    restoreConversation: async (session, entryId) => (await handover()).restoreConversation(session, entryId),
    show: (session) => panels.open(session, 'composer'),
    discard: async (session) => (await handover()).discard(session),
    comments: async () => (await commenting())?.comments,
    openPlan: async () => (await commenting())?.openPlan(),
  });
}
