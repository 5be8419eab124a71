/** A shared session that is opened in another window of ours: what it receives, and what it shows. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { refusalOf, requestsOf, shownOutcome } from '../../src/core/approval/requests';
import { entryIdOf, isAbsent } from '../../src/core/model/state';
import { isTemporary } from '../../src/core/reconnect/reconnect';
import type { Sharing } from '../../src/share/sharing';
import { startActions } from '../../webview/failures/failureActions';
import { watchLeaks } from '../support/leaks';
import { until } from '../support/share/sharedClient';
import { ASK, ShareScene } from '../support/share/shareScene';
import { buildAgent } from '../support/scenario/agents';
import type { Stage } from '../support/scenario/stage';
import { lines } from '../unit/session/earlierScene';

describe('a shared session in another window', function () {
  this.timeout(60_000);
  watchLeaks();
  let scene: ShareScene;
  let stage: Stage;
  let sharing: Sharing;

  before(buildAgent);
  beforeEach(async () => {
    scene = await ShareScene.open();
    ({ stage, sharing } = scene);
  });
  afterEach(() => scene.close());

  it('is opened through an agent at its address', async () => {
    await stage.turn({ say: 'From the first window.' });
    const other = scene.openWindow('answer');
    const { store } = other;
    await until('the session', () => store.state.status === 'ready');
    const texts = (): string => JSON.stringify(store.state.entries.slice());
    assert.match(texts(), /From the first window\./);
    assert.equal(other.submit([{ type: 'text', text: `@script ${JSON.stringify([ASK, { say: 'To both.' }])}` }]), undefined);
    await until('the question', () => store.state.pendingPermissions.length === 1);
    assert.ok(other.answerPermission(store.state.pendingPermissions[0]!, 'allow'));
    await until('the end of the turn', () => store.state.turn === undefined && texts().includes('To both.'));
    const name = `ACP Host (${path.basename(scene.cwd)})`;
    assert.deepEqual(
      stage.session.store.state.entries.slice().flatMap((entry) => ('from' in entry ? [entry.kind, entry.from] : [])),
      ['message', name, 'permission', name],
    );
  });

  it('shows that a question was answered elsewhere, and by whom', async () => {
    const other = scene.openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    const pixel = await scene.attach('answer', { name: 'Pixel', permission: (_, signal) => asked(signal) });
    let answer: (() => void) | undefined;
    const asked = (signal: AbortSignal) =>
      new Promise<never>((resolve, reject) => {
        answer = () => resolve({ outcome: { outcome: 'selected', optionId: 'allow' } } as never);
        signal.addEventListener('abort', () => reject(new Error('withdrawn')));
      });
    const ends = (): string[] =>
      other.store.state.entries
        .slice()
        .flatMap((entry) => (entry.kind === 'permission' && !isAbsent(entry) ? [`${entry.outcome?.type} ${entry.from}`] : []));
    const waits = (): boolean => other.store.state.pendingPermissions.length === 1;

    stage.script(ASK);
    await until('the question', () => waits() && pixel.questions.length === 1);
    stage.session.answerPermission(stage.session.store.state.pendingPermissions[0]!, 'allow');
    await stage.turnEnd();
    await until('the end', () => ends().length === 1 && !waits());

    stage.script(ASK);
    await until('the second question', () => waits() && pixel.questions.length === 2);
    answer!();
    await stage.turnEnd();
    await until('the second end', () => ends().length === 2 && !waits());

    stage.script(ASK);
    await until('the third question', waits);
    stage.session.cancel();
    await stage.turnEnd();
    await until('the third end', () => ends().length === 3 && !waits());
    assert.deepEqual(ends(), [`withdrawn ACP Host (${path.basename(scene.cwd)})`, 'withdrawn Pixel', 'withdrawn undefined']);
    const call = other.store.state.entries.get(entryIdOf.toolCall('call'));
    assert.ok(call?.kind === 'tool_call' && !isAbsent(call));
    const requests = requestsOf(call, other.store.state.entries);
    assert.deepEqual(
      requests.map((request, index) => [shownOutcome(request), refusalOf({ status: 'pending' }, requests.slice(0, index + 1))]),
      [
        ['elsewhere', undefined],
        ['elsewhere', undefined],
        ['withdrawn', 'cancelled'],
      ],
    );
  });

  it('shows the turns that it did not start, with their ends', async () => {
    const other = scene.openWindow('answer');
    const { store } = other;
    await until('the session', () => store.state.status === 'ready');
    await stage.turn({ say: 'A short answer.' });
    await until('the end of the short turn', () => lines(other).some((line) => line.startsWith('turn')));
    assert.deepEqual(lines(other).slice(1), ['agent: A short answer.', 'turn end_turn']);
    stage.script({ say: 'Much to do.' }, { waitCancel: true });
    await until('the turn', () => store.state.turn !== undefined && lines(other).includes('agent: Much to do.'));
    assert.equal(other.store.state.work, undefined);
    other.cancel();
    await stage.turnEnd();
    await until('its end', () => store.state.turn === undefined && lines(other).at(-1) === 'turn cancelled');
    assert.equal(other.submit([{ type: 'text', text: `@script ${JSON.stringify([{ say: 'Mine.' }])}` }]), undefined);
    await until('the own turn', () => store.state.turn === undefined && lines(other).includes('agent: Mine.'));
    assert.deepEqual(lines(other).slice(-2), ['agent: Mine.', 'turn end_turn']);

    stage.script({ say: 'Again. ' }, { waitCancel: true });
    await until('the turn', () => stage.session.store.state.turn !== undefined);
    const late = scene.openWindow('read');
    await until('the turn in a window that is opened meanwhile', () => late.store.state.turn !== undefined);
    stage.session.cancel();
    await stage.turnEnd();
    await until('its end there', () => late.store.state.turn === undefined);
  });

  it('has the turns of the meantime when it is opened again', async () => {
    await stage.turn({ say: 'First answer.' });
    const other = scene.openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    assert.equal(other.submit([{ type: 'text', text: `@script ${JSON.stringify([{ say: 'Second answer.' }])}` }]), undefined);
    await until('the turn', () => lines(other).some((line) => line.startsWith('turn')));
    await other.end();
    await until('the end', () => other.store.state.status === 'ended');
    stage.script({ say: 'Third answer.' });
    // The end of a turn alone may be that of the second one.
    await until('the third turn', () => lines(stage.session).slice(-2).join() === 'agent: Third answer.,turn end_turn');
    other.resume();
    await until('the session again', () => other.store.state.status === 'ready');
    assert.deepEqual(
      lines(other).filter((line) => line.startsWith('agent')),
      ['agent: First answer.', 'agent: Second answer.', 'agent: Third answer.'],
    );
    assert.equal(lines(other).filter((line) => line.startsWith('user')).length, 3);
    assert.deepEqual(
      lines(other).filter((line) => line.startsWith('notice')),
      [],
    );
  });

  it('knows that the access is read-only', async () => {
    await stage.turn({ say: 'To read.' });
    const other = scene.openWindow('read');
    await until('the session', () => other.store.state.status === 'ready');
    assert.equal(other.store.state.capabilities.readOnly, true);
    assert.deepEqual(other.submit([{ type: 'text', text: 'no' }]), { code: 'session.read_only' });
    const writer = scene.openWindow('answer');
    await until('the other session', () => writer.store.state.status === 'ready');
    assert.equal(writer.store.state.capabilities.readOnly, undefined);
  });

  it('leads a new session to those that are shared', async () => {
    const other = scene.openWindow('answer', null);
    await until('the failure', () => other.store.state.status === 'failed');
    assert.deepEqual(other.store.state.failure, { code: 'session.only_shared' });
    assert.deepEqual(startActions(other.store.state), ['browse_agent_history', 'show_log']);
  });

  it('stays disconnected until its user reconnects', async () => {
    const other = scene.openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    sharing.disconnect(sharing.attached[0]!.clientId);
    await until('the end of the connection', () => other.store.state.status === 'disconnected');
    const { failure, reconnect } = other.store.state;
    assert.deepEqual([failure?.code, isTemporary(failure), reconnect], ['remote.disconnected', false, undefined]);
    assert.equal(sharing.attached.length, 0);
    assert.equal(other.act('reconnect'), true);
    await until('the session again', () => other.store.state.status === 'ready');
    assert.equal(sharing.attached.length, 1);
  });
});
