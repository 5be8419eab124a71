/** The notices about MCP servers that are replaced when they no longer apply. */
import assert from 'node:assert/strict';
import { settledNotices } from '../../../../src/application/mcp/serverNotices';
import type { PlannedServer } from '../../../../src/application/mcp/userServers';
import type { LeftOutReason } from '../../../../src/core/mcp/sessionServers';
import { EntryList } from '../../../../src/core/model/entries';
import type { Failure } from '../../../../src/core/model/failure';
import type { Slot } from '../../../../src/core/model/state';

const planned = (name: string, reason?: LeftOutReason): PlannedServer => ({ key: name, name, ...(reason && { reason }) }) as PlannedServer;

function settled(failure: Failure, servers: readonly PlannedServer[], isCurrent = false): unknown {
  const entry: Slot = { kind: 'notice', entryId: 'notice:n', at: 0, noticeId: 'n', severity: 'info', title: '', failure };
  const events = settledNotices({ entries: EntryList.of<Slot>([entry]) }, { servers, broken: [] }, isCurrent);
  return events.map((event) => event.type === 'notice' && [event.noticeId, event.failure?.code, event.failure?.params]);
}

describe('the notices about MCP servers', () => {
  const asks = (servers: string): Failure => ({ code: 'mcp.not_agreed', params: { agent: 'Agent', servers } });

  it('stay while no server is decided', () => {
    assert.deepEqual(settled(asks('one, two'), [planned('one', 'not_agreed'), planned('two', 'not_agreed')]), []);
  });

  it('name the servers that were allowed, and those that were not', () => {
    assert.deepEqual(settled(asks('one, two'), [planned('one'), planned('two', 'switched_off'), planned('three')]), [
      ['n', 'mcp.decided', { allowed: 'one', denied: 'two', servers: 'one, two' }],
    ]);
    assert.deepEqual(settled(asks('one, two'), [planned('one', 'switched_off'), planned('two', 'not_agreed')]), [
      ['n', 'mcp.decided', { denied: 'one', servers: 'one, two' }],
    ]);
  });

  it('report servers that are no longer configured', () => {
    assert.deepEqual(settled(asks('one'), [planned('two')]), [['n', 'mcp.decided', { servers: 'one' }]]);
  });

  it('report that values are complete', () => {
    const lacks: Failure = { code: 'mcp.input_missing', params: { agent: 'Agent', servers: 'one', subject: 'key' } };
    assert.deepEqual(settled(lacks, [planned('one', 'input_missing')]), []);
    assert.deepEqual(settled(lacks, [planned('one')]), [['n', 'mcp.settled', { servers: 'one' }]]);
  });

  it('report that the user has signed in', () => {
    const asks: Failure = { code: 'mcp.sign_in', params: { agent: 'Agent', servers: 'one, two' } };
    assert.deepEqual(settled(asks, [planned('one'), planned('two', 'sign_in')]), []);
    assert.deepEqual(settled(asks, [planned('one'), planned('two')]), [['n', 'mcp.settled', { servers: 'one, two' }]]);
  });

  it('report that the agent has the servers', () => {
    assert.deepEqual(settled({ code: 'mcp.changed' }, []), []);
    assert.deepEqual(settled({ code: 'mcp.changed' }, [], true), [['n', 'mcp.current', undefined]]);
    assert.deepEqual(settled({ code: 'mcp.unsupported', params: { servers: 'one' } }, [planned('one')], true), []);
  });
});
