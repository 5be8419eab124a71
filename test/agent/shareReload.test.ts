/** A sharing over a reload of its window: the same address and tokens, and clients that connect again. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { watchLeaks } from '../support/leaks';
import { SharedClient, until } from '../support/share/sharedClient';
import { ASK, ShareScene } from '../support/share/shareScene';
import { buildAgent } from '../support/scenario/agents';
import { lines } from '../unit/session/earlierScene';

describe('a shared session over a reload of its window', function () {
  this.timeout(60_000);
  watchLeaks();
  let scene: ShareScene;

  before(buildAgent);
  beforeEach(async () => {
    scene = await ShareScene.open();
  });
  afterEach(() => scene.close());

  async function refusal(url: string, token: string): Promise<string> {
    const client = new SharedClient();
    scene.clients.push(client);
    return client.open(url, token).then(
      () => 'open',
      ({ message, code }: NodeJS.ErrnoException) => code ?? message,
    );
  }

  it('takes the tokens again at the same address, and not those that were revoked', async () => {
    const { url } = scene.sharing;
    const [reads, answers, revoked] = [scene.sharing.issue('read'), scene.sharing.issue('answer'), scene.sharing.issue('answer')];
    scene.sharing.revoke(revoked.slice(0, 8));
    const { given } = scene.sharing;
    await scene.leave();
    assert.equal(await refusal(url!, answers), 'ECONNREFUSED');
    for (const token of [reads, answers, revoked]) {
      assert.ok(!scene.storage.text.includes(token) && !scene.storage.text.includes(token.slice(8)));
    }

    assert.deepEqual(await scene.comeBack(), { type: 'shared' });
    assert.equal(scene.sharing.url, url);
    assert.deepEqual(scene.sharing.given, given);
    await until('the record of this window alone', () => scene.storage.secrets.size === 1);
    assert.match(await refusal(url!, revoked), /401/);
    const client = new SharedClient();
    scene.clients.push(client);
    await client.open(url!, answers);
    await client.load(scene.key);
    assert.equal(await client.prompt(scene.key, `@script ${JSON.stringify([{ say: 'Again.' }])}`), 'end_turn');
    const reader = new SharedClient();
    scene.clients.push(reader);
    await reader.open(url!, reads);
    await reader.load(scene.key);
    await assert.rejects(reader.prompt(scene.key, 'no'), /read-only/);
  });

  it('gives a window that reconnects by itself what it missed, and nothing twice', async () => {
    await scene.stage.turn({ say: 'Before.' });
    const other = scene.openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    await scene.leave();
    await until('the break', () => other.store.state.reconnect !== undefined);
    await scene.stage.turn({ say: 'Meanwhile.' });
    await scene.comeBack();
    await until('the session again', () => other.store.state.status === 'ready');
    assert.equal(other.submit([{ type: 'text', text: `@script ${JSON.stringify([{ say: 'After.' }])}` }]), undefined);
    await until('the own turn', () => other.store.state.turn === undefined && lines(other).includes('agent: After.'));
    assert.deepEqual(
      lines(other).filter((line) => line.startsWith('agent')),
      ['agent: Before.', 'agent: Meanwhile.', 'agent: After.'],
    );
    assert.equal(lines(other).filter((line) => line.startsWith('user')).length, 3);
  });

  it('gives a window the rest of a turn, whose question it answers', async () => {
    const other = scene.openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    const words = (from: number) => Array.from({ length: 20 }, (_, n) => ({ say: `w${from + n} ` }));
    scene.stage.script(...words(0), { sleep: 1500 }, ...words(20), ASK, { say: 'end' });
    await until('the first words', () => lines(other).some((line) => line.includes('w19')));
    await scene.leave();
    await scene.comeBack();
    await until('the question', () => other.store.state.pendingPermissions.length === 1);
    assert.ok(other.answerPermission(other.store.state.pendingPermissions[0]!, 'allow'));
    await scene.stage.turnEnd();
    await until('the end of the turn', () => other.store.state.turn === undefined && lines(other).some((line) => line.includes('end')));
    const said = lines(other)
      .filter((line) => line.startsWith('agent'))
      .join(' ');
    assert.deepEqual(
      said.match(/w\d+/g),
      Array.from({ length: 40 }, (_, n) => `w${n}`),
    );
  });

  it('asks a question that waits again, in each window once', async () => {
    const other = scene.openWindow('answer');
    const { store } = other;
    await until('the session', () => store.state.status === 'ready');
    scene.stage.script(ASK, { say: 'end' });
    await until('the question', () => store.state.pendingPermissions.length === 1);
    await scene.leave();
    await until('the break', () => store.state.reconnect !== undefined);
    await scene.comeBack();
    await until('the question again', () => store.state.status === 'ready' && store.state.pendingPermissions.length === 1);
    const { pendingPermissions } = scene.stage.session.store.state;
    assert.equal(pendingPermissions.length, 1);
    assert.ok(other.answerPermission(store.state.pendingPermissions[0]!, 'allow'));
    await scene.stage.turnEnd();
    await until(
      'the end of the turn',
      () => store.state.turn === undefined && lines(other).some((line) => line.startsWith('agent') && line.endsWith('end')),
    );
    assert.equal(store.state.pendingPermissions.length, 0);
    const [question] = scene.stage.session.store.state.entries.slice().filter((entry) => entry.kind === 'permission');
    assert.equal(question && 'from' in question && question.from, `ACP Host (${path.basename(scene.cwd)})`);
  });

  it('ends no prompt of a client as if its turn were over', async () => {
    const pixel = await scene.attach('answer');
    const answered = pixel.prompt(scene.key, `@script ${JSON.stringify([{ waitCancel: true }])}`).then(
      (reason) => reason,
      () => 'lost',
    );
    await until('the turn', () => scene.stage.session.store.state.turn !== undefined);
    await scene.leave();
    await until('the end of the connection', () => pixel.closed);
    assert.equal(await Promise.race([answered, new Promise((resolve) => setTimeout(() => resolve('waits'), 200))]), 'lost');
    assert.ok(scene.stage.session.store.state.turn, 'the turn goes on');
    scene.stage.session.cancel();
    await scene.stage.turnEnd();
  });

  it('removes the messages of a client that still wait when its token is revoked', async () => {
    const pixel = await scene.attach('answer');
    scene.stage.script({ waitCancel: true });
    const queued = pixel.prompt(scene.key, 'later').catch(() => 'lost');
    const { store } = scene.stage.session;
    await until('the queue', () => store.state.queue.length === 1);
    await scene.leave();
    await scene.comeBack();
    assert.equal(store.state.queue.length, 1);
    await queued;
    scene.sharing.revoke(scene.sharing.given[0]!.accessId);
    assert.equal(store.state.queue.length, 0);
    scene.stage.session.cancel();
    await scene.stage.turnEnd();
  });

  it('waits for the port, and uses no other one', async () => {
    const { url } = scene.sharing;
    const token = scene.sharing.issue('read');
    await scene.leave();
    const port = Number(new URL(url!).port);
    const program: Server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => program.listen(port, '127.0.0.1', resolve));
    const back = scene.comeBack();
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(scene.sharing.url, undefined);
    await new Promise((resolve) => program.close(resolve));
    assert.deepEqual(await back, { type: 'shared' });
    assert.equal(scene.sharing.url, url);
    assert.equal(await refusal(url!, token), 'open');
  });

  it('sends nothing to a program of another user that has taken the port', async function () {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      this.skip(); // Only root can start a program as another user.
    }
    const other = scene.openWindow('answer');
    const { store } = other;
    await until('the session', () => store.state.status === 'ready');
    const { port } = new URL(scene.sharing.url!);
    await scene.leave();
    // The program tries until the port is free, and writes what it receives.
    const script = `const server = require('net').createServer((socket) => socket.on('data', (data) => process.stdout.write(data)));
      server.on('error', () => setTimeout(() => server.listen(${port}, '127.0.0.1'), 5)).listen(${port}, '127.0.0.1', () => console.log('listens'));`;
    const program = spawn(process.execPath, ['-e', script], { cwd: '/', uid: 4242, gid: 4242 });
    let output = '';
    program.stdout.on('data', (data) => (output += String(data)));
    await until('the program', () => output !== '');
    await until('the attempt', () => store.state.failure?.code === 'remote.other_user');
    program.kill('SIGKILL');
    assert.deepEqual(await scene.comeBack(), { type: 'shared' });
    await until('the session again', () => store.state.status === 'ready', 20_000);
    assert.equal(output, 'listens\n');
  });

  it('listens nowhere when its session does not come back, or it was stopped before', async () => {
    const { url } = scene.sharing;
    const token = scene.sharing.issue('read');
    await scene.leave();
    assert.deepEqual(await scene.comeBack([]), { type: 'none' });
    assert.equal(await refusal(url!, token), 'ECONNREFUSED');
    assert.equal(scene.storage.text, '[[],[]]');

    assert.deepEqual(await scene.comeBack(), { type: 'none' });
    assert.equal(scene.sharing.url, undefined);
  });

  it('forgets a token that the next window has revoked, however soon that window ends', async () => {
    const token = scene.sharing.issue('answer');
    await scene.leave();
    await scene.comeBack();
    scene.sharing.revoke(token.slice(0, 8));
    await scene.leave();
    await scene.comeBack();
    assert.deepEqual(scene.sharing.given, []);
    assert.match(await refusal(scene.sharing.url!, token), /401/);
  });

  it('leaves nothing after Stop Sharing', async () => {
    scene.sharing.issue('read');
    await until('the record', () => scene.storage.secrets.size === 1);
    await scene.sharing.stop();
    await until('the end of the record', () => scene.storage.text === '[[],[]]');
    await scene.leave();
    assert.deepEqual(await scene.comeBack(), { type: 'none' });
  });
});
