import assert from 'node:assert/strict';
import type { UnsentPrompt } from '../../../../src/core/protocol/view';
import { Drafts } from '../../../../src/session/journal/drafts';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';
import { SessionCommands, type SessionCommandsDependencies } from '../../../../src/workbench/sessions/sessionCommands';
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
});
