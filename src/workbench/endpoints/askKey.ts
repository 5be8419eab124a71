import { isUnencrypted } from '../../application/endpoints/endpointRows';
import { type InertText, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_ADDRESS = 200;

export function endpointsTitle(): InertText {
  return t('Model Endpoints');
}

/** Asks for the key of an endpoint. Resolves to undefined when the user cancels. */
export async function askKey(address: string): Promise<string | undefined> {
  const key = await window.showInputBox({
    title: endpointsTitle(),
    prompt: isUnencrypted(address)
      ? t("The key. The address isn't encrypted, so others on the network can read the key.")
      : t("The key. It is kept in VS Code's secret storage."),
    placeHolder: inertLine(address, MAX_ADDRESS),
    password: true,
    ignoreFocusOut: true,
  });
  return key?.trim() ? key.trim() : undefined;
}

/** Asks whether an endpoint without a key is used: what the user writes is sent there. */
export async function confirmEndpoint(address: string, agentName: string): Promise<boolean> {
  const values = { address: inertLine(address, MAX_ADDRESS), agent: inertLine(agentName, MAX_ADDRESS) };
  const use = t('Use Endpoint');
  const question = t('Let {agent} send your messages and files to {address}?', values);
  return (await window.showWarningMessage(question, { modal: true }, use)) === use;
}
