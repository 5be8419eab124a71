/** Closes idle agents after the time of the user's setting. Loaded after the first session. */
import * as vscode from 'vscode';
import { IdleAgents } from '../../application/agents/idleAgents';
import { runningAgents } from '../../application/agents/runningAgents';
import { settings } from '../../application/shared/ids';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Sessions } from '../../session/sessions';

export function closeIdleAgents(sessions: Sessions, clock: Clock): Disposable {
  return new IdleAgents({ clock, agents: runningAgents(sessions, () => clock.now()), minutes });
}

function minutes(): number {
  const value = vscode.workspace.getConfiguration().get<unknown>(settings.closeIdleAgents);
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : 0;
}
