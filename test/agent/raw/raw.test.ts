/**
 * The raw JSON-RPC cases, played by an agent's process against the whole stack: process, connection, dialect, session and rooms. All cases
 * are played in the same turn, so that none may break the ones after it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { entryIdOf } from '../../../src/core/model/state';
import { expectNoChildren } from '../../support/leaks';
import { Stage } from '../../support/scenario/stage';
import type { Played } from './agent';
import { CASES } from './cases';
import { rawAgent, turnEnd } from './launch';
import { ROOM_CASES } from './serviceCases';

describe('raw agent', function () {
  this.timeout(120_000);
  let played: readonly Played[] = [];
  let stage: Stage;
  let cwd: string;

  before(async () => {
    cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'raw-')));
    const answer = (title: string): string | undefined =>
      title === 'ask odd' ? 'odd' : title === 'ask' || title === 'Run a command' ? 'allow' : undefined;
    stage = new Stage(cwd, { launch: rawAgent('cases'), answer });
    await stage.file('calc.js', 'text\n');
    await stage.ready();
    const ended = turnEnd(stage);
    stage.prompt('go');
    await ended;
    played = JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8')) as Played[];
  });

  after(async () => {
    await stage.close();
    await expectNoChildren();
    stage.checkFold();
    stage.checkFrames();
    await rm(cwd, { recursive: true, force: true });
  });

  describe('receives the specified answer', () => {
    for (const { name, answers } of [...CASES, ...ROOM_CASES]) {
      it(name, () => {
        const { actual, broken } = played.find((each) => each.name === name)!;
        assert.equal(broken, undefined);
        assert.deepEqual(actual, [...answers].sort());
      });
    }
  });

  it('plays every case within one turn and session', () => {
    assert.deepEqual(
      played.map(({ name }) => name),
      [...CASES, ...ROOM_CASES].map(({ name }) => name),
    );
    const { status, turn } = stage.session.store.state;
    assert.deepEqual([status, turn], ['ready', undefined]);
  });

  it('logs oversized lines; large and deeply nested data reaches the session', () => {
    assert.equal(stage.lines.filter((line) => /^log A line of 1352\d+ bytes is over the limit and was skipped: /.test(line)).length, 3);
    const { entries } = stage.session.store.state;
    const large = entries.get(entryIdOf.toolCall('large'));
    assert.equal(large?.kind === 'tool_call' && 'title' in large && large.title?.length, 25 * 1024 * 1024);
    assert.equal(entries.get(entryIdOf.toolCall('deep'))?.kind, 'tool_call');
    assert.ok([...entries].some((slot) => slot.kind === 'unknown' && 'label' in slot && slot.label === 'deep'));
  });

  it('writes only the requested files', () => {
    const files = [...stage.buffers.disk.files].map(([file, bytes]) => [path.basename(file), Buffer.from(bytes).toString()]);
    assert.deepEqual(Object.fromEntries(files), { 'calc.js': 'text\n', 'new.js': 'new\n' });
  });
});
