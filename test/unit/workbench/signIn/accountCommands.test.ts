/** Sign In and Sign Out, as commands and on the page of one agent. */
import assert from 'node:assert/strict';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import type { AccountCommands } from '../../../../src/workbench/signIn/accountCommands';
import { enterVscode } from '../../../support/fakeVscode';

describe('the account commands', () => {
  const shown: string[] = [];
  const picked: string[][] = [];
  let leave: () => void;
  let Commands: typeof AccountCommands;

  before(() => {
    const l10n = {
      t: (text: string, values: Record<string, string> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!),
    };
    leave = enterVscode({
      l10n,
      window: {
        showInformationMessage: async (text: string) => void shown.push(text),
        showQuickPick: async (rows: { label: string }[]) => (picked.push(rows.map(({ label }) => label)), rows[0]),
      },
    });
    Commands = (
      require('../../../../src/workbench/signIn/accountCommands') as typeof import('../../../../src/workbench/signIn/accountCommands')
    ).AccountCommands;
  });
  after(() => leave());
  beforeEach(() => {
    shown.splice(0);
    picked.splice(0);
  });

  function scene() {
    const calls: string[] = [];
    const session = (agentId: string) => ({
      agentId,
      agentName: `Agent ${agentId}`,
      store: {
        state: {
          ...EMPTY_STATE,
          status: 'ready',
          authMethods: [{ methodId: 'web', name: 'Web' }],
          capabilities: { ...EMPTY_STATE.capabilities, logout: true },
        },
      },
      signIn: (methodId: string) => calls.push(`${agentId} signs in by ${methodId}`),
      signOut: () => calls.push(`${agentId} signs out`),
    });
    const sessions = [session('a'), session('b')];
    const commands = new Commands({
      account: {} as never,
      activity: { during: (run: () => unknown) => run() } as never,
      agents: () => sessions,
      sessions: () => sessions as never,
      active: () => sessions[0] as never,
      show: () => undefined,
    });
    return { calls, commands };
  }

  it('act on the session in front', async () => {
    const { calls, commands } = scene();
    await commands.signOut();
    assert.equal(await commands.signIn(), true);
    assert.deepEqual(calls, ['a signs out', 'a signs in by web']);
  });

  it('act on the agent whose page they are on, not on the session in front', async () => {
    const { calls, commands } = scene();
    await commands.signOut('b');
    assert.equal(await commands.signIn('b'), true);
    assert.deepEqual(calls, ['b signs out', 'b signs in by web']);
  });

  it('leave it to the caller to start a session of an agent that has none', async () => {
    const { calls, commands } = scene();
    assert.equal(await commands.signIn('c'), false);
    assert.deepEqual(shown, []);
    await commands.signOut('c');
    assert.deepEqual([shown, calls], [['No running session of c can sign out. Start one, then sign out.'], []]);
  });
});
