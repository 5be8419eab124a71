/** The settings of connections, with the network of VS Code and the starts of installed agents. Loaded with the first agent. */
import type { ConnectorDependencies } from '../agents/connector';
import { connectorSettings } from '../settings/connectorSettings';
import { readNetworkVariables, systemCertificates } from '../settings/networkSettings';
import { followStarts } from './followStarts';
import type { WindowRegistry } from './windowRegistry';

/** @param storage the extension's folder @param registry loads the registries of the window */
export async function loadConnectorSettings(
  storage: string,
  registry: () => Promise<WindowRegistry>,
): Promise<{ readonly connectorSettings: Partial<ConnectorDependencies> }> {
  const certificates = await systemCertificates(storage);
  const added = { network: () => readNetworkVariables(certificates), follow: followStarts(storage, registry) };
  return { connectorSettings: { ...connectorSettings, ...added } };
}
