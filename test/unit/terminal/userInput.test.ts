import assert from 'node:assert/strict';
import { brokenPty, testRoom, until } from './fakes';

describe('a command that the user types into', () => {
  before(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });

  it('receives the input, and the agent reads its output', async () => {
    const { room, shown } = testRoom();
    const terminalId = await room.create({ command: 'echo asks; read x; echo got $x' });
    await until(() => shown(terminalId).includes('asks'));
    assert.equal(room.write(terminalId, 'größe\r'), true);
    assert.deepEqual(await room.waitForExit(terminalId), { exitCode: 0 });
    assert.match(room.output(terminalId).output, /^asks\ngröße\ngot größe\n$/);
    assert.equal(room.write(terminalId, 'more'), false, 'it has ended');
    await room.release(terminalId);
    assert.equal(room.write(terminalId, 'more'), false);
    assert.equal(room.write('nobody', 'more'), false);
    await room.dispose();
  });

  it('receives Ctrl+C as from a terminal', async () => {
    const { room, shown } = testRoom();
    const terminalId = await room.create({ command: 'trap "echo caught; exit 7" INT; echo waits; while :; do sleep 0.05; done' });
    await until(() => shown(terminalId).includes('waits'));
    room.write(terminalId, '\x03');
    assert.deepEqual(await room.waitForExit(terminalId), { exitCode: 7 });
    assert.match(room.output(terminalId).output, /caught/);
    await room.dispose();
  });

  it('has the size of the window in which it is shown, in order with its output', async () => {
    const { room, events, shown } = testRoom();
    const terminalId = await room.create({ command: 'stty size; while read x; do stty size; done' });
    await until(() => shown(terminalId).includes('24 120'));
    room.resize(terminalId, { columns: 61, rows: 17 });
    room.resize(terminalId, { columns: 61, rows: 17 });
    room.write(terminalId, '\r');
    await until(() => shown(terminalId).includes('17 61'));
    room.resize(terminalId, { columns: 1, rows: 1000 });
    room.write(terminalId, '\r');
    await until(() => shown(terminalId).includes('200 20'));
    const told = events
      .map((each) => (each.type === 'terminal_output' ? each.text.match(/\d+ \d+/)?.[0] : each.size))
      .filter((each) => each !== undefined);
    assert.deepEqual(told, ['24 120', { columns: 61, rows: 17 }, '17 61', { columns: 20, rows: 200 }, '200 20']);
    room.write(terminalId, '\x04');
    await room.waitForExit(terminalId);
    const before = events.length;
    room.resize(terminalId, { columns: 80, rows: 24 });
    room.resize('nobody', { columns: 80, rows: 24 });
    assert.equal(events.length, before, 'what has ended keeps its size');
    assert.match(room.output(terminalId).output, /^24 120\n\n17 61\n\n200 20\n$/, 'nothing is lost by it');
    await room.dispose();
  });

  it('receives nothing on a pipe', async () => {
    const { room, events } = testRoom({ loadPty: brokenPty });
    const terminalId = await room.create({ command: 'sleep 0.2; cat; echo end' });
    assert.equal(room.write(terminalId, 'x\r'), false);
    room.resize(terminalId, { columns: 80, rows: 20 });
    await room.waitForExit(terminalId);
    assert.equal(room.output(terminalId).output, 'end\n');
    assert.ok(events.every((each) => each.type !== 'terminal_update' || each.size === undefined));
    await room.dispose();
  });
});
