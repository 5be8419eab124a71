/** The rules of permission modes, repeated calls and earlier answers. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PermissionMode } from '../../../src/core/modes/permissionMode';
import { agentRequestSource } from '../../../src/policy/agentRequests';
import { decide, type Decision } from '../../../src/policy/decide';
import { GivenAnswers } from '../../../src/policy/modes/answers';
import { rulesOfMode } from '../../../src/policy/modes/modeSource';
import { Repetitions } from '../../../src/policy/modes/repetition';
import type { PolicyRequest, RequestPart, Rule } from '../../../src/policy/rule';

const agentAsks = agentRequestSource.rulesFor({ parts: [{ kind: 'tool', tool: 'other' }] }) as readonly Rule[];

describe('a permission mode', () => {
  let folder: string;
  let outside: string;
  const at = (name: string): string => path.join(folder, name);

  before(() => {
    const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-modes-')));
    [folder, outside] = [path.join(root, 'work'), path.join(root, 'outside')];
    mkdirSync(folder);
    mkdirSync(outside);
    symlinkSync(outside, at('link'));
  });
  after(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

  /** The decision about the agent's own request for these parts. */
  async function decided(
    mode: PermissionMode,
    first: RequestPart,
    more: { parts?: RequestPart[]; rules?: Rule[] } = {},
  ): Promise<Decision> {
    const request: PolicyRequest = { parts: [first, ...(more.parts ?? [])] };
    const rules = await rulesOfMode(mode, request, { cwd: folder, additionalDirectories: [] });
    return decide(request, [...agentAsks, ...(more.rules ?? []), ...rules]);
  }
  const effect = async (...args: Parameters<typeof decided>) => (await decided(...args)).effect;
  const write = (file: string, tool?: string): RequestPart => ({
    kind: 'write',
    asked: file,
    path: file,
    ...(tool !== undefined && { tool }),
  });
  const command: RequestPart = { kind: 'command', command: 'npm test' };

  it('adds no rules for Ask', async () => {
    assert.equal(await effect('ask', write(at('a.ts'))), 'ask');
    assert.equal(await effect('ask', command), 'ask');
  });

  it('accepts edits in the folders only, for Accept edits', async () => {
    assert.equal(await effect('acceptEdits', write(at('a.ts'), 'edit')), 'allow');
    assert.equal(await effect('acceptEdits', write(at('new/b.ts'))), 'allow');
    assert.equal(await effect('acceptEdits', { ...write(at('a.ts')), kind: 'change' } as RequestPart), 'allow');
    assert.equal(await effect('acceptEdits', write(path.join(outside, 'a.ts'))), 'ask');
    assert.equal(await effect('acceptEdits', write(at('link/a.ts'))), 'ask', 'through a link');
    assert.equal(await effect('acceptEdits', write(at('../outside/a.ts'))), 'ask');
    assert.equal(await effect('acceptEdits', write('a.ts')), 'ask', 'a relative path');
    assert.equal(await effect('acceptEdits', write(folder)), 'ask', 'the folder itself');
  });

  it('asks about everything else, for Accept edits', async () => {
    assert.equal(await effect('acceptEdits', write(at('a.ts'), 'delete')), 'ask');
    assert.equal(await effect('acceptEdits', write(at('a.ts'), 'move')), 'ask');
    assert.equal(await effect('acceptEdits', command), 'ask');
    assert.equal(await effect('acceptEdits', write(at('a.ts'), 'edit'), { parts: [command] }), 'ask');
    assert.equal(await effect('acceptEdits', { kind: 'tool', tool: 'edit' }), 'ask', 'an edit of an unknown file');
  });

  it('refuses edits and commands, whatever allows them, for Plan only', async () => {
    const allow: Rule = { id: 'a', effect: 'allow', match: {}, reason: { code: 'rule' }, origin: 'rule', answers: ['agent', 'setting'] };
    const parts: RequestPart[] = [
      write(at('a.ts')),
      write(at('a.ts'), 'edit'),
      { ...write(at('a.ts')), kind: 'change' } as RequestPart,
      command,
      ...['edit', 'delete', 'move', 'execute'].map((tool): RequestPart => ({ kind: 'tool', tool })),
      { kind: 'read', asked: at('a.ts'), path: at('a.ts'), tool: 'execute' },
    ];
    for (const part of parts) {
      assert.equal(await effect('planOnly', part, { rules: [allow] }), 'deny', JSON.stringify(part));
    }
    for (const tool of ['read', 'search', 'fetch', 'think', 'switch_mode', 'other']) {
      assert.equal(await effect('planOnly', { kind: 'tool', tool }), 'ask', tool);
    }
    assert.equal(await effect('planOnly', { kind: 'read', asked: at('a.ts'), path: at('a.ts') }), 'ask');
  });

  it('leaves denials, ask rules, protected paths and plans, for Allow everything', async () => {
    const rule = (more: Partial<Rule>): Rule => ({ id: 'r', effect: 'ask', match: {}, reason: { code: 'rule' }, origin: 'rule', ...more });
    assert.equal(await effect('allowEverything', command), 'allow');
    assert.equal(await effect('allowEverything', write(path.join(outside, 'a.ts'))), 'allow');
    assert.equal(await effect('allowEverything', { kind: 'tool', tool: 'other' }), 'allow');
    assert.equal(await effect('allowEverything', command, { rules: [rule({ effect: 'deny' })] }), 'deny');
    assert.equal(await effect('allowEverything', command, { rules: [rule({})] }), 'ask');
    assert.equal(await effect('allowEverything', command, { rules: [rule({ origin: 'protected_path' })] }), 'ask');
    assert.equal(await effect('allowEverything', command, { rules: [rule({ origin: 'setting' })] }), 'allow');
    assert.equal(await effect('allowEverything', { kind: 'tool', tool: 'switch_mode' }), 'ask');
  });
});

describe('a repeated call', () => {
  const part: RequestPart = { kind: 'command', command: 'npm test' };
  const allow: Rule = { id: 'r', effect: 'allow', match: {}, reason: { code: 'rule' }, origin: 'rule', answers: ['agent'] };
  const allowed = decide({ parts: [part] }, [...agentAsks, allow]);
  const effects = (repetitions: Repetitions, count: number, content: unknown = undefined, decision = allowed) =>
    Array.from({ length: count }, () => repetitions.check(decision, [part], content).effect);

  it('asks at the third time, and the count begins again', () => {
    const repetitions = new Repetitions(() => 'turn');
    assert.deepEqual(effects(repetitions, 7), ['allow', 'allow', 'ask', 'allow', 'allow', 'ask', 'allow']);
  });

  it('is told apart by the end of a long text', () => {
    const repetitions = new Repetitions(() => 'turn');
    const text = 'x'.repeat(5000);
    assert.deepEqual(effects(repetitions, 2, `${text}a`), ['allow', 'allow']);
    assert.deepEqual(effects(repetitions, 3, `${text}b`), ['allow', 'allow', 'ask']);
    assert.deepEqual(effects(repetitions, 1, `${text}a`), ['ask']);
  });

  it('has the same content, in the same turn', () => {
    let turn = 'one';
    const repetitions = new Repetitions(() => turn);
    assert.deepEqual(effects(repetitions, 2, 'a'), ['allow', 'allow']);
    assert.deepEqual(effects(repetitions, 2, 'b'), ['allow', 'allow']);
    turn = 'two';
    assert.deepEqual(effects(repetitions, 2, 'a'), ['allow', 'allow']);
    assert.deepEqual(effects(repetitions, 1, 'a'), ['ask']);
  });

  it('counts only where a rule, a mode or an earlier answer decides', () => {
    const repetitions = new Repetitions(() => 'turn');
    const session = decide({ parts: [part] }, [...agentAsks, { ...allow, origin: 'session' }]);
    assert.deepEqual(effects(repetitions, 4, 's', session), ['allow', 'allow', 'allow', 'allow']);
    assert.deepEqual(effects(repetitions, 4, 'n', { effect: 'allow' }), ['allow', 'allow', 'allow', 'allow']);
    const unasked = decide({ parts: [part] }, [allow]);
    assert.deepEqual(effects(repetitions, 4, 'u', unasked), ['allow', 'allow', 'allow', 'allow']);
  });
});

describe('an earlier answer', () => {
  const always = { optionId: 'always', name: 'Always', kind: 'allow_always' };
  const never = { optionId: 'never', name: 'Never', kind: 'reject_always' };
  const run = (command: string) => ({ kind: 'execute', rawInput: { command } });

  it('holds for the same command only', () => {
    const answers = new GivenAnswers();
    answers.remember(run('npm test'), 'Run', always);
    const [rule] = answers.rulesFor(run('npm test'), 'Another title');
    assert.deepEqual(
      [rule?.effect, rule?.origin, rule?.reason],
      ['allow', 'answer', { code: 'answered_before', params: { text: 'Always' } }],
    );
    assert.deepEqual(answers.rulesFor(run('npm test && rm -rf /'), 'Run'), []);
    assert.deepEqual(answers.rulesFor({ ...run('npm test'), cwd: '/elsewhere' }, 'Run'), []);
  });

  it('holds for the same files, or the same tool', () => {
    const answers = new GivenAnswers();
    const edit = (file: string) => ({ kind: 'edit', locations: [{ path: file }] });
    answers.remember(edit('/w/a'), 'Edit', never);
    assert.equal(answers.rulesFor(edit('/w/a'), 'Edit')[0]?.effect, 'deny');
    assert.deepEqual(answers.rulesFor(edit('/w/b'), 'Edit'), []);
    answers.remember({ kind: 'other', rawInput: { query: 'one' } }, 'mcp: search', always);
    assert.equal(answers.rulesFor({ kind: 'other', rawInput: { query: 'two' } }, 'mcp: search').length, 1);
    assert.deepEqual(answers.rulesFor({ kind: 'other' }, 'mcp: write'), []);
    answers.remember({ kind: 'edit', rawInput: { file: 'a' } }, 'Edit', always);
    assert.deepEqual(answers.rulesFor({ kind: 'edit', rawInput: { file: 'b' } }, 'Edit'), [], 'a file that only the input names');
  });

  it('does not hold for further permissions of the same command', () => {
    const answers = new GivenAnswers();
    const wanting = (host: string) => ({ kind: 'execute', rawInput: { command: 'npm i', additionalPermissions: { network: host } } });
    answers.remember(wanting('a.example'), 'Run', always);
    assert.equal(answers.rulesFor(wanting('a.example'), 'Run').length, 1);
    assert.deepEqual(answers.rulesFor(wanting('b.example'), 'Run'), []);
    assert.deepEqual(answers.rulesFor(run('npm i'), 'Run'), []);
  });

  it('is not one for once', () => {
    const answers = new GivenAnswers();
    answers.remember(run('npm test'), 'Run', { optionId: 'yes', name: 'Yes', kind: 'allow_once' });
    assert.deepEqual(answers.rulesFor(run('npm test'), 'Run'), []);
  });

  it('names only an option that the agent offers again with the same meaning', () => {
    const answers = new GivenAnswers();
    answers.remember(run('npm test'), 'Run', always);
    const once = { optionId: 'always', name: 'Reject', kind: 'reject_once' };
    assert.equal(answers.optionIn([always], run('npm test'), 'Run'), 'always');
    assert.equal(answers.optionIn([once], run('npm test'), 'Run'), undefined);
    assert.equal(answers.optionIn([never], run('npm test'), 'Run'), undefined);
  });
});
