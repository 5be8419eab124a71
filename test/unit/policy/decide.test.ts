/** The decision about a request, and the requests that a rule applies to. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decide } from '../../../src/policy/decide';
import { partsOf } from '../../../src/policy/agentRequests';
import type { Effect, RequestPart, Rule, RuleMatch, RuleOrigin } from '../../../src/policy/rule';

const rule = (id: string, effect: Effect, match: RuleMatch = {}, more: Partial<Rule> = {}): Rule => ({
  id,
  effect,
  match,
  reason: { code: 'rule', params: { text: id } },
  origin: 'rule',
  ...more,
});
const file = (path: string, kind: 'read' | 'write' = 'read', asked = path): RequestPart => ({ kind, path, asked });
const command = (line: string): RequestPart => ({ kind: 'command', command: line });
const about = (rules: readonly Rule[], first: RequestPart, ...more: RequestPart[]) => decide({ parts: [first, ...more] }, rules);

describe('a decision', () => {
  it('allows a request without rules, and names no rule', () => {
    assert.deepEqual(about([], file('/w/a')), { effect: 'allow' });
  });

  it('names its rule and the reason', () => {
    const deny = rule('never', 'deny');
    assert.deepEqual(about([rule('ok', 'allow'), deny], file('/w/a')), { effect: 'deny', reason: deny.reason, rule: deny });
  });

  it('is the strictest of all rules and parts, in any order', () => {
    const ORDER: readonly Effect[] = ['allow', 'ask', 'deny'];
    const effects = fc.array(fc.constantFrom<Effect>(...ORDER), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(effects, { minLength: 1, maxLength: 4 }), (parts) => {
        const rules = parts.flatMap((each, part) => each.map((effect, at) => rule(`${part}-${at}`, effect, { file: `/w/${part}` })));
        const [first, ...more] = parts.map((_, part) => file(`/w/${part}`));
        const strictest = ORDER[Math.max(...parts.flat().map((effect) => ORDER.indexOf(effect)))];
        assert.equal(about(rules, first!, ...more).effect, strictest);
      }),
    );
  });

  it('lets a permission answer the questions that it names, and no denial', () => {
    const ask = rule('protected', 'ask', {}, { origin: 'protected_path' });
    const allow = rule('ok', 'allow', {}, { answers: ['protected_path'] });
    assert.deepEqual(about([ask, allow], file('/w/a')), { effect: 'allow', reason: allow.reason, rule: allow, answered: ask });
    assert.equal(about([ask, rule('setting', 'ask', {}, { origin: 'setting' }), allow], file('/w/a')).effect, 'ask');
    const all: RuleOrigin[] = ['protected_path', 'setting', 'session', 'consent', 'agent', 'rule'];
    assert.equal(about([ask, rule('no', 'deny'), { ...allow, answers: all }], file('/w/a')).effect, 'deny');
  });

  it('answers each part of a request by itself', () => {
    const ask = rule('protected', 'ask', {}, { origin: 'protected_path' });
    const allow = rule('ok', 'allow', { file: '/w/a' }, { answers: ['protected_path'] });
    assert.equal(about([ask, allow], file('/w/a'), file('/w/b')).effect, 'ask');
  });
});

describe('a rule', () => {
  const applies = (effect: Effect, match: RuleMatch, part: RequestPart, agent?: { id?: string; name: string }): boolean =>
    decide({ ...(agent && { agent }), parts: [part] }, [rule('r', effect, match)]).rule !== undefined;

  it('applies to agents by id or name', () => {
    assert.equal(applies('deny', { agents: ['ada'] }, file('/w/a'), { id: 'ada', name: 'Ada' }), true);
    assert.equal(applies('deny', { agents: ['Ada'] }, file('/w/a'), { name: 'Ada' }), true);
    assert.equal(applies('deny', { agents: ['Bob'] }, file('/w/a'), { name: 'Ada' }), false);
    assert.equal(applies('deny', { agents: ['Ada'] }, file('/w/a')), false);
  });

  it('applies to files by pattern: a denial by one name, a permission only by all names', () => {
    const renamed = file('/w/.env', 'read', '/w/notes.txt');
    assert.equal(applies('deny', { path: '.env' }, renamed), true);
    assert.equal(applies('ask', { path: 'notes.txt' }, renamed), true);
    assert.equal(applies('allow', { path: 'notes.txt' }, renamed), false);
    assert.equal(applies('allow', { path: '.env' }, file('/w/.ENV')), true);
    assert.equal(applies('deny', { path: '.env' }, command('.env')), false);
  });

  it('has patterns that match below the folders of the session', () => {
    const below = (match: RuleMatch, name: string) =>
      decide({ roots: ['/home/w'], parts: [file(name)] }, [rule('r', 'deny', match)]).effect;
    assert.equal(below({ path: 'home' }, '/home/w/a'), 'allow');
    assert.equal(below({ path: '/a' }, '/home/w/a/b'), 'deny');
    assert.equal(below({ path: '/a' }, '/home/w/b/a'), 'allow');
    assert.equal(below({ path: 'a/b' }, '/home/w/x/../a/b'), 'deny');
  });

  const table: [pattern: string, line: string, denied: boolean, allowed: boolean][] = [
    ['git status', 'git status', true, true],
    ['git status', 'git status -s', false, false],
    ['git push *', 'git push', true, true],
    ['git push *', 'git push --force', true, true],
    ['git push *', 'git pushy', false, false],
    ['git push *', 'git push; rm -rf x', true, false],
    ['git push *', 'git push $(rm x)', true, false],
    ['git push *', 'cd x && git push', true, false],
  ];
  for (const [pattern, line, denied, allowed] of table) {
    it(`for \`${pattern}\` ${denied ? 'denies' : 'does not deny'} and ${allowed ? 'allows' : 'does not allow'} \`${line}\``, () => {
      assert.equal(applies('deny', { command: pattern }, command(line)), denied);
      assert.equal(applies('allow', { command: pattern }, command(line)), allowed);
    });
  }

  it('allows no command whose environment decides what runs', () => {
    for (const [name, allowed] of [
      ['LD_PRELOAD', false],
      ['GIT_SSH_COMMAND', false],
      ['CI', true],
    ] as const) {
      const run: RequestPart = { kind: 'command', command: 'git push', environment: [{ name, value: 'x' }] };
      assert.equal(applies('allow', { command: 'git push' }, run), allowed, name);
      assert.equal(applies('deny', { command: 'git push' }, run), true, name);
    }
  });

  it('applies to addresses by host, and to tools by kind', () => {
    assert.equal(applies('deny', { host: 'A.example' }, { kind: 'address', url: 'https://a.EXAMPLE:8443/x' }), true);
    assert.equal(applies('deny', { host: 'a.example' }, { kind: 'address', url: 'https://b.example/a.example' }), false);
    assert.equal(applies('deny', { tool: 'delete' }, { kind: 'write', tool: 'delete', asked: '/w/a', path: '/w/a' }), true);
  });
});

describe('the parts of an agent’s request', () => {
  it('are its command, its changed files, its locations and its address', () => {
    const change = { operation: 'move', path: '/w/b', oldPath: '/w/a' };
    assert.deepEqual(
      partsOf({ kind: 'edit', content: [{ type: 'diff', changes: [change] }], locations: [{ path: '/w/b' }, { path: '/w/c' }] }, 'T'),
      [
        { kind: 'write', tool: 'move', asked: '/w/b', path: '/w/b' },
        { kind: 'write', tool: 'move', asked: '/w/a', path: '/w/a' },
        { kind: 'write', tool: 'edit', asked: '/w/c', path: '/w/c' },
      ],
    );
    const [run] = partsOf({ kind: 'execute', rawInput: { command: ['git', 'push'], cwd: '/w' } }, 'T');
    assert.deepEqual(run, {
      kind: 'command',
      tool: 'execute',
      command: 'git push',
      argv: ['git', 'push'],
      cwd: '/w',
      environment: undefined,
      program: undefined,
    });
    assert.deepEqual(partsOf({ kind: 'fetch', rawInput: { url: 'https://a.example' } }, 'T'), [
      { kind: 'address', tool: 'fetch', url: 'https://a.example' },
    ]);
  });

  it('are the tool alone when the agent describes nothing else', () => {
    assert.deepEqual(partsOf({ kind: 'think' }, 'T'), [{ kind: 'tool', tool: 'think' }]);
    assert.deepEqual(partsOf({ rawInput: { url: 7, command: {} } }, 'T'), [{ kind: 'tool', tool: 'T', isTitle: true }]);
  });
});
