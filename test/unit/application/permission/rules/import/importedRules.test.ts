/** Rules of other programs become rules of ours only where both mean the same. */
import assert from 'node:assert/strict';
import { claudeRules } from '../../../../../../src/application/permission/rules/import/claudeRules';
import { codexRules } from '../../../../../../src/application/permission/rules/import/codexRules';
import type { Imported } from '../../../../../../src/application/permission/rules/import/imported';
import { importRows, leftText } from '../../../../../../src/application/permission/rules/import/importRows';
import { vscodeEditRules, vscodeTerminalRules } from '../../../../../../src/application/permission/rules/import/vscodeRules';
import { ruleIdOf } from '../../../../../../src/policy/rules/ruleId';
import { english } from '../../../english';

function short({ rules, left }: Imported) {
  return [
    ...rules.map(
      ({ rule: { effect, message, ...subject } }) =>
        `${effect} ${Object.entries(subject)
          .map((each) => each.join('='))
          .join(' ')}${message ? ` (${message})` : ''}`,
    ),
    ...left.map(({ written, reason }) => `left ${written} — ${reason}`),
  ];
}

describe('rules of VS Code’s chat', () => {
  it('about commands', () => {
    const setting = {
      mkdir: true,
      'npm run build': true,
      rm: false,
      '/^git status$/': true,
      '/^git log\\b/': true,
      '/^npm (test|lint)/': true,
      '/^git status$/i': true,
      del: { approve: false },
      '/dangerous/': { approve: false, matchCommandLine: true },
      'curl x': { approve: true, matchCommandLine: true },
      sudo: true,
      '/^bash\\b/': true,
      bash: false,
      ls: null,
      odd: 'yes',
      'a && b': true,
      '*': true,
    };
    assert.deepEqual(short(vscodeTerminalRules(setting)), [
      'allow command=mkdir *',
      'allow command=npm run build *',
      'ask command=rm *',
      'allow command=git status',
      'allow command=git log *',
      'ask command=del *',
      'ask command=bash *',
      'left /^npm (test|lint)/: true — pattern',
      'left /^git status$/i: true — pattern',
      'left /dangerous/: {"approve":false,"matchCommandLine":true} — whole_line',
      'left curl x: {"approve":true,"matchCommandLine":true} — whole_line',
      'left sudo: true — wrapper',
      'left /^bash\\b/: true — wrapper',
      'left ls: null — unset',
      'left odd: "yes" — unreadable',
      'left a && b: true — pattern',
      'left *: true — pattern',
    ]);
    assert.deepEqual(vscodeTerminalRules([true]), { rules: [], left: [] });
  });

  it('about edits', () => {
    const setting = {
      '**/*': true,
      '**/*.{json,md}': true,
      'src/**': true,
      'lib/**': false,
      '**/.vscode/*.json': false,
      '/etc/**': true,
      '~/x': false,
      '**/[ab]/*': true,
      '../x/**': true,
      '**/{a,{b,c}}': false,
      'x/**': 'yes',
    };
    assert.deepEqual(short(vscodeEditRules(setting)), [
      'allow tool=edit path=**/*',
      'allow tool=edit path=**/*.json',
      'allow tool=edit path=**/*.md',
      'allow tool=edit path=/src/**',
      'ask tool=edit path=lib/**',
      'ask tool=edit path=**/.vscode/*.json',
      'left /etc/**: true — outside',
      'left ~/x: false — outside',
      'left **/[ab]/*: true — pattern',
      'left ../x/**: true — pattern',
      'left **/{a,{b,c}}: false — pattern',
      'left x/**: "yes" — unreadable',
    ]);
  });
});

describe('rules of Claude Code', () => {
  it('about its tools', () => {
    const text = JSON.stringify({
      permissions: {
        allow: [
          'Bash(npm run test:*)',
          'Bash(npm run lint)',
          'Bash(git diff *)',
          'Bash(sudo:*)',
          'Bash(node build.js)',
          'Bash(npm run * --x)',
          'Bash(a; b)',
          'Edit(src/**)',
          'Write(notes.md)',
          'Read(~/.zshrc)',
          'Edit(//etc/x)',
          'Edit(/docs/**)',
          'Read',
          'WebFetch(domain:example.com)',
          'WebFetch(domain:*.example.org)',
          'WebFetch(https://x)',
          'mcp__github',
          'mcp__github__get_issue',
          'mcp__github__*',
          'mcp__a__b__c',
          'WebSearch',
          'Task(x)',
          7,
        ],
        ask: ['Bash(git push:*)'],
        deny: ['Read(.env)', 'Read(secrets/**)', 'Bash', 'Bash(curl:*)'],
        defaultMode: 'bypassPermissions',
      },
    });
    assert.deepEqual(short(claudeRules(text)), [
      'deny tool=read path=.env',
      'deny tool=read path=secrets/**',
      'deny tool=execute',
      'deny command=curl *',
      'ask command=git push *',
      'allow command=npm run test *',
      'allow command=npm run lint',
      'allow command=git diff *',
      'allow command=node build.js',
      'allow tool=edit path=/src/**',
      'allow tool=edit path=notes.md',
      'allow tool=read',
      'allow host=example.com',
      'allow host=*.example.org',
      'allow mcp=github',
      'allow mcp=github/get_issue',
      'allow mcp=github',
      'left allow: Bash(sudo:*) — wrapper',
      'left allow: Bash(npm run * --x) — pattern',
      'left allow: Bash(a; b) — pattern',
      'left allow: Read(~/.zshrc) — outside',
      'left allow: Edit(//etc/x) — outside',
      'left allow: Edit(/docs/**) — outside',
      'left allow: WebFetch(https://x) — pattern',
      'left allow: mcp__a__b__c — ambiguous',
      'left allow: WebSearch — tool',
      'left allow: Task(x) — tool',
      'left allow: 7 — unreadable',
    ]);
  });

  it('ignore a file of another kind', () => {
    for (const text of ['', '{', '[]', '{"permissions": 7}', '{"permissions": {"allow": "x"}}']) {
      assert.deepEqual(claudeRules(text), { rules: [], left: [] }, text);
    }
  });
});

describe('rules of Codex', () => {
  it('about the first words of a command', () => {
    const text = `
# Mine (prefix_rule(pattern=["no"]))
prefix_rule(
    pattern = ["git", ["fetch", 'pull']],  # two
    decision = "allow",
    match = ["git fetch origin", ["git", "pull"]],
    not_match = ["git push"],
)
prefix_rule(pattern=["git", "push"], decision="forbidden", justification="Ask me: \\"push\\" (always).")
prefix_rule(pattern=["rm"], decision="prompt")
prefix_rule(pattern=["make"])
prefix_rule(pattern=["bash", "-lc"])
prefix_rule(pattern=["echo", "a b"])
prefix_rule(pattern=[x])
prefix_rule(pattern=["a"], decision=D)
prefix_rule(pattern=[], decision="allow")
prefix_rule(pattern=["c"], decision="always")
host_executable(name="git", paths=["/usr/bin/git"])
D = "allow"
[prefix_rule(pattern=["z"]) for x in [1]]
`;
    assert.deepEqual(short(codexRules(text)), [
      'allow command=git fetch *',
      'allow command=git pull *',
      'deny command=git push * (Ask me: "push" (always).)',
      'ask command=rm *',
      'allow command=make *',
      'left prefix_rule(pattern=["bash", "-lc"]) — wrapper',
      'left prefix_rule(pattern=["echo", "a b"]) — pattern',
      'left prefix_rule(pattern=[x]) — unreadable',
      'left prefix_rule(pattern=["a"], decision=D) — unreadable',
      'left prefix_rule(pattern=[], decision="allow") — unreadable',
      'left prefix_rule(pattern=["c"], decision="always") — unreadable',
      'left host_executable(name="git", paths=["/usr/bin/git"]) — unreadable',
      'left D = "allow" — unreadable',
      'left [prefix_rule(pattern=["z"]) for x in [1]] — unreadable',
    ]);
  });

  it('are read up to a mistake', () => {
    assert.deepEqual(short(codexRules('prefix_rule(pattern=["a"')), ['left prefix_rule(pattern=["a" — unreadable']);
    assert.deepEqual(short(codexRules('# only a comment')), []);
  });
});

describe('the rows of an import', () => {
  const source = {
    name: 'settings',
    rules: [
      { rule: { effect: 'allow', command: 'a' }, written: 'a: true' },
      { rule: { effect: 'allow', command: 'a' }, written: 'a: true again' },
      { rule: { effect: 'deny', command: 'b', message: 'No' }, written: 'b: false' },
      { rule: { effect: 'allow', host: '*.com' }, written: 'not valid here' },
    ],
    left: [{ written: 'x', reason: 'pattern' }],
  } as const;

  it('show each new rule once, with its words, its origin and how it was written', () => {
    const rows = importRows([source], new Set([ruleIdOf({ effect: 'deny', command: 'b' })]), english);
    assert.deepEqual(
      rows.map(({ label, description, detail }) => [label, description, detail]),
      [['Allow `a`', 'settings', 'a: true']],
    );
  });

  it('list the entries without an equal', () => {
    assert.equal(leftText([source], english), 'settings\n    x\n    Its pattern has no equal here.\n');
  });
});
