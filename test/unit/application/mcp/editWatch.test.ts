import assert from 'node:assert/strict';
import { watchEdits } from '../../../../src/application/mcp/editWatch';
import type { EventInput } from '../../../../src/core/model/event';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';

describe('the watch for files that an agent writes', () => {
  const watch = (...events: readonly EventInput[]) => {
    const store = new SessionStore(systemClock);
    const seen: string[] = [];
    const watching = watchEdits(
      { key: 's', roots: { cwd: '/w', additionalDirectories: [] }, store },
      {
        beforeWrite: (_, paths) => seen.push(`before ${paths.join(' ')}`),
        written: (_, paths) => seen.push(`written ${paths.join(' ')}`),
        forget: (key) => seen.push(`forget ${key}`),
      },
    );
    store.append({ type: 'turn_started', turnId: 't', content: [] } as never);
    events.forEach((event) => store.append(event));
    return { seen, watching };
  };
  const call = (patch: object): EventInput => ({ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'T', ...patch } });
  const diff = { type: 'diff', changes: [{ operation: 'modify', path: '/w/b.ts', oldText: 'a', newText: 'b' }] };

  it('reports its edits, before and after', () => {
    const locations = [{ path: '/w/a.ts' }];
    const { seen } = watch(
      call({ kind: 'edit', status: 'pending', locations }),
      call({ status: 'in_progress' }),
      call({ status: 'completed' }),
      call({ status: 'completed', rawOutput: 1 }),
    );
    assert.deepEqual(seen, ['before /w/a.ts', 'before /w/a.ts', 'written /w/a.ts']);
  });

  it('reports the files of diffs in calls of any kind', () => {
    assert.deepEqual(watch(call({ kind: 'other', status: 'completed', content: [diff] })).seen, ['written /w/b.ts']);
  });

  it('reports writes through the host', () => {
    const { seen } = watch({ type: 'file_written', file: { path: '/w/c.ts', operation: 'modify' } } as EventInput);
    assert.deepEqual(seen, ['written /w/c.ts']);
  });

  it('ignores reads, searches and failed calls', () => {
    const locations = [{ path: '/w/a.ts' }];
    const { seen, watching } = watch(
      call({ kind: 'read', status: 'completed', locations }),
      call({ kind: 'search', status: 'pending', locations }),
    );
    assert.deepEqual(seen, []);
    watching.dispose();
    assert.deepEqual(seen, ['forget s']);
    assert.deepEqual(watch(call({ kind: 'edit', status: 'failed', locations })).seen, ['before /w/a.ts']);
  });
});
