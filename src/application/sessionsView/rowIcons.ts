/** The icon that shows the state of a session: one shape for each state, because high contrast themes drop the colors. Pure. */
import type { SessionFacts } from './sessionFacts';

/** Names of VS Code's icons and colors. */
export interface RowIcon {
  readonly icon: string;
  readonly color?: string;
}

/** Returns the icon of a session's row. A pin replaces the icon of a resting session, because nothing else about it needs a sign. */
export function stateIcon({ status, pinned }: Pick<SessionFacts, 'status' | 'pinned'>): RowIcon {
  switch (status) {
    case 'needsYou':
      return { icon: 'question', color: 'list.warningForeground' };
    case 'working':
      return { icon: 'loading~spin', color: 'charts.blue' };
    case 'failed':
      return { icon: 'error', color: 'list.errorForeground' };
    case 'limited':
      return { icon: 'clock', color: 'list.warningForeground' };
    case 'interrupted':
      return { icon: 'circle-slash', color: 'list.warningForeground' };
    case 'done':
      return { icon: 'circle-filled', color: 'charts.green' };
    case 'resting':
      return { icon: pinned ? 'pinned' : 'circle-outline' };
  }
}
