/** Readings of command lines are kept for later questions, within limits. */
import assert from 'node:assert/strict';
import { commandJudge } from '../../../../src/policy/commands/commandReader';
import { remembering } from '../../../../src/policy/commands/rememberedReadings';
import type { CommandPart } from '../../../../src/policy/rule';
import { realJudge, rulesOf } from './commandJudges';

describe('remembered readings', () => {
  function reader() {
    const read: string[] = [];
    const remembered = remembering({
      read: (line) => {
        read.push(line);
        return { segments: [], doubts: [{ code: line, start: 0, end: line.length }] };
      },
    });
    return { read, remembered };
  }

  it('read each line once', () => {
    const { read, remembered } = reader();
    const codes = ['a', 'b', 'a', 'b'].map((line) => remembered.read(line).doubts[0]!.code);
    assert.deepEqual(codes, ['a', 'b', 'a', 'b']);
    assert.deepEqual(read, ['a', 'b']);
  });

  it('read a line again for another folder', () => {
    const { read, remembered } = reader();
    ['/a', '/b', '/a'].forEach((cwd) => remembered.read('cd /a && x', { cwd }));
    assert.equal(read.length, 2);
  });

  it('forget the line that was not used for the longest time', () => {
    const { read, remembered } = reader();
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    lines.forEach((line) => remembered.read(line));
    remembered.read('line 0');
    remembered.read('another');
    read.length = 0;
    ['line 0', 'line 1', 'another'].forEach((line) => remembered.read(line));
    assert.deepEqual(read, ['line 1']);
  });

  it('keep no more than 64 KB of text', () => {
    const { read, remembered } = reader();
    const lines = Array.from({ length: 5 }, (_, at) => String(at).repeat(16 * 1024));
    lines.forEach((line) => remembered.read(line));
    const huge = 'x'.repeat(100_000);
    read.length = 0;
    [lines[1]!, lines[0]!, huge, huge].forEach((line) => remembered.read(line));
    assert.deepEqual(
      read.map((line) => line[0]),
      ['0', 'x', 'x'],
    );
  });
});

describe('a repeated command line', () => {
  it('is judged by the rules and by the repository’s configuration of now', async () => {
    let isRisky = false;
    const parsers = { bash: { parse: () => null }, powershell: undefined };
    const judge = commandJudge({ parsers, runsPrograms: async () => isRisky, platform: 'linux' });
    const part: CommandPart = { kind: 'command', command: 'git status', cwd: '/w' };
    const effect = async (rule: string) => (await judge.judge(part, rulesOf(rule))).effect;
    assert.equal(await effect('allow git status'), 'allow');
    assert.equal(await effect('deny git *'), 'deny');
    isRisky = true;
    assert.equal(await effect('allow git status'), undefined);
  });

  it('is judged by the reader of its shell', async () => {
    const judge = await realJudge();
    const effect = async (shell: string) =>
      (await judge.judge({ kind: 'command', command: 'npm test a', shell }, rulesOf('allow npm test *'))).effect;
    assert.deepEqual([await effect('bash'), await effect('fish'), await effect('bash')], ['allow', undefined, 'allow']);
  });
});
