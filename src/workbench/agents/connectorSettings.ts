/** The settings that each connection to an agent reads when it needs them. Loaded with the first agent. */
import * as vscode from 'vscode';
import { lineLimitOf } from '../../acp/transport/ndjson';
import { settings } from '../../application/shared/ids';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { ConnectorDependencies } from './connector';
import { followStarts, presentLaunches } from '../registry/followStarts';
import type { WindowRegistry } from '../registry/windowRegistry';
import { maxMessageSize, readUserValue } from '../settings/agentSettings';
import { readNetworkVariables, systemCertificates } from '../settings/networkSettings';

export interface LoadedSettings {
  readonly connectorSettings: Partial<ConnectorDependencies>;
  /** Replaces the program of an installed agent by that of the version that was chosen since. */
  presentLaunch(launch: AgentLaunch): Promise<AgentLaunch> | AgentLaunch;
}

/** @param storage the extension's folder @param registry loads the registries of the window */
export async function loadConnectorSettings(storage: string, registry: () => Promise<WindowRegistry>): Promise<LoadedSettings> {
  const certificates = await systemCertificates(storage);
  return {
    presentLaunch: presentLaunches(storage, registry),
    connectorSettings: { ...connectorSettings, network: () => readNetworkVariables(certificates), follow: followStarts(storage, registry) },
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
