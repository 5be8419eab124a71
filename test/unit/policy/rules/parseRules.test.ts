import assert from 'node:assert/strict';
import { MAX_RULES, parseRules, readRule } from '../../../../src/policy/rules/parseRules';

const FOLDER = process.platform === 'win32' ? 'C:\\w' : '/w';

function problemOf(rule: unknown, only?: 'deny') {
  const read = readRule(rule, only);
  return 'problem' in read ? [read.problem.code, read.problem.detail] : 'none';
}

describe('the rules of a setting', () => {
  it('are empty like the setting', () => {
    assert.deepEqual(parseRules(undefined), { rules: [], broken: [], ids: [] });
    assert.deepEqual(parseRules([]), { rules: [], broken: [], ids: [] });
  });

  it('get an id from their content, which their message does not change', () => {
    const [one, other, third] = [{ message: 'No' }, {}, { agent: 'ada' }].map(
      (more) => parseRules([{ effect: 'deny', command: 'git push *', ...more }]).rules[0]!,
    );
    assert.match(one!.id, /^[0-9a-f]{10}$/);
    assert.equal(one!.id, other!.id);
    assert.notEqual(one!.id, third!.id);
  });

  it('keep an id that is written, unless two rules have it', () => {
    const { rules } = parseRules([
      { id: 'mine', effect: 'deny', tool: 'delete' },
      { id: 'mine', effect: 'ask', tool: 'edit' },
    ]);
    assert.deepEqual([rules.length, rules[0]!.id, rules[1]!.effect], [2, 'mine', 'ask']);
  });

  for (const [what, rule, problem] of [
    ['no object', 7, ['not_an_object', undefined]],
    ['an unknown effect', { effect: 'permit', tool: 'edit' }, ['effect', 'permit']],
    ['no effect', { tool: 'edit' }, ['effect', undefined]],
    ['a misspelt member', { effect: 'deny', comand: 'git push *' }, ['unknown_member', 'comand']],
    ['a number', { effect: 'deny', command: 7 }, ['not_a_text', 'command']],
    ['an empty text', { effect: 'deny', command: ' ' }, ['not_a_text', 'command']],
    ['examples that are no list', { effect: 'deny', command: 'a', match: 'a' }, ['not_texts', 'match']],
    ['an allow of everything', { effect: 'allow' }, ['no_subject', undefined]],
    ['an allow of everything by one agent', { effect: 'allow', agent: 'ada', folder: FOLDER }, ['no_subject', undefined]],
    ['two subjects', { effect: 'allow', command: 'a', path: 'src' }, ['two_subjects', 'path, command']],
    ['a command of a tool', { effect: 'allow', command: 'a', tool: 'execute' }, ['two_subjects', 'tool, command']],
    ['a pattern without a name', { effect: 'allow', path: '/' }, ['path', '/']],
    ['a pattern that goes up', { effect: 'allow', path: '../x' }, ['path', '../x']],
    ['a pattern that takes long', { effect: 'deny', path: '/**/a/**/a/**/a/**/a/**/a' }, ['path', '/**/a/**/a/**/a/**/a/**/a']],
    ['a host with a path', { effect: 'allow', host: 'a.example/x' }, ['host', 'a.example/x']],
    ['every host', { effect: 'allow', host: '*' }, ['host', '*']],
    ['every host of a top-level domain', { effect: 'allow', host: '*.com' }, ['host', '*.com']],
    ['three parts of an MCP tool', { effect: 'allow', mcp: 'a/b/c' }, ['mcp', 'a/b/c']],
    ['a relative folder', { effect: 'allow', tool: 'edit', folder: 'w' }, ['folder', 'w']],
    ['examples of everything', { effect: 'deny', match: ['x'] }, ['examples_without_subject', undefined]],
  ] as const) {
    it(`are not in force with ${what}`, () => assert.deepEqual(problemOf(rule), problem));
  }

  for (const rule of [
    { effect: 'deny' },
    { effect: 'ask', agent: 'ada' },
    { effect: 'allow', tool: 'edit', path: '/src', folder: FOLDER },
    { effect: 'allow', path: '**/*.md' },
    { effect: 'allow', host: '*.a.example' },
    { effect: 'allow', host: '[::1]' },
    { effect: 'allow', mcp: 'github' },
    { effect: 'allow', mcp: 'github/get_issue' },
    { effect: 'deny', command: 'git push *', message: 'Ask first.', match: ['git push'], notMatch: ['git status'] },
  ]) {
    it(`accept ${JSON.stringify(rule)}`, () => assert.equal(problemOf(rule), 'none'));
  }

  it('suspend permissions when a rule that may deny cannot be read', () => {
    const suspends = (rule: unknown): boolean => parseRules([rule]).broken[0]!.suspendsAllows;
    assert.equal(suspends({ effect: 'deny', comand: 'x' }), true);
    assert.equal(suspends({ effect: 'dney', command: 'x' }), true, 'the effect is not known');
    assert.equal(suspends(7), true);
    assert.equal(suspends({ effect: 'ask', path: '' }), true);
    assert.equal(suspends({ effect: 'allow', comand: 'x' }), false, 'it cannot deny anything');
    assert.equal(parseRules({ 'git push': 'deny' }).broken[0]!.suspendsAllows, true);
  });

  it('leave the other rules in force', () => {
    const { rules, broken } = parseRules([{ effect: 'deny', command: 'a' }, 7, { effect: 'deny', command: 'b' }]);
    assert.deepEqual(
      rules.map(({ command }) => command),
      ['a', 'b'],
    );
    assert.deepEqual(
      broken.map(({ index, problem }) => [index, problem.code]),
      [[1, 'not_an_object']],
    );
  });

  it('only deny in a workspace', () => {
    const { rules, broken } = parseRules([{ command: 'a' }, { effect: 'allow', command: 'b' }, { effect: 'deny', command: 'c' }], 'deny');
    assert.deepEqual(
      rules.map(({ effect, command }) => [effect, command]),
      [
        ['deny', 'a'],
        ['deny', 'c'],
      ],
    );
    assert.deepEqual([broken[0]!.problem.code, broken[0]!.suspendsAllows], ['effect', true]);
  });

  it('are limited in their number', () => {
    const { rules, broken } = parseRules(Array.from({ length: MAX_RULES + 1 }, (_, at) => ({ effect: 'deny', command: `c${at}` })));
    assert.equal(rules.length, MAX_RULES);
    assert.deepEqual(
      broken.map(({ problem, suspendsAllows }) => [problem.code, suspendsAllows]),
      [['too_many', true]],
    );
  });

  it('keep each rule, whatever ids the others have', () => {
    const allow = { effect: 'allow', command: 'git push' };
    const { id } = parseRules([allow]).rules[0]!;
    const { rules, ids } = parseRules([{ id, effect: 'deny', command: 'git push' }, { id, effect: 'ask', tool: 'edit' }, allow, allow]);
    assert.deepEqual(
      rules.map(({ effect }) => effect),
      ['deny', 'ask', 'allow'],
    );
    assert.equal(new Set(rules.map((rule) => rule.id)).size, 3);
    assert.deepEqual(ids, [...rules.map((rule) => rule.id), rules[2]?.id]);
  });
});
