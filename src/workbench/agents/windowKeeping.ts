/** The agents of earlier windows, for this window. The code that connects to them is loaded when a journal names one. */
import type * as vscode from 'vscode';
import type { Log } from '../../core/platform/log';
import type { Keeping } from '../../session/sessions';
import { keptSessionsKey } from '../../application/shared/ids';
import { systemClock } from '../../util/clock';
import { lazy } from '../../util/lazy';

/** @param restore restores a session by its key */
export function windowKeeping(
  {
    workspaceState,
    globalStorageUri,
    extensionPath,
  }: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalStorageUri' | 'extensionPath'>,
  log: Log,
  restore: (key: string) => Promise<unknown>,
): Keeping {
  const agents = lazy(async () => {
    const [{ KeptAgents }, { keeperPlaces, readKeepLimits }, { maxMessageSize }, { lineLimitOf }] = await Promise.all([
      import('../../application/agents/keptAgents'),
      import('./keepingSettings'),
      import('../settings/agentSettings'),
      import('../../acp/transport/ndjson'),
    ]);
    const { folder } = keeperPlaces(globalStorageUri.fsPath, extensionPath);
    return new KeptAgents({
      clock: systemClock,
      log,
      folder,
      maxBytes: lineLimitOf(maxMessageSize().value),
      limits: readKeepLimits,
      restore,
    });
  });
  return {
    adopt: async (id, key) => (await agents()).adopt(id, key),
    remember: (keys) => void workspaceState.update(keptSessionsKey, keys),
  };
}
