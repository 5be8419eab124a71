import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { watchEdits } from '../../../../src/application/mcp/editWatch';
import type { EventInput } from '../../../../src/core/model/event';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';

describe('the watch for files that an agent writes', () => {
  const watch = (...events: readonly EventInput[]) => watchIn('/w', ...events);
  const watchIn = (cwd: string, ...events: readonly EventInput[]) => {
    const store = new SessionStore(systemClock);
    const seen: string[] = [];
    const watching = watchEdits(
      { key: 's', roots: { cwd, additionalDirectories: [] }, store },
      {
        beforeWrite: (_, paths) => seen.push(`before ${paths.join(' ')}`),
        written: (_, paths) => seen.push(`written ${paths.join(' ')}`),
        forget: (key) => seen.push(`forget ${key}`),
      },
    );
    store.append({ type: 'turn_started', turnId: 't', content: [] } as never);
    events.forEach((event) => store.append(event));
    return { seen, watching, store };
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

  it('names files of a folder that was opened by a link as the editor does', async () => {
    const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'acp-watch-')));
    const [real, link] = [path.join(base, 'real'), path.join(base, 'link')];
    mkdirSync(real);
    symlinkSync(real, link, 'junction');
    const { seen, store } = watchIn(link);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const written = (file: string) => ({ type: 'file_written', file: { path: file, operation: 'modify' } }) as EventInput;
    store.append(written(path.join(real, 'sub', 'a.ts')), written(path.join(link, 'b.ts')), written(path.join(base, 'real-too', 'c.ts')));
    const names = [path.join(link, 'sub', 'a.ts'), path.join(link, 'b.ts'), path.join(base, 'real-too', 'c.ts')];
    assert.deepEqual(
      seen,
      names.map((name) => `written ${name}`),
    );
    rmSync(base, { recursive: true });
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
