import assert from 'node:assert/strict';
import type { UnsentPrompt } from '../../../../src/core/protocol/view';
import { Drafts } from '../../../../src/session/journal/drafts';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';
import { attachedNotice } from '../../../../src/application/sessions/continuation';
import { SessionCommands, type SessionCommandsDependencies } from '../../../../src/workbench/sessions/sessionCommands';
import { enterVscode } from '../../../support/fakeVscode';
import { quiet } from '../../session/fakes';

describe('a new session', () => {
  it('has its draft before its page opens, and only once', async () => {
    const drafts = new Drafts({ writeDraft: () => Promise.resolve(), readDraft: () => Promise.resolve(undefined) }, quiet);
    const draft: UnsentPrompt = { at: 5, content: [{ type: 'text', text: 'half a written thou' }] };
    const steps: unknown[] = [];
    const session = { key: 'new', agentName: 'A', store: new SessionStore(systemClock), open: () => steps.push('opened') };
    const deps = {
      drafts,
      agents: () => ({ catalog: { entries: [] } }),
      sessions: { prepare: () => session },
      panels: { open: ({ key }: { key: string }) => steps.push(drafts.get(key)) },
      account: { load: () => Promise.resolve() },
    } as unknown as SessionCommandsDependencies;
    const choice = {} as Parameters<SessionCommands['start']>[0];
    const source = new SessionCommands(deps);
    await source.start(choice, {}, { draft });
    assert.deepEqual(steps, [draft, 'opened']);
    drafts.forget('new');
    await source.start(choice);
    assert.deepEqual(steps.slice(2), [undefined, 'opened']);
  });

  it('contains what it continues before its page opens', async () => {
    const store = new SessionStore(systemClock);
    const shown: unknown[] = [];
    const deps = {
      agents: () => ({ catalog: { entries: [] } }),
      sessions: { prepare: () => ({ key: 'new', agentName: 'A', store, open: () => undefined }) },
      panels: { open: () => shown.push(store.state.title, store.state.entries.length) },
      account: { load: () => Promise.resolve() },
    } as unknown as SessionCommandsDependencies;
    const events = [{ type: 'session_info', title: 'Create hello' } as const, attachedNotice()];
    await new SessionCommands(deps).start({} as Parameters<SessionCommands['start']>[0], {}, { events });
    assert.deepEqual(shown, ['Create hello', 1]);
  });

  it('uses the agent that was just chosen while that is still starting', async () => {
    const folder = { name: 'w', uri: { scheme: 'file', fsPath: '/w' } };
    const leave = enterVscode({
      workspace: {
        workspaceFolders: [folder],
        isTrusted: true,
        getWorkspaceFolder: () => folder,
        getConfiguration: () => ({ get: () => '' }),
      },
      Uri: { file: (fsPath: string) => ({ fsPath }) },
      l10n: { t: (message: string) => message },
      window: {},
    });
    try {
      const entryOf = (agentName: string) => ({ agentId: agentName, agentName, source: 'user', launch: { agentId: agentName } });
      const started: { key: string; agentId: string; store: SessionStore; open(): void }[] = [];
      const deps = {
        agents: () => ({ catalog: { entries: [entryOf('Earlier'), entryOf('Chosen')], problems: [] }, settings: { ignored: [] } }),
        globalState: { get: (key: string, otherwise?: unknown) => (key === 'recentAgents' ? ['Earlier'] : otherwise) },
        workspaceState: { get: () => undefined },
        globalStorageUri: { fsPath: '/storage' },
        isRestricted: () => false,
        settledAgents: () => Promise.resolve(),
        sessions: {
          prepare: ({ agentId }: { agentId: string }) => {
            started.push({ key: String(started.length), agentId, store: new SessionStore(systemClock), open: () => undefined });
            return started.at(-1);
          },
          get: (key: string) => started.find((session) => session.key === key),
        },
        panels: { open: () => undefined },
        account: { load: () => Promise.resolve() },
      } as unknown as SessionCommandsDependencies;
      const source = new SessionCommands(deps);
      await source.create({}, 'last');
      started.at(-1)!.store.append({ type: 'session_failed', failure: { code: 'agent.not_found' } });
      await source.create({ agentName: 'Chosen' });
      await source.create({}, 'last');
      started.at(-1)!.store.append({ type: 'session_failed', failure: { code: 'agent.not_found' } });
      await source.create({}, 'last');
      assert.deepEqual(
        started.map(({ agentId }) => agentId),
        ['Earlier', 'Chosen', 'Chosen', 'Earlier'],
      );
    } finally {
      leave();
    }
  });
});
