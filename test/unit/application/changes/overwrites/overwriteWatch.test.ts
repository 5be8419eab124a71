/** Follows the files of permission requests, and finds saved lines that an agent's write has removed. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { CHECK_MS, OverwriteWatch } from '../../../../../src/application/changes/overwrites/overwriteWatch';
import type { TextStep } from '../../../../../src/changes/hunks/replayTurn';
import type { EventInput, SessionEvent } from '../../../../../src/core/model/event';
import { EMPTY_STATE, entryIdOf, type PermissionEntry, type SessionState } from '../../../../../src/core/model/state';
import { reduce } from '../../../../../src/core/reduce/reduce';
import { FakeClock } from '../../../session/permission/fakes';

const FILE = '/w/cart.js';
const BASE = 'one\ntwo\nthree\nfour\nfive\n';
const MINE = BASE.replace('five', 'five // mine');
const FIX = BASE.replace('two', 'TWO');
const BOTH = MINE.replace('two', 'TWO');

class Stage {
  readonly clock = new FakeClock();
  readonly disk = new Map([[FILE, BASE]]);
  readonly events: EventInput[] = [];
  readonly followed = new Map<string, () => void>();
  steps: readonly TextStep[] | undefined;
  state: SessionState = EMPTY_STATE;
  readonly watch = new OverwriteWatch({
    clock: this.clock,
    store: this as never,
    agentName: 'Agent',
    resolve: async (file) => (file.startsWith('/w/') ? file : undefined),
    nameOf: (real) => real.slice(3),
    read: async (real) => this.disk.get(real),
    follow: (real, changed) => {
      this.followed.set(real, changed);
      return { dispose: () => void this.followed.delete(real) };
    },
    steps: () => this.steps,
  });

  get seq(): number {
    return this.events.length;
  }

  append(...events: EventInput[]): void {
    for (const event of events) {
      this.events.push(event);
      const stamped = { ...event, at: this.clock.now() } as SessionEvent;
      this.state = reduce(this.state, stamped);
      this.watch.onEvents([stamped], false);
    }
  }

  async request(subject = {}, permissionId = 'p1'): Promise<void> {
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    this.append({
      type: 'permission_requested',
      permissionId,
      title: 'Edit',
      options,
      subject: { toolCallId: 't1', kind: 'edit', locations: [{ path: FILE }], ...subject },
    });
    await this.settle();
  }

  async saves(text: string): Promise<void> {
    this.disk.set(FILE, text);
    this.watch.userSaved(FILE, text);
    await this.settle();
  }

  /** Another program writes the file. */
  async writes(text: string): Promise<void> {
    this.disk.set(FILE, text);
    this.followed.get(FILE)?.();
    await this.settle();
  }

  answer(optionId = 'yes', permissionId = 'p1'): void {
    this.append({ type: 'permission_resolved', permissionId, outcome: 'selected', optionId });
  }

  call(status: string): void {
    this.append({ type: 'tool_call_update', toolCallId: 't1', patch: { title: 'Edit', kind: 'edit', status } });
  }

  async finish(status = 'completed'): Promise<void> {
    this.call(status);
    this.clock.pass(CHECK_MS);
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let left = 10; left > 0; left--) {
      await setImmediate();
    }
  }

  get outdated(): readonly string[] | undefined {
    return (this.state.entries.get(entryIdOf.permission('p1')) as PermissionEntry).outdated;
  }

  get notices(): readonly unknown[] {
    return this.events.flatMap((event) => (event.type === 'notice' ? [[event.failure!.code, event.failure!.params!.path]] : []));
  }
}

describe('the files of permission requests', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
    stage.append({ type: 'turn_started', turnId: 'turn' });
    stage.call('pending');
  });

  it('are outdated when the user or another program has written them, until they are as before', async () => {
    await stage.request();
    assert.equal(stage.outdated, undefined);
    await stage.saves(MINE);
    assert.deepEqual(stage.outdated, [FILE]);
    await stage.writes(FIX);
    await stage.writes(BASE);
    assert.deepEqual(stage.outdated, []);
    await stage.writes(FIX);
    assert.deepEqual(stage.outdated, [FILE]);
    assert.deepEqual(
      stage.events.flatMap((event) => (event.type === 'permission_outdated' ? [event.paths.length] : [])),
      [1, 0, 1],
    );
  });

  it('come from the diffs, or from the call where the request names none', async () => {
    await stage.request({ locations: [], content: [{ type: 'diff', changes: [{ operation: 'modify', path: FILE }] }] });
    assert.deepEqual([...stage.followed.keys()], [FILE]);
    stage.answer('no');
    assert.deepEqual([...stage.followed.keys()], []);
    stage.append({ type: 'tool_call_update', toolCallId: 't1', patch: { locations: [{ path: FILE }] } });
    await stage.request({ locations: [] }, 'p2');
    assert.deepEqual([...stage.followed.keys()], [FILE]);
  });

  it('are not followed for commands, questions of ACP Host, and files outside of the session', async () => {
    await stage.request({ kind: 'execute' });
    await stage.request({ reason: { type: 'rule', rule: 'r' } }, 'p2');
    await stage.request({ locations: [{ path: '/etc/hosts' }] }, 'p3');
    assert.deepEqual([...stage.followed.keys()], []);
  });

  it('are bounded for an agent that asks hundreds of questions', async () => {
    const name = (index: number): string => `/w/${index}.js`;
    const ask = async (count: number, text: string): Promise<void> => {
      for (let index = 0; index < count; index++) {
        stage.disk.set(name(index), text);
        await stage.request({ locations: [{ path: name(index) }] }, `p${index}`);
      }
    };
    await ask(150, BASE);
    assert.equal(stage.followed.size, 100);
    for (let index = 0; index < 150; index++) {
      stage.answer('no', `p${index}`);
    }
    assert.equal(stage.followed.size, 0);
    await ask(20, 'a'.repeat(2 * 1024 * 1024));
    assert.equal(stage.followed.size, 8);
  });

  it('are read back by the comparison while the request waits', async () => {
    await stage.request();
    assert.deepEqual(stage.watch.changesOf(entryIdOf.permission('p1')), []);
    await stage.saves(MINE);
    assert.deepEqual(stage.watch.changesOf(entryIdOf.permission('p1')), [{ path: FILE, base: BASE, saved: MINE }]);
    stage.answer();
    assert.deepEqual(stage.watch.changesOf(entryIdOf.permission('p1')), []);
  });
});

describe('lines that were saved while a request waited', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = new Stage();
    stage.append({ type: 'turn_started', turnId: 'turn' });
    stage.call('pending');
    await stage.request();
    await stage.saves(MINE);
  });

  it('are reported once when the agent wrote its earlier text', async () => {
    stage.answer();
    stage.disk.set(FILE, FIX);
    await stage.finish();
    assert.deepEqual(stage.notices, [['changes.overwritten', 'cart.js']]);
    const { noticeId } = stage.events.find((event) => event.type === 'notice')!;
    assert.deepEqual(stage.watch.changesOf(entryIdOf.notice(noticeId)), [{ path: FILE, base: BASE, saved: MINE }]);
    stage.append({ type: 'turn_ended', turnId: 'turn', stopReason: 'end_turn' });
    stage.clock.pass(CHECK_MS);
    await stage.settle();
    assert.equal(stage.notices.length, 1);
  });

  it('are not reported when they are kept, or come back in time', async () => {
    stage.answer();
    stage.disk.set(FILE, FIX);
    stage.call('completed');
    stage.clock.pass(CHECK_MS / 2);
    stage.disk.set(FILE, BOTH);
    stage.clock.pass(CHECK_MS);
    await stage.settle();
    assert.deepEqual(stage.notices, []);
  });

  it('are reported as uncertain where the agent wrote the same lines, or removed the file', async () => {
    stage.answer();
    stage.disk.set(FILE, BASE.replace('five', 'FIVE'));
    await stage.finish();
    assert.deepEqual(stage.notices, [['changes.maybe_overwritten', 'cart.js']]);
  });

  it('are not compared after a refusal', async () => {
    stage.answer('no');
    stage.disk.set(FILE, FIX);
    await stage.finish('failed');
    assert.deepEqual(stage.notices, []);
  });

  it('are compared at the end of the turn when the call reports no end', async () => {
    stage.answer();
    stage.disk.set(FILE, FIX);
    stage.append({ type: 'turn_ended', turnId: 'turn', stopReason: 'end_turn' });
    stage.clock.pass(CHECK_MS);
    await stage.settle();
    assert.deepEqual(stage.notices, [['changes.overwritten', 'cart.js']]);
  });
});

describe('lines that the user saved in a turn without requests', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = new Stage();
    stage.append({ type: 'turn_started', turnId: 'turn' });
    stage.call('in_progress');
    await stage.saves(MINE);
  });

  it('are reported when a later text of the agent lacks them', async () => {
    stage.steps = [
      { author: 'agent', text: BASE },
      { author: 'user', text: MINE },
      { author: 'agent', text: FIX },
    ];
    stage.disk.set(FILE, FIX);
    await stage.finish();
    assert.deepEqual(stage.notices, [['changes.overwritten', 'cart.js']]);
  });

  it('are reported when the editor has not read the agent’s text yet, at the end of the turn', async () => {
    stage.steps = [
      { author: 'agent', text: BASE },
      { author: 'user', text: MINE },
    ];
    stage.disk.set(FILE, FIX);
    stage.append({ type: 'turn_ended', turnId: 'turn', stopReason: 'end_turn' });
    stage.steps = undefined;
    stage.clock.pass(CHECK_MS);
    await stage.settle();
    assert.deepEqual(stage.notices, [['changes.overwritten', 'cart.js']]);
  });

  it('are not reported when they are kept, and forgotten with the next turn', async () => {
    stage.disk.set(FILE, BOTH);
    stage.steps = [
      { author: 'agent', text: BASE },
      { author: 'user', text: MINE },
      { author: 'agent', text: BOTH },
    ];
    await stage.finish();
    stage.append({ type: 'turn_ended', turnId: 'turn', stopReason: 'end_turn' }, { type: 'turn_started', turnId: 'next' });
    stage.clock.pass(CHECK_MS);
    await stage.settle();
    stage.disk.set(FILE, FIX);
    stage.steps = [{ author: 'agent', text: FIX }];
    await stage.finish();
    assert.deepEqual(stage.notices, []);
  });
});
