/** The texts about signing in at the agent. */
import type { AuthMethod } from '../../src/core/model/content';
import type { SessionState } from '../../src/core/model/state';
import { signedInText, signInWaitsText } from '../../src/text/messages/signIns';
import { t } from '../base/l10n';
import { oneLine } from '../../src/text/characters/textSafety';

/** The most methods that are shown; agents usually have a handful. */
export const MAX_METHODS = 20;

export function methodName({ name, methodId }: AuthMethod): string {
  return oneLine(name, 100) || oneLine(methodId, 100);
}

/** The effect of choosing the method; '' when only the agent knows it. */
export function methodHow({ type, command, args = [], vars = [], asks }: AuthMethod): string {
  if (asks) {
    return asks === 'key' ? t('Asks for an API key.') : t('Asks for a gateway.');
  }
  if (type === 'terminal') {
    return command === undefined
      ? t('Opens a terminal.')
      : t('Runs this in a terminal: {command}', { command: oneLine([command, ...args].join(' '), 2000) });
  }
  if (vars.length === 0) {
    return '';
  }
  const names = vars.map(({ name, label, optional }) => {
    const what = label === undefined ? oneLine(name, 80) : `${oneLine(label, 80)} (${oneLine(name, 80)})`;
    return optional ? t('{what}, optional', { what }) : what;
  });
  return t('Asks for: {variables}', { variables: names.join('; ') });
}

/** The state of the user's sign-in; '' when it is unknown, because many agents have no sign-in. */
export function accountText(signIn: SessionState['signIn'], account?: SessionState['account']): string {
  const label = account?.label;
  switch (signIn?.status ?? (account?.state === 'unauthenticated' ? 'signed_out' : label && 'signed_in')) {
    case 'signed_in':
      return label ? t('Signed in: {account}', { account: oneLine(label, 80) }) : signedInText(true, t);
    case 'signed_out':
      return signedInText(false, t);
    case 'running':
      return signInWaitsText(t);
    case 'required':
    case 'failed':
      return t('Sign-in required');
    case 'dismissed':
      return signIn?.failure ? t('Sign-in required') : '';
    default:
      return '';
  }
}
