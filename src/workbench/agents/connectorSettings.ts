/** The settings that each connection to an agent reads when it needs them. Loaded with the first agent. */
import * as vscode from 'vscode';
import { lineLimitOf } from '../../acp/transport/ndjson';
import { settings } from '../../application/shared/ids';
import type { ConnectorDependencies } from './connector';
import { keeperPlaces, readKeepLimits } from './keepingSettings';
import { followStarts } from '../registry/followStarts';
import type { WindowRegistry } from '../registry/windowRegistry';
import { maxMessageSize, readUserValue } from '../settings/agentSettings';
import { readNetworkVariables, systemCertificates } from '../settings/networkSettings';

/** @param registry loads the registries of the window */
export async function loadConnectorSettings(
  { globalStorageUri, extensionPath }: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extensionPath'>,
  registry: () => Promise<WindowRegistry>,
): Promise<{ readonly connectorSettings: Partial<ConnectorDependencies> }> {
  const storage = globalStorageUri.fsPath;
  const certificates = await systemCertificates(storage);
  const places = keeperPlaces(storage, extensionPath);
  return {
    connectorSettings: {
      ...connectorSettings,
      network: () => readNetworkVariables(certificates),
      follow: followStarts(storage, registry),
      keeping: () => {
        const limits = readKeepLimits();
        return limits && { places, limits };
      },
    },
  };
}

const connectorSettings = {
  /** `acpHost.maxMessageSize` of the user, in bytes. */
  maxLineBytes: (): number => lineLimitOf(maxMessageSize().value),
  /** `acpHost.adapterExtensions` of the user. */
  adapterExtensions: (): boolean => readUserValue(settings.adapterExtensions, false).value === true,
  /** `acpHost.traceContext`. It reveals nothing, so a trusted workspace may set it. */
  isTraced: (): boolean => vscode.workspace.getConfiguration().get(settings.traceContext) === true,
  /** VS Code's own setting, or the variables that Node.js programs heed. */
  usesProxy: (): boolean =>
    Boolean(vscode.workspace.getConfiguration().get('http.proxy')) || PROXY_VARIABLES.some((name) => Boolean(process.env[name])),
};

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
