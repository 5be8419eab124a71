import type { elicitation } from '../../core/protocol/channels/elicitation';
import { entryIdOf, isAbsent } from '../../core/model/state';
import type { Session } from '../../session/session';
import type { OpenHandlers } from '../links/openHandlers';
import { feature } from '../routing/feature';

interface ElicitationServices {
  openHandlers(): Promise<Pick<OpenHandlers, 'openPage'>>;
}

export default feature<typeof elicitation, ElicitationServices>(({ openHandlers }) => {
  const openPageOf = async ({ elicitations, store }: Session, requestKey: string): Promise<boolean> => {
    const url = elicitations.pageOf(requestKey);
    if (url === undefined) {
      return false;
    }
    const entry = store.state.entries.get(entryIdOf.elicitation(requestKey));
    const message = entry?.kind === 'elicitation' && !isAbsent(entry) ? entry.message : '';
    await (await import('../signIn/signInHelp')).preparePage(url, message);
    return (await openHandlers()).openPage(url);
  };
  return {
    // Opens a requested web page first: the agent learns of the user's consent only when the page was opened. The view is notified of every answer that
    // was not sent.
    answer_elicitation: async ({ requestKey, action, content }, { session, post }) => {
      const { elicitations } = session;
      if (action === 'accept' && elicitations.pageOf(requestKey) !== undefined && !(await openPageOf(session, requestKey))) {
        post({ type: 'elicitation_problems', requestKey, problems: [] });
        return;
      }
      const problems = await elicitations.answer(requestKey, action, content);
      if (problems.length > 0) {
        post({ type: 'elicitation_problems', requestKey, problems });
      }
    },
    open_elicitation: ({ requestKey }, { session }) => openPageOf(session, requestKey),
  };
});
