/** Changes that subagents make: they belong to the turn of the session, and to the subagent that reported them. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { EventInput } from '../../../src/core/model/event';
import { entryIdOf, isAbsent } from '../../../src/core/model/state';
import { asSubagentEvents } from '../../../src/core/subagents/innerEvents';
import { withFileSubagents } from '../../../src/core/toolCalls/fileSubagents';
import type { TurnFile } from '../../../src/core/fileChanges/turnFiles';
import { writtenFile } from '../../../src/core/fileChanges/writtenFile';
import { ChangeTracking } from '../../../src/session/changeTracker';
import { SessionStore } from '../../../src/session/state/store';
import { TurnChangesCounter } from '../../../src/session/turnChangesCounter';
import { systemClock } from '../../../src/util/clock';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';
import { toolCall, toolDiff } from '../../support/events';

describe('changes of subagents', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let store: SessionStore;
  let tracking: ChangeTracking;
  let counter: TurnChangesCounter;

  const at = (name: string): string => workspace.at(name);
  const edit = (name: string, before: string | null, after: string): EventInput =>
    toolCall(`edit ${name}`, { kind: 'edit', status: 'completed', content: [toolDiff(at(name), before, after)] });
  const filesOf = (turnId: string): Record<string, readonly string[] | undefined> => {
    const slot = store.state.entries.get(entryIdOf.turn(turnId));
    assert.ok(slot?.kind === 'turn' && !isAbsent(slot));
    return Object.fromEntries(
      (slot.changes?.files ?? []).map((file: TurnFile) => [path.relative(workspace.folder, file.path), file.subagents]),
    );
  };

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write('a.txt', 'one\n');
    workspace.write('b.txt', 'one\n');
    workspace.write('c.txt', 'one\n');
    await workspace.settle();
    session = workspace.session();
    store = new SessionStore(systemClock);
    counter = new TurnChangesCounter(store, systemClock);
    tracking = new ChangeTracking(store, systemClock, session.recorder);
    store.onEvents((_, events, whole) => tracking.onEvents(events, whole));
    store.append({ type: 'session_ready', sessionId: 's' });
  });
  afterEach(() => {
    tracking.dispose();
    counter.dispose();
    workspace.dispose();
  });

  /** A turn in which subagent x edits a.txt and makes new.txt, its own subagent y edits b.txt and c.txt, and the agent edits c.txt. */
  async function turn(turnId: string): Promise<void> {
    store.append({ type: 'turn_started', turnId });
    await session.recorder.copied();
    await workspace.settle();
    store.append({ type: 'subagent_update', subagentId: 'x', patch: { title: 'Explore' } });
    store.append({ type: 'subagent_update', subagentId: 'y', parentId: 'x', patch: { title: 'Reader' } });
    workspace.write('a.txt', 'two\n');
    workspace.write('new.txt', 'new\n');
    store.append(...asSubagentEvents('x', [edit('a.txt', 'one\n', 'two\n'), edit('new.txt', null, 'new\n')]));
    workspace.write('b.txt', 'two\n');
    workspace.write('c.txt', 'two\n');
    store.append(...asSubagentEvents('y', [edit('b.txt', 'one\n', 'two\n'), edit('c.txt', 'one\n', 'two\n')]));
    workspace.write('c.txt', 'three\n');
    store.append(edit('c.txt', 'two\n', 'three\n'));
    // No call has reported this one.
    workspace.write('found.txt', 'found\n');
    store.append({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
    counter.flush();
    await tracking.settled();
  }

  it('are listed with the turn, and name the subagents that reported them', async () => {
    await turn('t');
    assert.deepEqual(filesOf('t'), { 'a.txt': ['x'], 'new.txt': ['x'], 'b.txt': ['y'], 'c.txt': ['y'], 'found.txt': undefined });
  });

  it('are undone by a restore to the message before them', async () => {
    const before = workspace.tree();
    await turn('t');
    assert.notDeepEqual(workspace.tree(), before);
    const plan = (await session.restore.toCheckpoint('t'))!;
    assert.deepEqual(plan.files.map((file) => path.relative(workspace.folder, file.path)).sort(), [
      'a.txt',
      'b.txt',
      'c.txt',
      'found.txt',
      'new.txt',
    ]);
    assert.deepEqual(
      plan.files.filter(({ changedSince }) => changedSince),
      [],
    );
    await session.restore.perform(plan);
    assert.deepEqual(workspace.tree(), before);
  });

  it('name the subagent in the review, from the newest turn that changed the file', async () => {
    await turn('t');
    const file = (name: string) => ({ path: at(name), operation: 'modify' });
    const pending = { files: ['a.txt', 'c.txt', 'found.txt'].map(file), added: 1, removed: 1 };
    const subagents = () => withFileSubagents(pending, store.state)?.files.map((each) => each.subagents);
    assert.deepEqual(subagents(), [['x'], ['y'], undefined]);
    store.append({ type: 'turn_started', turnId: 'u' });
    store.append({ type: 'file_written', file: writtenFile(at('a.txt'), 'two\n', 'three\n') });
    assert.deepEqual(subagents(), [undefined, ['y'], undefined]);
    store.append({ type: 'file_written', file: writtenFile(at('a.txt'), 'three\n', 'four\n', 'y') });
    assert.deepEqual(subagents(), [['y'], ['y'], undefined]);
    store.append({ type: 'turn_ended', turnId: 'u', stopReason: 'end_turn' });
    counter.flush();
    assert.deepEqual(filesOf('u'), { 'a.txt': ['y'] });
  });
});
