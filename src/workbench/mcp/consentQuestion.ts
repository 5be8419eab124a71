/** The question about MCP servers of a workspace: their whole text, before any of them runs. */
import { questionsFor } from '../../application/mcp/consentText';
import type { ConsentSubject } from '../../application/mcp/consents';
import type { PlannedServer } from '../../application/mcp/userServers';
import { joined } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

/** Returns the answers. A question that the user closes has none, and ends the others. */
export async function askConsents(
  servers: readonly PlannedServer[],
  activity: Pick<UserActivity, 'during'>,
): Promise<{ readonly subject: ConsentSubject; readonly isAgreed: boolean }[]> {
  const answers: { subject: ConsentSubject; isAgreed: boolean }[] = [];
  for (const { servers: asked, text } of questionsFor(servers, t)) {
    const allow = asked.length === 1 ? t('Allow Server') : t('Allow Servers');
    const never = t("Don't Ask Again");
    const risk = t(
      'A server runs with your permissions, and sees what the agent sends to it. Agents get it without another question until its text changes.',
    );
    const answer = await activity.during(() =>
      window.showWarningMessage(
        asked.length === 1
          ? t('Allow this MCP server of the workspace?')
          : t('Allow these {count} MCP servers of the workspace?', { count: asked.length }),
        { modal: true, detail: joined([text, risk], '\n\n') },
        allow,
        never,
      ),
    );
    if (answer === undefined) {
      break;
    }
    answers.push(...asked.flatMap(({ subject }) => (subject ? [{ subject, isAgreed: answer === allow }] : [])));
  }
  return answers;
}
