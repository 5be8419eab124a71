/** The text that a window leaves at the keeper of an agent, for the next window. */
import assert from 'node:assert/strict';
import type { KeptAgent } from '../../../src/core/keeper/keptAgent';
import type { McpServer } from '../../../src/core/mcp/mcpServer';
import type { AgentConnection } from '../../../src/session/agent/agentConnection';
import { followFrames, type KeptSession } from '../../../src/session/agent/keptFrames';
import { FakeClock } from './permission/fakes';

describe('the note at a keeper', () => {
  it('has the sessions of the agent, their servers, and the values that the next window must not store', () => {
    const clock = new FakeClock();
    const notes: [string, boolean][] = [];
    const kept = {
      position: { id: 'K', handling: undefined, handled: 0, isRepeated: false },
      onHandled: () => ({ dispose: () => undefined }),
      servers: { one: { type: 'acp', name: 'vscode', serverId: 'earlier' }, other: { type: 'acp', name: 'vscode', serverId: 'y' } },
      stored: () => undefined,
      note: (...note) => void notes.push(note),
    } as Partial<KeptAgent> as KeptAgent;
    const connection = {} as AgentConnection;
    const sessions: KeptSession[] = [];
    let server: McpServer | undefined;
    let secrets: readonly string[] = ['s3cret'];
    const following = followFrames(
      connection,
      kept,
      clock,
      () => sessions,
      () => undefined,
      () => secrets,
      (key) => (key === 'one' ? server : undefined),
    );
    assert.deepEqual(notes, [], 'no value without a session');
    sessions.push({ session: { key: 'one', connection, store: { state: { status: 'ready', sessionId: 'S' } } }, journal: undefined });
    following.changed();
    secrets = ['s3cret', 'of-a-server'];
    following.changed();
    clock.pass(1000);
    server = { type: 'acp', name: 'vscode', serverId: 'x' };
    following.changed();
    clock.pass(1000);
    server = undefined;
    following.changed();
    clock.pass(1000);
    const note = (values: readonly string[], serverId: string): string =>
      JSON.stringify({ keys: ['one'], secrets: values, servers: { one: { type: 'acp', name: 'vscode', serverId } } });
    assert.deepEqual(notes, [
      [note(['s3cret'], 'earlier'), true],
      [note(['s3cret', 'of-a-server'], 'earlier'), true],
      [note(['s3cret', 'of-a-server'], 'x'), true],
      [note(['s3cret', 'of-a-server'], 'earlier'), true],
    ]);
    following.dispose();
  });
});
