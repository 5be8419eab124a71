import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_NAME = 80;

/** Asks before an agent is uninstalled. Resolves to false when the user cancels. */
export async function confirmUninstall(name: string): Promise<boolean> {
  const uninstall = t('Uninstall');
  const message = t('Uninstall {agent}?', { agent: inertLine(name, MAX_NAME) });
  const detail = t('Its sessions stay, and so does what it stores in your home folder. All of its versions are deleted.');
  return (await window.showWarningMessage(message, { modal: true, detail }, uninstall)) === uninstall;
}
