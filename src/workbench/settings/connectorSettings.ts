/** The settings that each connection to an agent reads when it needs them. Loaded with the first agent. */
import * as vscode from 'vscode';
import { lineLimitOf } from '../../acp/transport/ndjson';
import { settings } from '../../application/shared/ids';
import type { ConnectorDependencies } from '../agents/connector';
import { maxMessageSize, readUserValue } from './agentSettings';
import { readNetworkVariables, systemCertificates } from './networkSettings';

/** @param storage the extension's folder */
export async function loadConnectorSettings(storage: string): Promise<{ readonly connectorSettings: Partial<ConnectorDependencies> }> {
  const certificates = await systemCertificates(storage);
  return { connectorSettings: { ...connectorSettings, network: () => readNetworkVariables(certificates) } };
}

const connectorSettings = {
  /** `acpHost.maxMessageSize` of the user, in bytes. */
  maxLineBytes: (): number => lineLimitOf(maxMessageSize().value),
  /** `acpHost.adapterExtensions` of the user. */
  adapterExtensions: (): boolean => readUserValue(settings.adapterExtensions, false).value === true,
  /** `acpHost.traceContext`. It reveals nothing, so a trusted workspace may set it. */
  isTraced: (): boolean => vscode.workspace.getConfiguration().get(settings.traceContext) === true,
};
