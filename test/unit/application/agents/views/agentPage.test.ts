import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { machineOf } from '../../../../../src/agent/machine';
import { Traces } from '../../../../../src/acp/trace/traces';
import { detailSections, isWebAddress, logLines, pageLinks, versionRows } from '../../../../../src/application/agents/views/agentDetails';
import { packageName, readmeOf } from '../../../../../src/application/agents/views/readmeFile';
import { type AgentSettingsFacts, settingSections } from '../../../../../src/application/agents/views/agentSettings';
import { runningState } from '../../../../../src/application/agents/views/runningRows';
import { EMPTY_STATE } from '../../../../../src/core/model/state';
import { fromAgentsPage } from '../../../../../src/core/agents/agentsPage';
import { catalogEntry, installedAgent, installedVersion, pageState, registryAgent } from '../../../../support/agentPages';
import { englishVerbatim } from '../../english';

describe('the page of an agent', () => {
  it('shows addresses of web pages alone', () => {
    const agent = registryAgent('a', {
      website: 'https://example.com',
      repository: 'javascript:alert(1)',
      licenseUrl: 'https://user:pw@example.com',
    });
    assert.deepEqual(pageLinks({ registry: agent }, englishVerbatim), [{ label: 'Website', href: 'https://example.com' }]);
    assert.equal(isWebAddress('file:///etc/passwd'), false);
    assert.equal(isWebAddress('command:x'), false);
    assert.equal(isWebAddress('http://localhost:1'), true);
  });

  it('lists the versions, the newest first, each with the action that starts this very version', () => {
    const rowsOf = (version: string, installed?: ReturnType<typeof installedAgent>) =>
      versionRows({ registry: registryAgent('a', { version }), ...(installed && { installed }) }, 'en', englishVerbatim).map((row) => [
        row.version,
        row.isCurrent,
        row.actions,
      ]);
    const installed = installedAgent('a', {
      current: installedVersion('1.9.0'),
      previous: [installedVersion('2.0.0'), installedVersion('1.8.0')],
    });
    assert.deepEqual(rowsOf('2.1.0', installed), [
      ['2.1.0', false, ['update']],
      ['2.0.0', false, ['use_version']],
      ['1.9.0', true, ['pin']],
      ['1.8.0', false, ['use_version']],
    ]);
    assert.deepEqual(rowsOf('2.0.0', installed)[0], ['2.0.0', false, ['use_version']]);
    const pinned = { ...installed, pinned: true };
    assert.deepEqual(rowsOf('2.1.0', pinned)[0], ['2.1.0', false, ['install']]);
    assert.deepEqual(rowsOf('1.7.0', installed).at(-1), ['1.7.0', false, ['install']]);
    assert.deepEqual(rowsOf('1.0.0'), [['1.0.0', false, ['install']]]);
    assert.deepEqual(versionRows({}, 'en', englishVerbatim), []);
  });

  it('says what a test has found about the sign-in, until a session knows better', () => {
    const facts = { sessions: [], hasSavedValues: false, endpoints: [], isDefault: false, options: {}, servers: undefined, rules: [] };
    const methods = [{ methodId: 'b', name: 'Browser', type: 'agent' }] as const;
    const signInOf = (more: Partial<AgentSettingsFacts>) => {
      const { facts: rows, actions } = settingSections({ ...facts, ...more }, englishVerbatim)[0]!;
      return [rows[0]!.value, actions];
    };
    assert.deepEqual(signInOf({}), ['Known once a session has started', []]);
    assert.deepEqual(signInOf({ methods, tested: 'required' }), ['Sign-in required', ['sign_in']]);
    assert.deepEqual(signInOf({ tested: 'required' }), ['Sign-in required', []]);
    assert.deepEqual(signInOf({ methods, tested: 'works' }), ['Works without another sign-in', ['sign_in']]);
    const session = { ...EMPTY_STATE, status: 'ready' } as const;
    assert.deepEqual(signInOf({ methods, tested: 'required', sessions: [session] }), ['Works without another sign-in', ['sign_in']]);
  });

  it('shows the whole command of an agent from the settings', () => {
    const command = `/usr/bin/agent ${'--with=another-long-argument '.repeat(60)}--last`;
    const entry = { ...catalogEntry('Mine', 'user'), launch: { ...catalogEntry('Mine', 'user').launch, command, args: [] } };
    const [section] = detailSections({ key: 'Mine', agentId: 'Mine', name: 'Mine', entry }, 'en', englishVerbatim);
    assert.match(section!.facts.find(({ label }) => label === 'Command')!.value, /--last'?$/);
  });

  it('shows an endpoint without its user, password and query', () => {
    const providers = pageState().settings.find(({ title }) => title === 'Providers')!;
    assert.deepEqual(providers.facts, [{ label: 'anthropic', value: 'https://gateway.example.com/v1' }]);
  });

  it('shows the log without secrets', () => {
    const traces = new Traces({ now: () => 0 });
    const { trace } = traces.add({ agentId: 'a', agentName: 'A', commandLine: 'a --acp', cwd: '/', secrets: () => ['the-secret-value'] });
    trace.sent('{"jsonrpc":"2.0"}');
    trace.stderr('key: the-secret-value');
    trace.note('ended: agent.exited 1');
    const lines = logLines(traces.all, 'en', englishVerbatim);
    assert.deepEqual(
      lines.map(({ text, isNote = false }) => [text.replace(/: [^ ]*redacted[^ ]*$/i, ': …'), isNote]),
      [
        ['Started: a --acp', true],
        ['key: …', false],
        ['ended: agent.exited 1', true],
      ],
    );
  });

  it('takes messages of the page by their schema', () => {
    assert.ok(fromAgentsPage.validate({ type: 'act', key: 'a', action: 'install' }));
    assert.ok(!fromAgentsPage.validate({ type: 'act', key: 'a', action: 'format_disk' }));
    assert.ok(!fromAgentsPage.validate({ type: 'open', key: '' }));
    assert.ok(!fromAgentsPage.validate({ type: 'link', href: 'x'.repeat(5000) }));
  });
});

describe('the readme of an installed agent', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'readme-'))));
  afterEach(() => rm(folder, { recursive: true }));
  const source = '@example/agent@1.0.0';

  it('comes from its package', async () => {
    const place = path.join(folder, 'node_modules/@example/agent');
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'README.md'), '# Hello');
    assert.equal(await readmeOf({ folder, way: 'npx', source }), '# Hello');
    assert.equal(await readmeOf({ folder, way: 'binary', source: 'https://example.com/a.tar.gz' }), undefined);
  });

  it('comes from an archive, as far as a page needs it', async () => {
    const place = path.join(folder, 'files');
    await mkdir(place);
    const file = path.join(place, 'readme.md');
    await writeFile(file, '# Hello');
    // A gigabyte without a block on the disk.
    await truncate(file, 1024 ** 3);
    const before = process.memoryUsage().arrayBuffers;
    const text = await readmeOf({ folder, way: 'binary', source: 'https://example.com/a.tar.gz' });
    assert.equal(text?.slice(0, 7), '# Hello');
    assert.equal(text.length, 200_000);
    assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000);
  });

  it('never comes from outside of the folder', async () => {
    const outside = path.join(tmpdir(), `outside-${process.pid}.md`);
    await writeFile(outside, 'private');
    await symlink(outside, path.join(folder, 'README.md'));
    assert.equal(await readmeOf({ folder, way: 'binary', source: 'https://example.com/a.tar.gz' }), undefined);
    await rm(outside);
  });

  it('refuses a package name that is a path', () => {
    assert.equal(packageName('@scope/name@1.0.0'), '@scope/name');
    assert.equal(packageName('name@1.0.0'), 'name');
    assert.equal(packageName('../name@1.0.0'), undefined);
    assert.equal(packageName('a/b/c@1'), undefined);
    assert.equal(packageName('..'), undefined);
  });
});

describe('the agents that run', () => {
  it('are shown with memory, time, sessions and their sum', () => {
    const agent = { key: 'k', name: 'A', folder: '/w', startedAt: 0, isReady: true, sessions: [{ key: 's', title: 'T' }] };
    const state = runningState(
      [
        { ...agent, pid: 7, memory: 50 * 1024 * 1024 },
        {
          ...agent,
          key: 'l',
          sessions: [],
          host: machineOf({ kind: 'websocket', url: 'wss://far.example:8443/acp', headers: {} }),
          proxies: ['note', 'log\u202e'],
        },
        { ...agent, key: 'm', isWorking: true },
      ],
      65_000,
      englishVerbatim,
    );
    assert.equal(state.total, '3 agents · 50 MB');
    assert.deepEqual(
      state.agents.map(({ memory, uptime, status, actions }) => [memory, uptime, status, actions]),
      [
        ['50 MB', '1 min 5 s', 'Ready · process 7', ['stop', 'restart']],
        ['Not known', '1 min 5 s', 'Ready · on far.example:8443 · through note, log⟨U+202E⟩', ['stop']],
        ['Not known', '1 min 5 s', 'Working', ['stop', 'restart']],
      ],
    );
  });
});
