/** The registries and the installed agents of the window. */
import path from 'node:path';
import type * as vscode from 'vscode';
import type { AgentRegistry } from '../../../application/agents/views/agentModel';
import { PUBLIC_REGISTRY } from '../../../core/agents/registryTwins';
import { createInstaller } from '../../../registry/install/installer';
import { createRegistryIndex } from '../../../registry/registryIndex';

export function windowRegistry({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): AgentRegistry {
  const folder = path.join(globalStorageUri.fsPath, 'agents');
  const now = (): number => Date.now();
  return {
    index: createRegistryIndex({ folder: path.join(globalStorageUri.fsPath, 'registries'), urls: () => [PUBLIC_REGISTRY], fetch, now }),
    installer: createInstaller({
      folder,
      fetch,
      now,
      environment: () => process.env as Record<string, string>,
      node: async () => undefined,
      uv: async () => undefined,
    }),
  };
}
