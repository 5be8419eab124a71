import type { ProcessLaunch } from '../../core/model/agentLaunch';
import type { start } from '../../core/protocol/channels/start';
import type { Sessions } from '../../session/sessions';
import { runsAsNode } from '../../application/agents/demoLaunch';
import { readChatLocation } from '../chat/chatLocation';
import type { StartPageDependencies } from '../../application/start/startPage';
import type { CodeBlocks } from '../code/codeBlocks';
import type { SessionCommands } from '../sessions/sessionCommands';
import { feature } from '../routing/feature';

interface StartServices {
  readonly journals: StartPageDependencies['journals'];
  readonly sessions: Pick<Sessions, 'all'>;
  readonly demo: ProcessLaunch;
  readonly code: Pick<CodeBlocks, 'lastDocument'>;
  readonly sessionCommands: Pick<SessionCommands, 'actions'>;
}

export default feature<typeof start, StartServices>(({ journals, sessions, demo, code, sessionCommands }) => ({
  start_page: async (_, { session, post }) => {
    const { startPageFor } = await import('../start/startPageFacts');
    const content = await startPageFor(session, {
      journals,
      sessions: sessions.all,
      isDemo: session.launch !== undefined && runsAsNode(session.launch, demo),
      document: code.lastDocument,
      location: readChatLocation(),
    });
    post({ type: 'start_page', ...content });
  },
  open_session: async ({ sessionKey }) => (await sessionCommands.actions()).openKept(sessionKey),
}));
