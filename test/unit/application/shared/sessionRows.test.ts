import assert from 'node:assert/strict';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { overviewOf, statusBarText } from '../../../../src/application/sessions/overview';
import { journaledRow, sessionRow } from '../../../../src/application/shared/sessionRows';
import { loadTitles } from '../../../../src/application/shared/sessionTitle';
import { english } from '../english';

const state = (over: Partial<SessionState>): SessionState => ({ ...EMPTY_STATE, agentName: 'Codex', cwd: '/work', ...over });
const turn = { turnId: 't', startedAt: 0, cancelling: false };

describe('sessions in a list', () => {
  it('show their title, state and folder', () => {
    assert.deepEqual(sessionRow(state({ status: 'ready', title: 'Fix $(x)\u202e' }), english), {
      label: 'Fix $\u2060(x)‹U+202E›',
      description: 'idle',
      detail: 'Codex in /work',
    });
    assert.equal(sessionRow(state({}), english).label, 'Codex');
  });

  it('are named by their first prompt until the agent gives a title', async () => {
    const firstPrompt = { messageId: 'm', text: 'Fix `add` $(x)' };
    await loadTitles();
    assert.equal(sessionRow(state({ firstPrompt }), english).label, 'Fix add $\u2060(x)');
    assert.equal(sessionRow(state({ firstPrompt, title: 'Calculator' }), english).label, 'Calculator');
  });

  it('show that another window has them', () => {
    const summary = { key: 'k', agentName: 'Codex', cwd: '/work', createdAt: 0, title: 'Fix', marks: {} };
    const words = (isElsewhere: boolean) => journaledRow(summary, 7_200_000, 'en', english, isElsewhere).description;
    assert.deepEqual([words(false), words(true)], ['2 hours ago', 'open in another window · 2 hours ago']);
  });

  it("show what the user must do before the agent's state", () => {
    assert.equal(sessionRow(state({ status: 'ready', turn }), english).description, 'working');
    assert.equal(sessionRow(state({ status: 'ready', turn, pendingPermissions: ['p'] }), english).description, 'needs your answer');
    assert.equal(sessionRow(state({ status: 'starting' }), english).description, 'starting');
    const terminals = { t: { terminalId: 't', ours: true, output: '', dropped: 0, waiting: true } };
    assert.equal(sessionRow(state({ status: 'ready', turn, terminals }), english).description, 'needs input');
    const both = state({ status: 'ready', turn, terminals, pendingPermissions: ['p'] });
    assert.equal(sessionRow(both, english).description, 'needs your answer');
    assert.equal(sessionRow(state({ status: 'starting', signIn: { status: 'required' } }), english).description, 'needs your answer');
  });
});

describe('sessions in the status bar', () => {
  it('show the number of running ones and of those that need the user', () => {
    const overview = overviewOf([
      state({ status: 'starting' }),
      state({ status: 'ready' }),
      state({ status: 'ready', turn, pendingPermissions: ['p', 'q'] }),
      state({ status: 'ended' }),
      state({ status: 'failed' }),
      state({ status: 'disconnected' }),
    ]);
    assert.deepEqual(overview, { running: 3, needing: 1, questions: 2, pending: 0 });
    assert.deepEqual(statusBarText(overview, english, 2), {
      text: '$(comment-discussion) 3 $(bell-dot) 2 questions $(pass) 2',
      tooltip: '3 agent sessions are running, 1 needs your answer, 2 are done',
    });
    assert.equal(
      statusBarText({ running: 0, needing: 0, questions: 0, pending: 0 }, english, 1)?.text,
      '$(comment-discussion) 0 $(pass) 1',
    );
    assert.deepEqual(statusBarText(overview, english), {
      text: '$(comment-discussion) 3 $(bell-dot) 2 questions',
      tooltip: '3 agent sessions are running, 1 needs your answer',
    });
  });

  it('count the files with changes to review, also when none is running', () => {
    const [one, two] = ['/w/a.ts', '/w/b.ts'].map((path) => ({ path, operation: 'modify' }));
    const pending = (...files: object[]) => ({ files, added: 1, removed: 0 }) as never;
    const stopped = { ...(pending(one!, two!) as object), more: 1 } as never;
    assert.deepEqual(statusBarText(overviewOf([state({ status: 'disconnected', pendingChanges: stopped })]), english), {
      text: '$(diff) 3',
      tooltip: '3 files have changes to review',
    });
    const running = [state({ status: 'ready', pendingChanges: pending(one!) }), state({ status: 'ready', pendingChanges: pending(one!) })];
    assert.deepEqual(statusBarText(overviewOf(running), english), {
      text: '$(comment-discussion) 2 $(diff) 1',
      tooltip: '2 agent sessions are running, 1 file has changes to review',
    });
  });

  it('are hidden when none is running', () => {
    assert.equal(statusBarText(overviewOf([state({ status: 'ended' })]), english), undefined);
    assert.equal(statusBarText({ running: 1, needing: 0, questions: 0, pending: 0 }, english)!.tooltip, '1 agent session is running');
  });
});
