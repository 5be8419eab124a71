/** The user's rules decide about every kind of request of one session. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentRequestSource, partsOf } from '../../../../src/policy/agentRequests';
import { Policy } from '../../../../src/policy/policy';
import type { RequestPart } from '../../../../src/policy/rule';
import { askBeforeCommandsSource } from '../../../../src/policy/settingSources';
import type { CommandJudge } from '../../../../src/policy/rules/commandJudge';
import { parseRules } from '../../../../src/policy/rules/parseRules';
import { plainJudge } from '../../../../src/policy/rules/plainJudge';
import { UserRuleSource } from '../../../../src/policy/rules/userRuleSource';
import { realJudge } from '../commands/commandJudges';
import { ProtectedPaths } from '../../../../src/policy/protection/protectedPaths';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import { protectedPathSource } from '../../../../src/policy/protectedPathSource';
import type { PermissionSubject } from '../../../../src/core/model/content';

const AGENT = { id: 'ada', name: 'Ada' };

describe('the user’s rules of a session', () => {
  let base: string;
  let cwd: string;
  const at = (name: string): string => path.join(cwd, name);

  beforeEach(() => {
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-user-rules-')));
    cwd = path.join(base, 'w');
    mkdirSync(path.join(cwd, 'src'), { recursive: true });
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function policyOf(written: readonly unknown[], judge: CommandJudge = plainJudge, suspendsAllows = false) {
    const { rules } = parseRules(written);
    const roots = { cwd, additionalDirectories: [] };
    const now = { rules, suspendsAllows };
    const source = new UserRuleSource({
      agentId: AGENT.id,
      agentName: AGENT.name,
      roots,
      rulesNow: () => now,
      words: (rule) => `rule ${rule.id}`,
      judge: async () => judge,
    });
    return { source, policy: new Policy({ agent: AGENT, roots }, [agentRequestSource, source]), roots };
  }

  async function effectOf(written: readonly unknown[], ...parts: readonly [RequestPart, ...RequestPart[]]): Promise<string> {
    return (await policyOf(written).policy.decide(...parts)).effect;
  }

  async function effectOn(written: readonly unknown[], subject: PermissionSubject, title = 'T', names = {}): Promise<string> {
    return effectOf(written, ...partsOf(subject, title, names));
  }

  const edit = (name: string, kind = 'edit'): PermissionSubject => ({ kind, locations: [{ path: at(name) }] });
  const run = (command: string, more: object = {}): PermissionSubject => ({ kind: 'execute', rawInput: { command, ...more } });

  it('are inactive while there are none', () => {
    assert.equal(policyOf([]).source.isActive(), false);
    assert.equal(policyOf([{ effect: 'deny' }]).source.isActive(), true);
    assert.equal(policyOf([], plainJudge, true).source.isActive(), true);
  });

  it('let deny beat ask, and ask beat allow, in any order', async () => {
    const [allow, ask, deny] = ['allow', 'ask', 'deny'].map((effect) => ({ effect, tool: 'edit', path: 'src' }));
    assert.equal(await effectOn([allow], edit('src/a')), 'allow');
    assert.equal(await effectOn([allow, ask], edit('src/a')), 'ask');
    assert.equal(await effectOn([ask, allow], edit('src/a')), 'ask');
    assert.equal(await effectOn([allow, ask, deny], edit('src/a')), 'deny');
    assert.equal(await effectOn([deny, allow], edit('src/a')), 'deny');
  });

  it('take the strictest part', async () => {
    const rules = [
      { effect: 'allow', tool: 'edit', path: 'src' },
      { effect: 'deny', path: 'src/secret' },
    ];
    const both = (...names: string[]): PermissionSubject => ({ kind: 'edit', locations: names.map((name) => ({ path: at(name) })) });
    assert.equal(await effectOn(rules, both('src/a', 'src/b')), 'allow');
    assert.equal(await effectOn(rules, both('src/a', 'b')), 'ask');
    assert.equal(await effectOn(rules, both('src/a', 'src/secret/b')), 'deny');
  });

  it('hold for the agent by its id or name', async () => {
    const by = (agent: string) => effectOn([{ effect: 'deny', agent }], { kind: 'think' });
    assert.deepEqual(await Promise.all(['ada', 'Ada', 'bob'].map(by)), ['deny', 'deny', 'ask']);
  });

  it('hold in their folder', async () => {
    const inside = (folder: string) => effectOn([{ effect: 'deny', folder }], { kind: 'think' });
    assert.deepEqual(await Promise.all([cwd, `${cwd}/`, base, at('src'), `${cwd}x`].map(inside)), ['deny', 'deny', 'deny', 'ask', 'ask']);
  });

  describe('about files', () => {
    const allow = [{ effect: 'allow', tool: 'edit', path: '/src' }];

    it('allow edits of the files that the pattern matches', async () => {
      assert.equal(await effectOn(allow, edit('src/deep/a.ts')), 'allow');
      assert.equal(await effectOn(allow, edit('other/src/a.ts')), 'ask');
      assert.equal(await effectOn(allow, edit('srcs/a.ts')), 'ask');
    });

    it('allow no other tool', async () => {
      assert.equal(await effectOn(allow, edit('src/a.ts', 'delete')), 'ask');
      assert.equal(await effectOn(allow, edit('src/a.ts', 'read')), 'ask');
      assert.equal(await effectOn([{ effect: 'allow', path: '/src' }], edit('src/a.ts', 'read')), 'allow');
    });

    it('allow nothing outside of the folders, and no relative path', async () => {
      const rules = [
        { effect: 'allow', path: 'src' },
        { effect: 'allow', tool: 'edit' },
        { effect: 'allow', path: '**/*' },
      ];
      assert.equal(await effectOn(rules, edit('../src/a.ts')), 'ask');
      assert.equal(await effectOn(rules, { kind: 'edit', locations: [{ path: 'src/a.ts' }] }), 'ask');
      assert.equal(await effectOn(rules, { kind: 'edit', locations: [{ path: cwd }] }), 'ask');
      assert.equal(await effectOn(rules, edit('src/../src/a.ts')), 'allow');
      assert.equal(await effectOn(rules, edit('src/../../src/a.ts')), 'ask');
    });

    it('allow no name that only looks alike', async () => {
      for (const name of ['SRC/a.ts', 'ｓrc/a.ts', 'sr\u200bc/a.ts', 'src./a.ts', 'src:x/a.ts']) {
        assert.equal(await effectOn(allow, edit(name)), 'ask', name);
      }
    });

    it('deny a name that only looks alike', async () => {
      for (const name of ['SRC/a.ts', 'sr\u200bc/a.ts', 'src/a.ts', 'x/src/a.ts']) {
        assert.equal(await effectOn([{ effect: 'deny', path: 'src' }], edit(name)), 'deny', name);
      }
      assert.equal(await effectOn([{ effect: 'deny', path: 'src' }], edit('../src/a.ts')), 'deny', 'outside of the folders, too');
    });

    it('allow no file that a link leads elsewhere', async () => {
      mkdirSync(path.join(base, 'outside'));
      symlinkSync(path.join(base, 'outside'), at('src/link'));
      const file = at('src/link/a.ts');
      const real = path.join(base, 'outside/a.ts');
      assert.equal(await effectOf(allow, { kind: 'write', tool: 'edit', asked: file, path: real }), 'ask');
      assert.equal(await effectOf([{ effect: 'deny', path: 'outside' }], { kind: 'write', tool: 'edit', asked: file, path: real }), 'deny');
    });

    it('allow no other tool that names a file', async () => {
      const rules = [{ effect: 'allow', path: 'src' }];
      assert.equal(await effectOn(rules, edit('src/a.ts', 'other')), 'ask');
      assert.equal(await effectOn(rules, edit('src/a.ts', 'search')), 'allow');
      const profile = { ...edit('src/a.ts', 'read'), rawInput: { permissions: { fileSystem: { write: [at('src/a.ts')] } } } };
      assert.equal(await effectOn(rules, profile), 'ask', 'codex-acp asks for a permission of its sandbox');
    });

    it('allow no tool for files whose file is not known', async () => {
      assert.equal(await effectOn([{ effect: 'allow', tool: 'edit' }], { kind: 'edit' }), 'ask');
      assert.equal(await effectOn([{ effect: 'allow', tool: 'search' }], { kind: 'search' }), 'allow');
    });
  });

  it('never allow by a title', async () => {
    const rules = ['edit', 'npm test', 'other', 'execute'].map((tool) => ({ effect: 'allow', tool }));
    assert.equal(await effectOn(rules, {}, 'edit'), 'ask');
    assert.equal(await effectOn([{ effect: 'allow', command: 'npm test' }], { kind: 'execute' }, 'npm test'), 'ask');
    assert.equal(await effectOn([{ effect: 'deny', command: 'npm test' }], { kind: 'execute' }, 'npm test'), 'deny', 'a denial is careful');
  });

  describe('about commands', () => {
    const allow = [{ effect: 'allow', command: 'npm test *' }];

    it('allow the command and its arguments', async () => {
      assert.equal(await effectOn(allow, run('npm test')), 'allow');
      assert.equal(await effectOn(allow, run('npm test -- --grep x')), 'allow');
      assert.equal(await effectOn(allow, run('npm testing')), 'ask');
      assert.equal(await effectOn(allow, run('npm test; rm -rf .')), 'ask');
    });

    it('allow the files that the agent names beside the command', async () => {
      const about = (name: string) => ({ ...run('npm test x'), locations: [{ path: at(name) }] });
      assert.equal(await effectOn(allow, about('src/x')), 'allow');
      assert.equal(await effectOn([...allow, { effect: 'deny', path: 'x' }], about('src/x')), 'deny');
      const protectedFiles = protectedPathSource(() => new ProtectedPaths({ cwd, additionalDirectories: [] }, new ProtectedRules()));
      const policy = new Policy({ agent: AGENT, roots: { cwd, additionalDirectories: [] } }, [
        agentRequestSource,
        protectedFiles,
        policyOf(allow).source,
      ]);
      assert.equal((await policy.decide(...partsOf(about('.git/hooks/x'), 'T'))).reason?.code, 'protected_path');
    });

    it('allow no input of another tool that has a command', async () => {
      assert.equal(await effectOn(allow, { kind: 'other', rawInput: { command: 'npm test' } }), 'ask');
      assert.equal(await effectOn(allow, { rawInput: { command: 'npm test' } }), 'ask');
    });

    it('allow no further permission that the request asks for', async () => {
      assert.equal(await effectOn(allow, run('npm test', { additionalPermissions: { network: true } })), 'ask');
      assert.equal(await effectOn(allow, run('npm test', { url: 'https://a.example' })), 'ask');
      const text = { type: 'content', content: { type: 'text', text: 'socks5 access to a.example' } } as const;
      assert.equal(await effectOn(allow, { ...run('npm test'), content: [text] }), 'ask');
      assert.equal(
        await effectOn(allow, { ...run('npm test'), content: [{ type: 'content', content: { type: 'text', text: 'Runs the tests' } }] }),
        'allow',
      );
    });

    it('allow no command in a folder outside of the session', async () => {
      assert.equal(await effectOn(allow, run('npm test', { cwd: at('src') })), 'allow');
      assert.equal(await effectOn(allow, run('npm test', { cwd: base })), 'ask');
      assert.equal(await effectOn(allow, run('npm test', { cwd: 'src' })), 'ask');
      symlinkSync(base, at('link'));
      assert.equal(await effectOn(allow, run('npm test', { cwd: at('link') })), 'ask');
      assert.equal(await effectOn([{ effect: 'deny', command: 'npm *' }], run('npm test', { cwd: base })), 'deny');
    });

    it('allow no command in a folder whose link leads elsewhere meanwhile', async () => {
      mkdirSync(path.join(base, 'outside'));
      const { policy } = policyOf([{ effect: 'allow', command: 'npm test' }]);
      const effect = async (folder: string) => (await policy.decide(...partsOf(run('npm test', { cwd: folder }), 'T'))).effect;
      symlinkSync(at('src'), at('link'));
      assert.equal(await effect(at('link')), 'allow');
      rmSync(at('link'));
      symlinkSync(path.join(base, 'outside'), at('link'));
      assert.equal(await effect(at('link')), 'ask');
      assert.equal(await effect(cwd), 'allow');
    });

    it('allow no environment that decides what runs', async () => {
      const environment = [{ name: 'LD_PRELOAD', value: './x.so' }];
      assert.equal(await effectOf(allow, { kind: 'command', command: 'npm test', cwd, environment }), 'ask');
    });

    it('allow no program that hides behind the name', async () => {
      assert.equal(await effectOf(allow, { kind: 'command', command: 'npm test', cwd, program: at('npm') }), 'ask');
      const own = [{ effect: 'allow', command: './check.sh' }];
      assert.equal(await effectOf(own, { kind: 'command', command: './check.sh', cwd, program: at('check.sh') }), 'allow');
    });

    it('ask about a line that cannot be read, where a rule may deny it', async () => {
      const unread: CommandJudge = {
        ...plainJudge,
        judge: () => ({ effect: undefined, ruleIds: [], writes: [], segments: [], isDoubtful: true }),
      };
      const decided = async (rules: readonly unknown[]) => {
        const { source, roots } = policyOf(rules, unread);
        return (await new Policy({ agent: AGENT, roots }, [source]).decide({ kind: 'command', command: '$x', cwd })).effect;
      };
      assert.equal(await decided([{ effect: 'deny', command: 'git push *' }]), 'ask');
      assert.equal(await decided(allow), 'allow', 'no rule is about it, and no setting asks');
    });

    it('allow all commands by the kind of tool', async () => {
      assert.equal(await effectOn([{ effect: 'allow', tool: 'execute' }], run('npm test; date')), 'allow');
    });

    describe('about files that a command writes', () => {
      const file = (name: string | undefined) => ({
        ...plainJudge,
        judge: () => ({ effect: 'allow' as const, ruleIds: ['0'], writes: [{ path: name }], segments: [] }),
      });
      const decided = async (rules: readonly unknown[], name: string | undefined) =>
        (await policyOf(rules, file(name)).policy.decide(...partsOf(run('npm test > x'), 'T'))).effect;

      it('ask about the file, unless a rule allows its edit', async () => {
        assert.equal(await decided(allow, at('src/x')), 'ask');
        assert.equal(await decided([...allow, { effect: 'allow', tool: 'edit', path: '/src' }], at('src/x')), 'allow');
        assert.equal(await decided([...allow, { effect: 'allow', tool: 'edit', path: '/src' }], path.join(base, 'x')), 'ask');
        assert.equal(await decided([...allow, { effect: 'deny', path: 'x' }], at('src/x')), 'deny');
      });

      it('ask about a file that only the shell knows', async () => {
        assert.equal(await decided([...allow, { effect: 'allow', tool: 'edit' }], undefined), 'ask');
        assert.equal(await decided([...allow, { effect: 'allow', tool: 'edit' }], 'src/x'), 'ask');
      });

      it('are asked about by the setting for commands, as a part of the command', async () => {
        const { source, roots } = policyOf(allow, file(at('src/x')));
        const asking = askBeforeCommandsSource(
          () => 'always',
          () => false,
        );
        const policy = new Policy({ agent: AGENT, roots }, [asking, source]);
        const { effect, rule } = await policy.decide({ kind: 'command', command: 'npm test > x', cwd });
        assert.deepEqual([effect, rule?.origin], ['ask', 'setting']);
      });
    });
  });

  describe('about MCP tools', () => {
    const codex = { kind: 'execute', rawInput: { server: 'github', tool: 'get_issue', arguments: { command: 'x' } } };
    const names = { callTitle: 'mcp.github.get_issue', meta: { is_mcp_tool_approval: true } };

    it('know the names of claude-agent-acp', async () => {
      const on = (mcp: string, name: string, effect = 'allow') =>
        effectOn([{ effect, mcp }], { kind: 'other', rawInput: { command: 'rm' } }, 'T', { name });
      assert.equal(await on('github', 'mcp__github__get_issue'), 'allow');
      assert.equal(await on('github/get_issue', 'mcp__github__get_issue'), 'allow');
      assert.equal(await on('github/get', 'mcp__github__get_issue'), 'ask');
      assert.equal(await on('git', 'mcp__github__get_issue'), 'ask');
      assert.equal(await on('a', 'mcp__a__b__c'), 'ask', 'it can be read in two ways');
      assert.equal(await on('a', 'mcp__a__b__c', 'deny'), 'deny');
      assert.equal(await on('a__b', 'mcp__a__b__c', 'deny'), 'deny');
    });

    it('take the server’s name where claude-agent-acp sends it', async () => {
      const extra = { toolCall: { _meta: { claudeCode: { toolName: 'mcp__my_server__a__b', mcpServer: { name: 'my server' } } } } };
      assert.equal(await effectOn([{ effect: 'allow', mcp: 'my server/a__b' }], { kind: 'other' }, 'T', { extra }), 'allow');
      assert.equal(await effectOn([{ effect: 'allow', mcp: 'my_server' }], { kind: 'other' }, 'T', { extra }), 'ask');
    });

    it('know the names of codex-acp', async () => {
      assert.equal(await effectOn([{ effect: 'allow', mcp: 'github/get_issue' }], codex, 'T', names), 'allow');
      assert.equal(await effectOn([{ effect: 'allow', mcp: 'github' }], codex, 'T', { ...names, meta: {} }), 'ask');
      assert.equal(await effectOn([{ effect: 'deny', mcp: 'github' }], codex, 'T', { ...names, meta: {} }), 'deny');
      assert.equal(await effectOn([{ effect: 'allow', mcp: 'github' }], codex, 'T', { ...names, callTitle: 'mcp.git.get_issue' }), 'ask');
    });

    it('do not count as commands', async () => {
      assert.equal(await effectOn([{ effect: 'allow', tool: 'execute' }], codex, 'T', names), 'ask');
      assert.equal(await effectOn([{ effect: 'deny', tool: 'execute' }], codex, 'T', names), 'deny');
    });
  });

  describe('about addresses', () => {
    const on = (host: string, url: string, kind: string | undefined = 'fetch', effect = 'allow') =>
      effectOn([{ effect, host }], { ...(kind !== '' && { kind }), rawInput: { url } });

    it('match the host', async () => {
      assert.equal(await on('a.example', 'https://A.example:8443/x?y'), 'allow');
      assert.equal(await on('a.example', 'https://b.a.example/'), 'ask');
      assert.equal(await on('*.a.example', 'https://b.a.example/'), 'allow');
      assert.equal(await on('*.a.example', 'https://a.example/'), 'ask');
      assert.equal(await on('*.a.example', 'https://ba.example/'), 'ask');
      assert.equal(await on('bücher.example', 'https://xn--bcher-kva.example/'), 'allow');
    });

    it('allow no address that programs read differently', async () => {
      for (const url of [
        'https://a.example\\@evil.example/',
        'https://x@a.example/',
        'file://a.example/etc',
        'https://a.example/\u202ex',
      ]) {
        assert.equal(await on('a.example', url), 'ask', url);
      }
    });

    it('allow no other tool that has an address', async () => {
      assert.equal(await on('a.example', 'https://a.example/', 'other'), 'ask');
      assert.equal(await on('a.example', 'https://a.example/', ''), 'ask');
    });

    it('deny them with a dot at the end', async () => {
      assert.equal(await on('a.example', 'https://a.example./', 'other', 'deny'), 'deny');
    });
  });

  it('allow nothing while a denial cannot be read', async () => {
    const { policy } = policyOf([{ effect: 'allow', tool: 'edit' }], plainJudge, true);
    assert.equal((await policy.decide(...partsOf(edit('src/a'), 'T'))).effect, 'ask');
  });

  it('decide about the same command by the rules of now', async () => {
    const roots = { cwd, additionalDirectories: [] };
    let now = { rules: parseRules([{ effect: 'allow', command: 'npm test' }]).rules, suspendsAllows: false };
    const judge = await realJudge();
    const source = new UserRuleSource({
      agentId: AGENT.id,
      agentName: AGENT.name,
      roots,
      rulesNow: () => now,
      words: (rule) => `${rule.effect} ${rule.command}`,
      judge: async () => judge,
    });
    const policy = new Policy({ agent: AGENT, roots }, [agentRequestSource, source]);
    const decision = async () => {
      const { effect, reason } = await policy.decide(...partsOf(run('npm test'), 'T'));
      return [effect, reason?.params?.['text']];
    };
    assert.deepEqual(await decision(), ['allow', 'allow npm test']);
    now = { ...now, rules: parseRules([{ effect: 'deny', command: 'npm *' }]).rules };
    assert.deepEqual(await decision(), ['deny', 'deny npm *']);
    now = { ...now, rules: [] };
    assert.deepEqual(await decision(), ['ask', undefined]);
    now = { rules: parseRules([{ effect: 'allow', command: 'npm test' }]).rules, suspendsAllows: true };
    assert.deepEqual(await decision(), ['ask', undefined]);
  });

  it('carry the rule in words, and the message', async () => {
    writeFileSync(at('a'), '');
    const { policy } = policyOf([{ id: 'x', effect: 'deny', path: 'a', message: 'Use b.' }]);
    const decision = await policy.decide({ kind: 'read', asked: at('a'), path: at('a') });
    assert.deepEqual(decision.reason, { code: 'rule', params: { text: 'rule x', message: 'Use b.' } });
  });
});
