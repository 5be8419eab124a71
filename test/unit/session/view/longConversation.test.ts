/** A view receives a long conversation once, as one window of it. */
import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import type { ToView } from '../../../../src/core/protocol/view';
import { ViewFeed } from '../../../../src/session/view/feed';
import type { Session } from '../../../../src/session/session';
import { Sessions } from '../../../../src/session/sessions';
import { fakeDependencies, launch } from '../fakes';
import { stamped } from '../../../support/events';

const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };
/** The number of UTF-16 units that a page can process without a noticeable delay. The bodies alone would be twenty times that. */
const LIGHT = 3 * 1024 * 1024;

/** A ready page of this session, which draws each message within a frame. */
function watch(session: Session, clock: ReturnType<typeof fakeDependencies>['clock']): { got: ToView[]; feed: ViewFeed } {
  const got: ToView[] = [];
  const post = (message: ToView): void => {
    got.push(message);
    if ('seq' in message) {
      const seq = message.type === 'events' ? message.next : message.seq;
      clock.after(16, () => feed.handle({ type: 'drawn', seq }));
    }
  };
  const feed: ViewFeed = new ViewFeed(session.store, post, clock);
  feed.handle({ type: 'ready' });
  return { got, feed };
}

const text = (length: number): { type: 'text'; text: string } => ({ type: 'text', text: 'x '.repeat(length / 2) });

/** 50,000 events of 12,500 entries: each message in three chunks, each tool call with its end. */
function events(): SessionEvent[] {
  const events: EventInput[] = [
    { type: 'session_opened', agentName: 'Fake', cwd: '/w' },
    { type: 'session_ready', sessionId: 'S' },
  ];
  for (let n = 0; events.length < 50_000; n++) {
    events.push(
      ...Array.from(
        { length: 6 },
        (_, piece): EventInput => ({
          type: 'message_chunk',
          role: piece < 3 ? 'thought' : 'agent',
          messageId: `m${n}`,
          content: text(1000),
        }),
      ),
      { type: 'tool_call_update', toolCallId: `c${n}`, patch: { title: `Read ${n}`, kind: 'read', status: 'in_progress' } },
      {
        type: 'tool_call_update',
        toolCallId: `c${n}`,
        patch: { status: 'completed', content: [{ type: 'content', content: text(2000) }] },
      },
    );
  }
  return stamped(events, 0, 1);
}

describe('a long conversation', () => {
  it('is sent as one window when it is restored from its journal', async () => {
    const { deps, journals, clock } = fakeDependencies();
    const header = { acpHostJournal: 1, key: 'long', agentName: 'Fake', cwd: '/w', createdAt: 1 };
    const lines = events().map((event, seq) => JSON.stringify({ seq, event }));
    journals.set('long', [JSON.stringify(header), ...lines].join('\n') + '\n');
    const sessions = new Sessions(deps);
    const session = (await sessions.restore('long', () => launch()))!;
    const { got } = watch(session, clock);
    clock.pass(10_000);
    assert.deepEqual(
      got.map(({ type }) => type),
      ['snapshot'],
    );
    const [message] = got;
    assert.ok(message?.type === 'snapshot');
    const { snapshot, seq } = message;
    assert.equal(seq, session.store.seq);
    assert.ok(snapshot.ids.length > 18_000 && snapshot.ids.length === snapshot.kinds.length);
    assert.ok(snapshot.bodies.length <= 60, `${snapshot.bodies.length} bodies`);
    assert.equal(
      snapshot.bodies.some(({ entryId }) => entryId === snapshot.ids.at(-1)),
      true,
      'the tail first',
    );
    assert.ok(JSON.stringify(message).length < LIGHT, `${JSON.stringify(message).length} units`);
    sessions.dispose();
  });

  it('shows progress while the agent replays it, then is sent as one window', () => {
    const { deps, agents, clock } = fakeDependencies();
    const session = new Sessions(deps).create(launch(), setup, { sessionId: 'OLD' });
    const [agent] = agents;
    agent!.offer('load');
    agent!.ready(agent!.dialect);
    const { got } = watch(session, clock);
    got.length = 0;
    for (let n = 0; n < 5000; n++) {
      agent!.client.onUpdate('OLD', [{ type: 'message_chunk', role: n % 2 ? 'agent' : 'user', messageId: `m${n}`, content: text(1000) }]);
      if (n % 50 === 0) {
        clock.pass(50);
      }
    }
    const told = got.flatMap((message) => (message.type === 'events' ? message.events : assert.fail(message.type)));
    assert.ok(
      told.every(({ type }) => type === 'start_progress'),
      'nothing of it is shown before it is whole',
    );
    assert.ok(told.length >= 10 && told.length <= 25, `${told.length} reports of 5,000 updates in five seconds`);
    assert.ok(
      told.every(
        (event, index) => index === 0 || (event as { updates: number }).updates > (told[index - 1] as { updates: number }).updates,
      ),
    );
    got.length = 0;
    agent!.again[0]!({ ok: true, value: { sessionId: 'OLD', events: [] } });
    agent!.client.onUpdate('OLD', [{ type: 'message_chunk', role: 'agent', messageId: 'm4999', content: text(2) }]);
    clock.pass(1000);
    assert.deepEqual(
      got.map(({ type }) => type),
      ['snapshot', 'events'],
    );
    assert.ok(got[0]?.type === 'snapshot' && got[0].snapshot.ids.length === 5000 && got[0].snapshot.bodies.length <= 60);
    assert.ok(JSON.stringify(got[0]).length < LIGHT);
  });

  it('can be cancelled during a replay, and drops later updates silently', () => {
    const { deps, agents, clock } = fakeDependencies();
    const session = new Sessions(deps).create(launch(), setup, { sessionId: 'OLD' });
    const [agent] = agents;
    agent!.offer('load');
    agent!.ready(agent!.dialect);
    const { got } = watch(session, clock);
    const tell = () => agent!.client.onUpdate('OLD', [{ type: 'message_chunk', role: 'user', messageId: 'm', content: text(1000) }]);
    for (let n = 0; n < 1000; n++) {
      tell();
    }
    clock.pass(300);
    session.act('cancel_start');
    assert.deepEqual(agent!.sent.at(-1), ['give up', 'load']);
    clock.pass(300);
    got.length = 0;
    assert.equal(session.store.state.status, 'failed');
    for (let n = 0; n < 1000; n++) {
      tell();
    }
    clock.pass(1000);
    assert.deepEqual(got, []);
    assert.equal(session.store.state.entries.length, 0);
  });
});
