import assert from 'node:assert/strict';
import path from 'node:path';
import { adviceFor, type AdviceContext } from '../../../../../src/application/permission/rules/advice';
import type { PermissionSubject } from '../../../../../src/core/model/content';
import { plainJudge } from '../../../../../src/policy/rules/plainJudge';
import { ProtectedPaths } from '../../../../../src/policy/protection/protectedPaths';
import { ProtectedRules } from '../../../../../src/policy/protection/protectedRules';
import { ruleOfferText, userRuleText } from '../../../../../src/text/messages/userRules';
import { englishVerbatim } from '../../english';

const roots = { cwd: path.resolve('/nowhere/w'), additionalDirectories: [] };
const at = (name: string): string => path.join(roots.cwd, name);

describe('the advice on a question', () => {
  function adviceOn(subject: PermissionSubject, more: Partial<AdviceContext> = {}, title = 'T') {
    const paths = new ProtectedPaths(roots, new ProtectedRules());
    return adviceFor(subject, title, {
      roots,
      commandRules: [],
      judge: async () => plainJudge,
      protects: (file, access) => paths.ruleFor(file, file, access),
      ...more,
    });
  }

  /** The rules that allow, each once, without their scopes. */
  const offers = (subject: PermissionSubject, more: Partial<AdviceContext> = {}, title = 'T') => offersTo('allow', subject, more, title);
  const denials = (subject: PermissionSubject, more: Partial<AdviceContext> = {}, title = 'T') => offersTo('deny', subject, more, title);
  async function offersTo(effect: string, subject: PermissionSubject, more: Partial<AdviceContext>, title: string): Promise<string[]> {
    const { suggestions = [] } = await adviceOn(subject, more, title);
    return suggestions
      .filter(({ rule, scope }) => rule.effect === effect && scope === 'folder')
      .map(({ rule, scope }) => ruleOfferText(rule, scope, englishVerbatim));
  }

  const run = (command: string, more: object = {}): PermissionSubject => ({ kind: 'execute', rawInput: { command, ...more } });
  const files = (kind: string, ...names: string[]): PermissionSubject => ({ kind, locations: names.map((name) => ({ path: at(name) })) });

  it('offers the exact command, and its program with the subcommand', async () => {
    assert.deepEqual(await offers(run('npm test -- --watch')), [
      'Always allow `npm test -- --watch` in this folder',
      'Always allow `npm test *` in this folder',
    ]);
    assert.deepEqual(await offers({ command: 'make', cwd: roots.cwd, kind: 'execute' }), ['Always allow `make` in this folder']);
  });

  it('offers no wrapper, and no command that is not plain', async () => {
    for (const command of ['sudo ls', 'env A=1 ls', 'timeout 5 ls', 'bash -c ls', 'npx x', 'ls; rm x', 'rm *', 'echo $HOME', 'a > b']) {
      assert.deepEqual(await offers(run(command)), [], command);
    }
  });

  it('offers no rule for a command that asks for more', async () => {
    assert.deepEqual(await offers(run('npm test', { additionalPermissions: {} })), []);
    assert.deepEqual(await offers({ kind: 'execute' }, {}, 'npm test'), [], 'the title is not the command');
  });

  it('offers edits below the folder of the files, and the one at the top', async () => {
    assert.deepEqual(await offers(files('edit', 'src/a/b.ts')), [
      'Always allow edits of /src/a in this folder',
      'Always allow edits of /src in this folder',
    ]);
    assert.deepEqual(await offers(files('edit', 'src/a/b.ts', 'src/c.ts')), ['Always allow edits of /src in this folder']);
    assert.deepEqual(await offers(files('edit', 'README.md')), ['Always allow edits of /README.md in this folder']);
    assert.deepEqual(await offers(files('read', 'docs/a.md')), ['Always allow reads of /docs in this folder']);
    assert.deepEqual(await offers(files('edit', 'src/a.ts', 'lib/a.ts')), []);
    assert.deepEqual(await offers(files('edit', '[a]*/b.ts')), []);
  });

  it('offers no rule with characters that a user does not see', async () => {
    assert.deepEqual(await offers(files('edit', 'src/a\u202eb/c.ts')), ['Always allow edits of /src in this folder']);
    assert.deepEqual(await offers(files('edit', 's\u200brc/a/c.ts')), []);
    const names = { name: 'mcp__git\u200bhub__get_issue' };
    assert.deepEqual(await offers({ kind: 'other', rawInput: { url: 'x' } }, { names }), []);
  });

  it('offers no rule for deletions, for protected files and outside of the folders', async () => {
    assert.deepEqual(await offers(files('delete', 'src/a.ts')), []);
    assert.deepEqual(await offers(files('edit', '.git/hooks/pre-commit')), []);
    assert.deepEqual(await offers(files('read', 'config/.env')), []);
    assert.deepEqual(await offers(files('edit', '../x/a.ts')), []);
  });

  it('offers the host of an address, and an MCP tool with its server', async () => {
    assert.deepEqual(await offers({ kind: 'fetch', rawInput: { url: 'https://a.example/x' } }), [
      'Always allow requests to a.example in this folder',
    ]);
    assert.deepEqual(await offers({ kind: 'other', rawInput: { url: 'x' } }, { names: { name: 'mcp__github__get_issue' } }), [
      'Always allow the MCP tool get_issue of github in this folder',
      'Always allow all tools of the MCP server github in this folder',
    ]);
    assert.deepEqual(await offers({ kind: 'other' }, { names: { name: 'mcp__a__b__c' } }), []);
    const codex = { kind: 'execute', rawInput: { server: 'github', tool: 'get_issue', arguments: {} } };
    const names = { callTitle: 'mcp.github.get_issue', meta: { is_mcp_tool_approval: true } };
    assert.deepEqual(await offers(codex, { names }, 'mcp.github.get_issue'), [
      'Always allow the MCP tool get_issue of github in this folder',
      'Always allow all tools of the MCP server github in this folder',
    ]);
    assert.deepEqual(await denials(codex, { names }, 'mcp.github.get_issue'), [
      'Always deny the MCP tool get_issue of github in this folder',
    ]);
    assert.deepEqual(await offers(codex, { names: { ...names, meta: {} } }, 'mcp.github.get_issue'), []);
  });

  it('offers to deny the command, the file, the address or the tool, in the folder and everywhere', async () => {
    assert.deepEqual(await denials(run('npm test -- --watch')), ['Always deny `npm test -- --watch` in this folder']);
    const { suggestions = [] } = await adviceOn(run('make'));
    const denies = suggestions.filter(({ rule }) => rule.effect === 'deny');
    assert.deepEqual(
      denies.map(({ rule, scope }) => ruleOfferText(rule, scope, englishVerbatim)),
      ['Always deny `make` in this folder', 'Always deny `make`, in every folder'],
    );
    assert.deepEqual(await denials(files('edit', 'src/a/b.ts')), ['Always deny edits of /src/a/b.ts in this folder']);
    assert.deepEqual(await denials(files('delete', 'src/a.ts')), ['Always deny deletion of /src/a.ts in this folder']);
    assert.deepEqual(await denials({ kind: 'fetch', rawInput: { url: 'https://a.example/x' } }), [
      'Always deny requests to a.example in this folder',
    ]);
    assert.deepEqual(await denials({ kind: 'other', rawInput: { url: 'x' } }, { names: { name: 'mcp__github__get_issue' } }), [
      'Always deny the MCP tool get_issue of github in this folder',
    ]);
  });

  it('offers to deny what no rule can allow', async () => {
    assert.deepEqual(await denials(run('sudo ls')), ['Always deny `sudo ls` in this folder']);
    assert.deepEqual(await denials(run('make'), { why: { code: 'rule', params: { text: 'Ask about make' } } }), [
      'Always deny `make` in this folder',
    ]);
    assert.deepEqual(await denials(files('edit', '.git/config')), ['Always deny edits of /.git/config in this folder']);
  });

  it('offers no denial that would not hold, or that the user cannot read', async () => {
    assert.deepEqual(await denials(run('rm *.js')), []);
    assert.deepEqual(await denials(run('echo a\necho b')), []);
    assert.deepEqual(await denials(run('echo \u202ex')), []);
    assert.deepEqual(await denials(run(`echo ${'x'.repeat(300)} > y`)), []);
    assert.deepEqual(await denials(files('edit', '../x/a.ts')), []);
    assert.deepEqual(await denials(files('edit', '[a]*/b.ts')), []);
    assert.deepEqual(await denials({ kind: 'execute' }, {}, 'npm test'), []);
  });

  it('offers no rule where none would answer', async () => {
    assert.deepEqual(await offers(run('make'), { why: { code: 'rule', params: { text: 'Ask about make' } } }), []);
    const reason = { type: 'protected_path', access: 'write', rule: 'x', path: at('x') } as const;
    assert.deepEqual(await offers({ ...files('edit', 'src/a/b.ts'), reason }), []);
  });

  it('has each rule for the session, the folder and everywhere', async () => {
    const { suggestions = [] } = await adviceOn(run('make'));
    assert.deepEqual(
      suggestions.map(({ scope }) => scope),
      ['session', 'folder', 'always', 'folder', 'always'],
    );
    assert.equal(new Set(suggestions.map(({ id }) => id)).size, 5);
    assert.deepEqual((await adviceOn(run('make'))).suggestions, suggestions, 'the same each time');
  });

  it('says why it is asked', async () => {
    const why = { code: 'rule', params: { text: 'Ask about `make`' } } as const;
    assert.deepEqual((await adviceOn(run('make'), { why })).why, why);
  });

  it('names the risks', async () => {
    const risks = async (subject: PermissionSubject) => (await adviceOn(subject)).risks;
    assert.deepEqual(await risks(files('edit', 'src/a.ts')), []);
    assert.deepEqual(await risks(files('edit', '../a.ts')), ['outside_folders']);
    const about = (...paths: string[]) => risks({ ...run('echo a'), locations: paths.map((each) => ({ path: each })) });
    assert.deepEqual(await about(roots.cwd, '.', 'src/a.ts'), [], 'the folder of a command, and relative paths');
    assert.deepEqual(await about('../a.ts'), ['outside_folders']);
    assert.deepEqual(await risks(files('delete', 'a.ts')), ['deletes']);
    assert.deepEqual(await risks(files('edit', '.git/config')), ['writes_protected']);
    assert.deepEqual(await risks({ kind: 'fetch' }), ['network']);
    assert.deepEqual(await risks(run('echo \u202ex')), ['hidden_text']);
  });

  it('marks the segments that no rule allows', async () => {
    const judge = async () => ({
      ...plainJudge,
      judge: () => ({
        effect: undefined,
        ruleIds: [],
        writes: [],
        segments: [
          { start: 0, end: 3, effect: 'allow' as const },
          { start: 5, end: 8, effect: undefined },
        ],
      }),
    });
    assert.deepEqual((await adviceOn(run('ls; foo'), { judge })).segments, [
      { start: 0, end: 3, asks: false },
      { start: 5, end: 8, asks: true },
    ]);
  });
});

describe('a rule in words', () => {
  for (const [rule, words] of [
    [{ effect: 'deny' }, 'Deny everything'],
    [{ effect: 'ask', agent: 'Ada', tool: 'execute' }, 'Ask about all commands by Ada'],
    [{ effect: 'allow', command: 'readsOnly', folder: '/w' }, 'Allow commands that only read in /w'],
    [{ effect: 'allow', path: 'src' }, 'Allow reads and edits of src'],
    [{ effect: 'deny', tool: 'delete', path: '/src' }, 'Deny deletion of /src'],
    [{ effect: 'allow', mcp: 'github/*' }, 'Allow all tools of the MCP server github'],
    [{ effect: 'allow', host: '*.a.example' }, 'Allow requests to *.a.example'],
    [{ effect: 'deny', tool: 'think' }, 'Deny the tool think'],
  ] as const) {
    it(words, () => assert.equal(userRuleText(rule, englishVerbatim), words));
  }
});
