/** Requests whose parts contradict each other, from an agent that wants more than it says. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PermissionMode } from '../../../src/core/modes/permissionMode';
import type { FileChange, PermissionOption, PermissionSubject } from '../../../src/core/model/content';
import { agentRequestSource, partsOf } from '../../../src/policy/agentRequests';
import { GivenAnswers } from '../../../src/policy/modes/answers';
import { rulesOfMode } from '../../../src/policy/modes/modeSource';
import { Policy } from '../../../src/policy/policy';
import { ProtectedRules } from '../../../src/policy/protection/protectedRules';
import type { PolicyRequest, RuleSource } from '../../../src/policy/rule';
import { parseRules } from '../../../src/policy/rules/parseRules';
import { plainJudge } from '../../../src/policy/rules/plainJudge';
import { UserRuleSource, type RulesNow } from '../../../src/policy/rules/userRuleSource';
import { AgentPolicy } from '../../../src/session/questions/agentPolicy';
import { optionFor } from '../../../src/session/questions/ruleAnswers';

describe('a request', () => {
  let cwd: string;
  const at = (name: string): string => path.join(cwd, name);
  before(() => {
    cwd = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-hostile-')));
    mkdirSync(at('src'));
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  const roots = () => ({ cwd, additionalDirectories: [] });
  const source = (now: () => RulesNow, judge = async () => plainJudge): RuleSource =>
    new UserRuleSource({ agentId: 'ada', agentName: 'Ada', roots: roots(), rulesNow: now, words: ({ id }) => id, judge });
  async function effectBy(sources: readonly RuleSource[], subject: PermissionSubject): Promise<string> {
    const policy = new Policy({ roots: roots() }, [agentRequestSource, ...sources]);
    return (await policy.decide(...partsOf(subject, 'T'))).effect;
  }
  const effectOn = (written: readonly unknown[], subject: PermissionSubject): Promise<string> => {
    const now = { rules: parseRules(written).rules, suspendsAllows: false };
    return effectBy([source(() => now)], subject);
  };
  const acceptEdits = (subject: PermissionSubject): Promise<string> =>
    effectBy([{ rulesFor: (request) => rulesOfMode('acceptEdits', request, roots()) }], subject);
  const diff = (kind: string, ...changes: FileChange[]): PermissionSubject => ({ kind, content: [{ type: 'diff', changes }] });
  const change = (file: string, operation = 'modify', more: Partial<FileChange> = {}): FileChange => ({ operation, path: file, ...more });

  for (const kind of ['read', 'search']) {
    it(`to ${kind} does not write by a permission to ${kind}`, async () => {
      assert.equal(await effectOn([{ effect: 'allow', tool: kind }], { kind, locations: [{ path: at('src/a') }] }), 'allow');
      assert.equal(await effectOn([{ effect: 'allow', tool: kind }], diff(kind, change(at('src/a')))), 'ask');
      assert.equal(await effectOn([{ effect: 'allow', tool: kind, path: '/src' }], diff(kind, change(at('src/a')))), 'ask');
      assert.equal(await effectOn([{ effect: 'allow', path: '/src' }], diff(kind, change(at('src/a')))), 'ask');
    });
  }

  for (const kind of ['read', 'search', 'other', 'think', 'fetch', 'execute', '']) {
    it(`that says “${kind}” and has a change is an edit for a denial`, async () => {
      const subject = diff(kind, change(at('src/a')));
      assert.equal(await effectOn([{ effect: 'deny', tool: 'edit' }], subject), 'deny');
      assert.equal(await effectOn([{ effect: 'deny', tool: 'edit', path: '/src' }], subject), 'deny');
      assert.equal(await effectOn([{ effect: 'deny', tool: 'edit', path: '/other' }], subject), 'ask');
    });
  }

  it('to read, or to run a command in a folder, is no edit', async () => {
    const deny = [{ effect: 'deny', tool: 'edit' }];
    assert.equal(await effectOn(deny, { kind: 'read', locations: [{ path: at('src/a') }] }), 'ask');
    assert.equal(await effectOn(deny, { kind: 'execute', rawInput: { command: 'ls' }, locations: [{ path: at('src') }] }), 'ask');
  });

  it('is about both files when it shows one and names another one in its input', async () => {
    const allow = [{ effect: 'allow', tool: 'edit', path: '/src' }];
    const subject = (file: string, more: object = {}): PermissionSubject => ({
      kind: 'edit',
      locations: [{ path: at('src/a') }],
      rawInput: { file_path: file, ...more },
    });
    assert.equal(await effectOn(allow, subject(at('src/a'))), 'allow');
    for (const member of ['file_path', 'filePath', 'path', 'abs_path', 'notebook_path']) {
      assert.equal(await effectOn(allow, { ...subject(at('src/a')), rawInput: { [member]: '/etc/passwd' } }), 'ask', member);
    }
    assert.equal(await acceptEdits(subject(at('src/a'))), 'allow');
    assert.equal(await acceptEdits(subject('/etc/passwd')), 'ask');
    const deny = [{ effect: 'deny', path: 'secret' }];
    assert.equal(await effectOn(deny, subject(at('secret'))), 'deny');
    assert.equal(await effectOn(deny, { kind: 'edit', rawInput: { file_path: at('secret') } }), 'deny');
    assert.equal(await effectOn(allow, { kind: 'edit', rawInput: { file_path: at('src/a') } }), 'ask', 'no file is shown');
  });

  it('needs more than a rule about its command to leave the agent’s own sandbox', async () => {
    const allow = [{ effect: 'allow', command: 'ls' }];
    assert.equal(await effectOn(allow, { kind: 'execute', rawInput: { command: 'ls' } }), 'allow');
    for (const more of [
      { dangerouslyDisableSandbox: true },
      { with_escalated_permissions: true },
      { sandbox_permissions: 'require_escalated' },
    ]) {
      assert.equal(await effectOn(allow, { kind: 'execute', rawInput: { command: 'ls', ...more } }), 'ask', JSON.stringify(more));
    }
    const rawInput = { command: 'ls', dangerouslyDisableSandbox: false };
    assert.equal(await effectOn(allow, { kind: 'execute', rawInput }), 'allow');
  });

  it('about a file below the folder of this process is not accepted as an edit', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const earlier = process.cwd();
    process.chdir(at('src'));
    try {
      assert.equal(await acceptEdits({ kind: 'edit', locations: [{ path: '/proc/self/cwd/a' }] }), 'ask');
      assert.equal(await acceptEdits({ kind: 'edit', locations: [{ path: '/x/../proc/self/cwd/a' }] }), 'ask');
    } finally {
      process.chdir(earlier);
    }
  });

  it('to edit a file and to delete it under another name is not accepted as an edit', async () => {
    assert.equal(await acceptEdits(diff('edit', change(at('src/a')))), 'allow');
    const policy = new Policy({ roots: roots() }, [
      agentRequestSource,
      { rulesFor: (request) => rulesOfMode('acceptEdits', request, roots()) },
    ]);
    const file = { kind: 'write' as const, path: at('src/a') };
    const decision = await policy.decide(
      { ...file, tool: 'edit', asked: at('src/a') },
      { ...file, tool: 'delete', asked: at('src/../src/a') },
    );
    assert.equal(decision.effect, 'ask');
  });

  it('to edit that moves a file is a move', async () => {
    const moves = [change(at('src/b'), 'move', { oldPath: at('src/a') }), change(at('src/b'), 'rename', { oldPath: at('src/a') })];
    for (const move of moves) {
      assert.equal(await acceptEdits(diff('edit', move)), 'ask', move.operation);
      assert.equal(await effectOn([{ effect: 'allow', tool: 'edit', path: '/src' }], diff('edit', move)), 'ask', move.operation);
      assert.equal(await effectOn([{ effect: 'deny', tool: 'move' }], diff('edit', move)), 'deny', move.operation);
    }
    assert.equal(await acceptEdits(diff('edit', change(at('src/b'), 'copy', { oldPath: at('src/a') }))), 'allow');
  });

  it('to delete or to move is not allowed by a rule about reads and edits', async () => {
    for (const kind of ['delete', 'move']) {
      const subject = { kind, locations: [{ path: at('src/a') }] };
      assert.equal(await effectOn([{ effect: 'allow', path: '/src' }], subject), 'ask', kind);
      assert.equal(await effectOn([{ effect: 'allow', path: '/src', tool: kind }], subject), 'allow', kind);
      assert.equal(await effectOn([{ effect: 'deny', path: '/src' }], subject), 'deny', kind);
    }
  });

  it('for a file under another name is denied, and no permission covers it', async () => {
    mkdirSync(at('secret'));
    symlinkSync(at('secret'), at('link'));
    const inMode = async (mode: PermissionMode, rules: readonly unknown[], file: string): Promise<string> => {
      const now = { rules: parseRules(rules).rules, suspendsAllows: false };
      const agent = { agentId: 'ada', agentName: 'Ada' } as const;
      const sources = [source(() => now), { rulesFor: (request: PolicyRequest) => rulesOfMode(mode, request, roots()) }];
      const policy = new AgentPolicy({
        agent,
        roots: roots(),
        sources,
        protectedRules: () => new ProtectedRules(undefined),
        turn: () => '',
      });
      return (await policy.aboutRequest({ kind: 'edit', locations: [{ path: file }] }, 'T', {})).effect;
    };
    const deny = [{ effect: 'deny', path: '/secret' }];
    for (const file of ['secret/x', 'sub/../secret/x', 'link/x', at('link/x'), at('sub/../secret/x'), pathToFileURL(at('link/x')).href]) {
      assert.equal(await inMode('allowEverything', deny, file), 'deny', file);
    }
    for (const file of ['src/x', pathToFileURL(at('src/x')).href]) {
      assert.equal(await inMode('acceptEdits', [], file), 'ask', file);
      assert.equal(await inMode('ask', [{ effect: 'allow', tool: 'edit' }], file), 'ask', file);
      assert.equal(await inMode('allowEverything', [], file), 'allow', file);
    }
    assert.equal(await inMode('acceptEdits', [], at('src/x')), 'allow');
    symlinkSync(os.tmpdir(), at('out'));
    assert.equal(await inMode('acceptEdits', [], `${at('out')}/../x`), 'ask', 'above the target of a link');
  });

  it('with changes that cannot be read is not accepted by its locations', async () => {
    const unread = Object.assign({ type: 'diff' as const, changes: [change(at('src/a'))] }, { malformed: [{ path: '/etc/passwd' }] });
    for (const content of [unread, { type: 'diff' as const, changes: [] }]) {
      const subject: PermissionSubject = { kind: 'edit', content: [content], locations: [{ path: at('src/a') }] };
      assert.equal(await acceptEdits(subject), 'ask');
      assert.equal(await effectOn([{ effect: 'allow', tool: 'edit' }], subject), 'ask');
    }
  });

  it('does not use a rule that is revoked while its command is read', async () => {
    const allow = parseRules([{ effect: 'allow', command: 'npm test' }]).rules;
    let now: RulesNow = { rules: allow, suspendsAllows: false };
    const judge = async () => {
      now = { rules: parseRules([{ effect: 'ask', command: 'other' }]).rules, suspendsAllows: false };
      return plainJudge;
    };
    const subject = { kind: 'execute', rawInput: { command: 'npm test' } };
    assert.equal(await effectBy([{ rulesFor: (request) => source(() => now, judge).rulesFor(request) }], subject), 'ask');
  });

  it('for an MCP tool does not use the answer about a command or another server', () => {
    const always = { optionId: 'always', name: 'Always', kind: 'allow_always' };
    const claude = (toolName: string) => ({ extra: { toolCall: { _meta: { claudeCode: { toolName } } } } });
    const answers = new GivenAnswers();
    const input = { rawInput: { command: 'ls' } };
    answers.remember({ kind: 'execute', ...input }, 'ls', always, claude('Bash'));
    assert.equal(answers.rulesFor({ kind: 'execute', ...input }, 'ls', claude('Bash')).length, 1);
    assert.deepEqual(answers.rulesFor({ kind: 'execute', ...input }, 'ls', claude('mcp__evil__run')), []);
    assert.deepEqual(answers.rulesFor({ kind: 'other', ...input }, 'ls', claude('Bash')), []);
    answers.remember({ kind: 'other' }, 'Get an issue', always, claude('mcp__github__get_issue'));
    assert.equal(answers.rulesFor({ kind: 'other' }, 'Get an issue', claude('mcp__github__get_issue')).length, 1);
    assert.deepEqual(answers.rulesFor({ kind: 'other' }, 'Get an issue', claude('mcp__evil__get_issue')), []);
    assert.equal(answers.optionIn([always], { kind: 'other' }, 'Get an issue', claude('mcp__evil__get_issue')), undefined);
  });

  describe('gets an automatic answer', () => {
    const option = (optionId: string, kind: string, name: string = kind): PermissionOption => ({ optionId, name, kind });
    const table: [words: string, options: PermissionOption[], allow: string | undefined, deny: string | undefined][] = [
      ['without options', [], undefined, undefined],
      ['with permissions for always only', [option('a', 'allow_always')], undefined, undefined],
      ['with unknown kinds', [option('a', 'allow'), option('b', 'ALLOW_ONCE')], undefined, undefined],
      ['with usual options', [option('n', 'reject_always'), option('a', 'allow_once'), option('b', 'reject_once')], 'a', 'b'],
      ['that rejects for always where nothing else fits', [option('a', 'allow_once'), option('n', 'reject_always')], 'a', 'n'],
      ['with a permission that is named a refusal', [option('a', 'allow_once', 'Reject'), option('b', 'allow_once')], 'b', undefined],
      [
        'with a refusal that is named a permission',
        [option('a', 'reject_once', 'Yes, allow'), option('b', 'reject_always')],
        undefined,
        'b',
      ],
      ['with one id for both', [option('a', 'allow_once'), option('a', 'reject_once')], undefined, undefined],
      ['with one id for once and always', [option('a', 'allow_once'), option('a', 'allow_always')], undefined, undefined],
    ];
    for (const [words, options, allow, deny] of table) {
      it(words, () => assert.deepEqual([optionFor('allow', options), optionFor('deny', options)], [allow, deny]));
    }
  });
});
