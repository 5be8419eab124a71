/** Asks for an agent's sign-in method when no conversation can show the question. */
import type { AuthMethod } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { methodRows } from '../../application/signIn/signInRows';
import type { UserActivity } from '../shared/userActivity';
import { type QuickPickOptions, window } from '../shared/window';
import { failureText } from '../../application/shared/failureText';

/** Resolves to undefined when the user cancels. @param failure the reason for the question */
export async function chooseMethod(
  activity: UserActivity,
  agentName: string,
  methods: readonly AuthMethod[],
  failure?: Failure,
): Promise<AuthMethod | undefined> {
  const options: QuickPickOptions = {
    title: t('Sign in to {agent}', { agent: inertLine(agentName, 80) }),
    placeHolder: failure ? failureText(failure, t) : t('Select a sign-in method'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  };
  return (await activity.during(() => window.showQuickPick(methodRows(methods, t), options)))?.method;
}
