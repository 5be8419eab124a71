import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RuleStore } from '../../../../../src/application/permission/rules/ruleStore';
import { failureOf } from '../../../../../src/core/model/failure';
import type { CommandJudge } from '../../../../../src/policy/rules/commandJudge';
import { plainJudge } from '../../../../../src/policy/rules/plainJudge';
import { Policy } from '../../../../../src/policy/policy';
import type { Rule } from '../../../../../src/policy/rule';
import type { StoredRule } from '../../../../../src/policy/rules/userRule';
import { agentRequestSource, partsOf } from '../../../../../src/policy/agentRequests';
import { directChanges } from '../../../../support/directChanges';
import { FakeClock } from '../../../session/permission/fakes';
import { englishVerbatim } from '../../english';
import { memory, sharedSettings, turns } from './ruleStoreScene';

describe('the store of the user’s rules', () => {
  let cwd: string;
  beforeEach(() => (cwd = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-rule-store-')))));
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  function window(shared = sharedSettings(), state = memory(), judge: CommandJudge = plainJudge, changes = directChanges) {
    const clock = new FakeClock();
    const warnings: [string[], boolean][] = [];
    const store = new RuleStore({
      changes,
      settings: shared.settings,
      memory: state,
      clock,
      t: englishVerbatim,
      judge: async () => judge,
      warn: (rules, areSuspended) => warnings.push([rules.map(({ problem = '' }) => problem), areSuspended]),
    });
    const roots = { cwd, additionalDirectories: [] };
    const session = (key: string) => ({ key, agentId: 'ada', agentName: 'Ada', roots });
    const policies = new Map<string, Policy>();
    const effectOf = async (command: string, key = 's') => {
      const policy =
        policies.get(key) ?? new Policy({ agent: { name: 'Ada' }, roots }, [agentRequestSource, store.sourceFor(session(key))]);
      policies.set(key, policy);
      return (await policy.decide(...partsOf({ kind: 'execute', rawInput: { command } }, 'T'))).effect;
    };
    return { store, shared, state, clock, warnings, effectOf, where: (sessionId = 's') => ({ sessionId, cwd }) };
  }

  it('adds a rule for a session, which other sessions do not have', async () => {
    const { store, effectOf, where, shared } = window();
    assert.equal(await effectOf('npm test'), 'ask');
    await store.add({ effect: 'allow', command: 'npm test' }, 'session', where());
    assert.equal(await effectOf('npm test'), 'allow');
    assert.equal(await effectOf('npm test', 'other'), 'ask');
    assert.equal(shared.state.writes, 0);
    assert.deepEqual(
      store.list('s').map(({ scope, from }) => [scope, from]),
      [['session', 'session']],
    );
    store.forget('s');
    assert.equal(await effectOf('npm test'), 'ask');
  });

  it('adds a rule for the folder to the settings', async () => {
    const { store, effectOf, where, shared } = window();
    const { id } = await store.add({ effect: 'allow', command: 'npm test' }, 'folder', where());
    assert.deepEqual(shared.state.value, [{ effect: 'allow', command: 'npm test', folder: cwd }]);
    assert.equal(await effectOf('npm test', 'other'), 'allow');
    assert.deepEqual(
      store.list().map(({ rule, scope, from }) => [rule.id, scope, from]),
      [[id, 'folder', 'card']],
    );
  });

  it('adds rules at the same time, each once, and keeps what it cannot read', async () => {
    const { store, where, shared } = window(sharedSettings([{ effect: 'alow', tool: 'x' }]));
    await Promise.all(['a', 'b', 'a'].map((command) => store.add({ effect: 'allow', command }, 'always', where())));
    assert.deepEqual(shared.state.value, [
      { effect: 'alow', tool: 'x' },
      { effect: 'allow', command: 'a' },
      { effect: 'allow', command: 'b' },
    ]);
  });

  it('does not replace a setting that is no list', async () => {
    const { store, where, shared } = window(sharedSettings({ mine: true }));
    await assert.rejects(store.add({ effect: 'allow', command: 'a' }, 'always', where()), /must be a list of rules/);
    assert.deepEqual(shared.state.value, { mine: true });
  });

  it('revokes a rule at once, before the settings are written', async () => {
    const { store, effectOf, where, shared } = window(
      sharedSettings([
        { effect: 'allow', command: 'npm test' },
        { effect: 'deny', command: 'x' },
      ]),
    );
    assert.equal(await effectOf('npm test'), 'allow');
    const revoked = store.revoke(store.list()[0]!.rule.id);
    assert.equal(await effectOf('npm test'), 'ask');
    await revoked;
    assert.deepEqual(shared.state.value, [{ effect: 'deny', command: 'x' }]);
    await store.add({ effect: 'allow', command: 'y' }, 'session', where());
    await store.revoke(store.list('s')[0]!.rule.id);
    assert.equal(await effectOf('y'), 'ask');
  });

  it('restores a revoked rule as it was written', async () => {
    const written = { effect: 'allow', command: ' npm test ', id: 'mine' };
    const { store, effectOf, where, shared } = window(sharedSettings([written, { effect: 'ask', command: 'x' }]));
    shared.state.denies = [{ value: [{ command: 'd' }], from: 'settings' }];
    shared.change([written, { effect: 'ask', command: 'x' }]);
    const restore = await store.revoke('mine');
    assert.equal(await effectOf('npm test'), 'ask');
    await restore();
    assert.equal(await effectOf('npm test'), 'allow');
    assert.deepEqual(shared.state.value, [{ effect: 'ask', command: 'x' }, written]);
    const { id } = await store.add({ effect: 'allow', command: 'y' }, 'session', where());
    await (await store.revoke(id))();
    assert.equal(await effectOf('y'), 'allow');
    const restoreDenial = await store.revoke(store.list().find(({ rule }) => rule.command === 'd')!.rule.id);
    assert.deepEqual(shared.state.denies, [{ value: [], from: 'settings' }]);
    await restoreDenial();
    assert.deepEqual(shared.state.denies, [{ value: [{ command: 'd' }], from: 'settings' }]);
  });

  it('removes a broken rule', async () => {
    const { store, shared } = window(sharedSettings([{ effect: 'deny', command: 'x' }, 7]));
    const broken = store.list().find(({ problem }) => problem !== undefined)!;
    assert.equal(broken.problem, 'a rule must be an object');
    await store.revoke(broken.rule.id);
    assert.deepEqual(shared.state.value, [{ effect: 'deny', command: 'x' }]);
  });

  it('agrees with other windows', async () => {
    const shared = sharedSettings();
    const [one, other] = [window(shared), window(shared)];
    let changes = 0;
    other.store.onDidChange(() => changes++);
    const { id } = await one.store.add({ effect: 'allow', command: 'npm test' }, 'always', one.where());
    assert.equal(await other.effectOf('npm test'), 'allow');
    assert.ok(changes > 0);
    await other.store.revoke(id);
    assert.equal(await one.effectOf('npm test'), 'ask');
  });

  describe('with examples', () => {
    it('refuses a rule that does not do what they say', async () => {
      const { store, where } = window();
      const add = (more: object) => store.add({ effect: 'allow', command: 'npm test *', ...more }, 'session', where());
      await add({ match: ['npm test x'], notMatch: ['npm testing'] });
      const failure = await add({ match: ['npm run test'] }).then(
        () => assert.fail(),
        (error: unknown) => failureOf(error),
      );
      assert.deepEqual([failure.code, failure.params], ['rule.invalid', { reason: "the rule doesn't match its example npm run test" }]);
      await assert.rejects(add({ notMatch: ['npm test'] }), /which it must not/);
    });

    it('keeps a permission out of force, and a denial in force', async () => {
      const rules = [
        { effect: 'allow', command: 'npm test', match: ['npm run test'] },
        { effect: 'deny', command: 'git push *', match: ['git pull'] },
        { effect: 'allow', command: 'make', match: ['make'] },
      ];
      const { effectOf, warnings } = window(sharedSettings(rules));
      await turns();
      await turns();
      assert.deepEqual(await Promise.all(['npm test', 'git push', 'make'].map((each) => effectOf(each))), ['ask', 'deny', 'allow']);
      assert.deepEqual(warnings, [
        [["the rule doesn't match its example npm run test", "the rule doesn't match its example git pull"], false],
      ]);
    });

    it('has decisions wait until they are checked', async () => {
      const { store, effectOf } = window(sharedSettings([{ effect: 'allow', command: 'make', match: ['make'] }]));
      assert.equal(store.hasRules('s', cwd), true);
      assert.equal(await effectOf('make'), 'allow');
    });

    it('compares paths, hosts and MCP tools', async () => {
      const { store, where } = window();
      const add = (rule: object) => store.add({ effect: 'allow', ...rule } as never, 'session', where());
      await add({ path: '/src', match: ['src/a.ts'], notMatch: ['other/src', '/etc/src/x'] });
      await add({ host: '*.a.example', match: ['https://b.a.example/x', 'c.a.example'], notMatch: ['a.example'] });
      await add({ mcp: 'github', match: ['github/x'], notMatch: ['git/x'] });
      await add({ tool: 'edit', match: ['edit'], notMatch: ['delete'] });
      await assert.rejects(add({ path: '/src', match: ['lib/a.ts'] }), /lib\/a\.ts/);
    });
  });

  it('allows nothing while a denial cannot be read, and says so', async () => {
    const rules: unknown[] = [
      { effect: 'allow', command: 'git *' },
      { effect: 'deny', comand: 'git push *' },
    ];
    const { effectOf, warnings, shared } = window(sharedSettings(rules));
    assert.equal(await effectOf('git push'), 'ask');
    assert.equal(await effectOf('git status'), 'ask');
    await turns();
    assert.deepEqual(warnings, [[['a rule has no member `comand` (perhaps `command`)'], true]]);
    shared.change([rules[0], { effect: 'deny', command: 'git push *' }]);
    assert.equal(await effectOf('git push'), 'deny');
    assert.equal(await effectOf('git status'), 'allow');
  });

  it('allows nothing while the pattern of a denial is not valid', async () => {
    const { store, effectOf, warnings } = window(
      sharedSettings([
        { effect: 'allow', command: 'git *' },
        { effect: 'deny', command: 'git * --force' },
      ]),
    );
    assert.equal(await effectOf('git status'), 'ask');
    await turns();
    assert.deepEqual(warnings, [[["the pattern of the command isn't valid: `*` must be the last word"], true]]);
    assert.equal(store.list()[1]!.problem, warnings[0]![0][0]);
  });

  it('takes denials of a workspace, and nothing else from it', async () => {
    const shared = sharedSettings([{ effect: 'allow', command: 'npm *' }]);
    shared.state.denies = [{ value: [{ command: 'npm publish *' }, { effect: 'allow', command: 'rm *' }], from: 'workspace' }];
    const { store, effectOf } = window(shared);
    assert.equal(await effectOf('npm publish'), 'deny');
    assert.equal(await effectOf('rm x'), 'ask');
    assert.deepEqual(
      store.list().map(({ from, problem }) => [from, problem !== undefined]),
      [
        ['settings', false],
        ['workspace', false],
        ['workspace', true],
      ],
    );
  });

  it('checks no examples of a workspace, and applies its denials', async () => {
    const shared = sharedSettings();
    const match = Array.from({ length: 100 }, (_, at) => `x ${at}`);
    shared.state.denies = [{ value: [{ command: 'git push', match }], from: 'workspace' }];
    let judged = 0;
    const judge = { ...plainJudge, judge: (...args: Parameters<typeof plainJudge.judge>) => (judged++, plainJudge.judge(...args)) };
    const { store, effectOf } = window(shared, memory(), judge);
    assert.equal(await effectOf('git push'), 'deny');
    assert.equal(judged, 1, 'the command itself');
    assert.equal(store.list()[0]?.problem, undefined);
  });

  it('keeps a rule of the user, whose id a workspace uses for a denial', async () => {
    const ask = { effect: 'ask', command: 'git push' };
    const { store, shared, effectOf } = window(sharedSettings([ask, { effect: 'allow', command: 'git push' }]));
    const [{ rule }] = store.list() as [StoredRule];
    shared.state.denies = [{ value: [{ id: rule.id, command: 'never' }], from: 'workspace' }];
    shared.change(shared.state.value);
    assert.equal(await effectOf('git push'), 'ask');
    const own = store.sourceFor({ key: 'other', agentId: 'ada', agentName: 'Ada', roots: { cwd, additionalDirectories: [] } });
    const allowed: Rule = {
      id: 'mode',
      effect: 'allow',
      match: {},
      reason: { code: 'rule' },
      origin: 'mode',
      answers: ['agent', 'setting'],
    };
    const policy = new Policy({ roots: { cwd, additionalDirectories: [] } }, [agentRequestSource, own, { rulesFor: () => [allowed] }]);
    assert.equal((await policy.decide({ kind: 'command', command: 'git push', tool: 'execute' })).effect, 'ask');
  });

  it('revokes one of two rules with the same id', async () => {
    const [x, y] = ['x', 'y'].map((command) => ({ id: 'mine', effect: 'allow', command }));
    const { store, shared, effectOf } = window(sharedSettings([x, y]));
    await store.revoke(store.list()[1]!.rule.id);
    assert.deepEqual(shared.state.value, [x]);
    assert.deepEqual([await effectOf('x'), await effectOf('y')], ['allow', 'ask']);
  });

  it('has the rules again after a restart, but none of a session', async () => {
    const shared = sharedSettings();
    const state = memory();
    const before = window(shared, state);
    for (const [command, scope] of [
      ['x', 'always'],
      ['y', 'folder'],
      ['z', 'session'],
    ] as const) {
      await before.store.add({ effect: 'allow', command }, scope, before.where());
    }
    before.store.dispose();
    shared.state.value = JSON.parse(JSON.stringify(shared.state.value));
    shared.state.isRemote = true;
    const { effectOf } = window(shared, state);
    assert.deepEqual([await effectOf('x'), await effectOf('y'), await effectOf('z')], ['allow', 'allow', 'ask']);
  });

  it('removes a denial of the user’s own setting, and none of a workspace', async () => {
    const shared = sharedSettings();
    shared.state.denies = [{ value: [{ command: 'a' }, { command: 'b' }], from: 'settings' }];
    const { store, effectOf } = window(shared);
    await store.revoke(store.list()[0]!.rule.id);
    assert.deepEqual(shared.state.denies, [{ value: [{ command: 'b' }], from: 'settings' }]);
    assert.equal(await effectOf('a'), 'ask');
    shared.state.denies = [{ value: [{ command: 'c' }], from: 'workspace' }];
    shared.change(undefined);
    await store.revoke(store.list()[0]!.rule.id);
    assert.equal(await effectOf('c'), 'deny');
  });

  describe('in a remote window', () => {
    it('applies a permission of the machine only after the user has confirmed its content', async () => {
      const shared = sharedSettings([
        { effect: 'allow', command: 'npm test' },
        { effect: 'deny', command: 'git push *' },
      ]);
      shared.state.isRemote = true;
      const { store, effectOf, warnings, clock } = window(shared);
      assert.equal(await effectOf('npm test'), 'ask');
      assert.equal(await effectOf('git push'), 'deny');
      await turns();
      clock.pass(1500);
      assert.deepEqual(warnings, [[["this rule is in the settings of the remote machine and isn't confirmed"], false]]);
      const [shown] = store.list();
      assert.equal(shown!.isUnconfirmed, true);
      await store.confirm([shown!.rule]);
      assert.equal(await effectOf('npm test'), 'allow');
      // The machine widens the rule under the same id.
      const { id } = store.list()[0]!.rule;
      shared.change([{ id, effect: 'allow', command: 'npm *' }]);
      assert.equal(await effectOf('npm test'), 'ask');
    });

    it('applies a rule whose confirmation by another window arrives after the rule', async () => {
      const shared = sharedSettings();
      shared.state.isRemote = true;
      const state = memory();
      const { effectOf, warnings, clock } = window(shared, state);
      shared.change([{ effect: 'allow', command: 'npm test' }]);
      assert.equal(await effectOf('npm test'), 'ask');
      const other = window(shared);
      await other.store.confirm(other.store.list().map(({ rule }) => rule));
      state.values.set('permissions.confirmedRules', other.state.values.get('permissions.confirmedRules'));
      assert.equal(await effectOf('npm test'), 'allow');
      await turns();
      clock.pass(1500);
      assert.deepEqual(warnings, []);
    });

    it('restores a confirmation that another window has overwritten', async () => {
      const shared = sharedSettings();
      shared.state.isRemote = true;
      const { store, effectOf, where, clock, state } = window(shared);
      await store.add({ effect: 'allow', command: 'npm test' }, 'always', where());
      state.values.set('permissions.confirmedRules', ['another rule']);
      assert.equal(await effectOf('npm test'), 'ask');
      clock.pass(1000);
      assert.equal(await effectOf('npm test'), 'allow');
      assert.equal((state.values.get('permissions.confirmedRules') as string[]).length, 2);
    });

    it('applies a rule that the user has made', async () => {
      const shared = sharedSettings();
      shared.state.isRemote = true;
      const { store, effectOf, where } = window(shared);
      await store.add({ effect: 'allow', command: 'npm test' }, 'always', where());
      assert.equal(await effectOf('npm test'), 'allow');
    });
  });

  it('ends a permission that another window has revoked, before the settings say so', async () => {
    const shared = sharedSettings([
      { effect: 'allow', command: 'npm test' },
      { effect: 'deny', command: 'git push *' },
    ]);
    let write: (value: unknown) => void = () => undefined;
    const changes: typeof directChanges = {
      change: (...change) => directChanges.change(...change),
      onDidWrite: (_, listener) => {
        write = listener;
        return { dispose: () => undefined };
      },
    };
    const { store, effectOf, clock, where } = window(shared, memory(), plainJudge, changes);
    await store.add({ effect: 'allow', command: 'make' }, 'session', where());
    assert.equal(await effectOf('npm test'), 'allow');
    write([]);
    assert.equal(await effectOf('npm test'), 'ask');
    assert.equal(await effectOf('git push'), 'deny');
    assert.equal(await effectOf('make'), 'allow');
    assert.deepEqual(
      store.list().map(({ rule }) => rule.command),
      ['git push *'],
    );
    shared.change([]);
    shared.change([{ effect: 'allow', command: 'npm test' }]);
    assert.equal(await effectOf('npm test'), 'allow');
    write([]);
    await store.add({ effect: 'allow', command: 'npm start' }, 'always', where());
    assert.equal(await effectOf('npm start'), 'allow');
    write([]);
    clock.pass(10_000);
    assert.equal(await effectOf('npm start'), 'allow');
  });

  it('remembers the last use, also of another window', async () => {
    const state = memory();
    const shared = sharedSettings([{ effect: 'allow', command: 'a' }]);
    const { store, clock } = window(shared, state);
    const { id } = store.list()[0]!.rule;
    store.used(id, 100);
    store.used(id, 200);
    assert.equal(store.list()[0]!.lastUsed, 200);
    assert.equal(state.values.size, 0);
    clock.pass(5000);
    assert.deepEqual(state.values.get('permissions.ruleUse'), { [id]: 200 });
    const other = window(shared, state);
    assert.equal(other.store.list()[0]!.lastUsed, 200);
    other.store.used(id, 150);
    other.store.dispose();
    assert.deepEqual(state.values.get('permissions.ruleUse'), { [id]: 200 });
  });

  it('lists the last 50 denials, and allows one', async () => {
    const { store, effectOf } = window();
    for (let index = 0; index < 60; index++) {
      store.denied({ sessionId: 's', cwd, title: `c${index}`, allow: { effect: 'allow', command: `c${index}` } });
    }
    assert.deepEqual([store.denials.length, store.denials[0]!.title, store.denials.at(-1)!.title], [50, 'c59', 'c10']);
    await store.allowDenied(store.denials[0]!.id, 'session');
    assert.equal(await effectOf('c59'), 'allow');
    assert.equal(await store.allowDenied('denial-1', 'session'), undefined);
  });

  it('denies from now on what the user denied once', async () => {
    const { store, effectOf } = window();
    store.denied({ sessionId: 's', cwd, title: 'make', deny: { effect: 'deny', command: 'make' } });
    store.denied({ sessionId: 's', cwd, title: 'other' });
    const [other, make] = store.denials;
    assert.equal(await store.denyDenied(other!.id, 'folder'), undefined);
    const rule = await store.denyDenied(make!.id, 'folder');
    assert.deepEqual([rule?.effect, rule?.folder], ['deny', cwd]);
    assert.equal(await effectOf('make'), 'deny');
  });

  it('imports rules that are new', async () => {
    const { store, shared } = window(sharedSettings([{ effect: 'allow', command: 'a' }]));
    const added = await store.import([{ effect: 'allow', command: 'a' }, { effect: 'ask', command: 'b' }, { effect: 'allow' }]);
    assert.deepEqual(
      added.map(({ command }) => command),
      ['b'],
    );
    assert.deepEqual(shared.state.value, [
      { effect: 'allow', command: 'a' },
      { effect: 'ask', command: 'b' },
    ]);
    assert.deepEqual(
      store.list().map(({ from }) => from),
      ['settings', 'import'],
    );
  });
});
