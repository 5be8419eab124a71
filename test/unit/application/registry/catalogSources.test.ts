import assert from 'node:assert/strict';
import { catalogOf } from '../../../../src/agent/catalog';
import { PREDEFINED_AGENTS } from '../../../../src/agent/predefined';
import { fallbackEntries } from '../../../../src/application/registry/fallbackEntries';
import { parseManifests } from '../../../../src/registry/manifest';
import { predefinedLaunches, registrySources } from '../../../../src/application/registry/catalogSources';
import { changesPage, updatesOf, versionToReturnTo } from '../../../../src/application/registry/updates';
import { PUBLIC_REGISTRY } from '../../../../src/core/agents/registryTwins';
import type { ProcessLaunch } from '../../../../src/core/model/agentLaunch';
import type { InstalledAgent, InstalledVersion, RegistryAgent } from '../../../../src/registry/types';
import { fingerprintOf } from '../../../../src/workbench/signIn/savedCredentials';

const version = (name: string, more: Partial<InstalledVersion> = {}): InstalledVersion => ({
  version: name,
  folder: `/s/${name}`,
  way: 'npx',
  source: `cline@${name}`,
  installedAt: Number.parseInt(name, 10),
  launch: { command: '/usr/bin/node', args: [`/s/${name}/x.js`, '--acp'], env: {} },
  ...more,
});
const installed = (agentId: string, name: string, more: Partial<InstalledAgent> = {}): InstalledAgent => ({
  ...{
    agentId,
    id: 'x',
    origin: PUBLIC_REGISTRY,
    name,
    current: version('2.0.0'),
    previous: [],
    pinned: false,
    failedStarts: 0,
    hasStarted: true,
  },
  ...more,
});
const known = (agentId: string, spec: string, more: Partial<RegistryAgent> = {}): RegistryAgent => ({
  ...{ id: 'x', agentId, name: 'X', version: spec.replace(/^.*@/, ''), description: '', authors: [], origin: PUBLIC_REGISTRY },
  ways: [{ kind: 'npx', package: spec, args: ['--acp'], env: { A: '1' } }],
  ...more,
});

describe('agents of registries in the catalog', () => {
  it('start in the place of the predefined agent, under its name and id', () => {
    const sources = registrySources(
      [installed('Cline', 'Cline of the registry', { icon: '<svg/>' }), installed('registry/new', 'New')],
      [],
    );
    const { entries } = catalogOf({ userAgents: undefined, ...sources });
    const cline = entries.find(({ agentId }) => agentId === 'Cline')!;
    assert.deepEqual(
      [cline.agentName, cline.source, cline.icon, (cline.launch as ProcessLaunch).command],
      ['Cline', 'registry', '<svg/>', '/usr/bin/node'],
    );
    assert.deepEqual(
      entries.filter(({ source }) => source === 'registry').map(({ agentName }) => agentName),
      ['Cline', 'New'],
    );
    assert.equal(entries.filter(({ agentName }) => agentName.startsWith('Cline')).length, 1);
    assert.equal(new Set(entries.map(({ agentId }) => agentId)).size, entries.length);
  });

  it("follow the user's setting, and are told apart from others of the same name", () => {
    const sources = registrySources([installed('Cline', 'Cline'), installed('registry/a', 'Mine'), installed('registry/b', 'Mine')], []);
    const names = (userAgents: unknown) =>
      catalogOf({ userAgents, predefined: [], installed: sources.installed! }).entries.map(({ agentName }) => agentName);
    assert.deepEqual(names({ Cline: null, 'registry/b': null }), ['Mine']);
    assert.deepEqual(names({ Mine: { command: 'x' }, Cline: { command: 'y' } }), [
      'Mine',
      'Cline',
      'Mine (registry/a)',
      'Mine (registry/b)',
    ]);
  });

  it('keep the values of a sign-in over an update, also of the predefined agent', () => {
    const own = PREDEFINED_AGENTS.find(({ agentId }) => agentId === 'Cline')!;
    const of = (current: InstalledVersion) => registrySources([installed('Cline', 'Cline', { current })], []).installed![0]!.launch;
    const prints = [own, of(version('3.0.65')), of(version('9.0.0'))].map((launch) => fingerprintOf(launch, undefined));
    assert.equal(new Set(prints).size, 1);
    const others = [
      of(version('9.0.0', { source: 'evil@9.0.0' })),
      of(version('9.0.0', { way: 'binary' })),
      { ...own, command: '/usr/bin/node' },
    ];
    assert.ok(others.every((launch) => fingerprintOf(launch, undefined) !== prints[0]));
  });

  it('give predefined agents newer versions of the same package', () => {
    const argsOf = (agentId: string, agents: RegistryAgent[]) => predefinedLaunches(agents).find((each) => each.agentId === agentId)!.args;
    assert.deepEqual(argsOf('Cline', [known('Cline', 'cline@99.0.0')]), ['--yes', 'cline@99.0.0', '--acp']);
    const pin = PREDEFINED_AGENTS.find(({ agentId }) => agentId === 'Cline')!.args;
    for (const agent of [
      known('Cline', 'cline@0.0.1'),
      known('Cline', 'evil@99.0.0'),
      known('Cline', 'cline@99.0.0', { origin: 'https://team.example/r.json' }),
      known('Cline', 'cline@99.0.0', { problem: { code: 'registry.refused' } }),
      known('Cline', 'cline@99.0.0', { ways: [] }),
      known('Goose', 'cline@99.0.0'),
    ]) {
      assert.deepEqual(argsOf('Cline', [agent]), pin);
    }
    assert.deepEqual(predefinedLaunches([known('Goose', 'goose@99.0.0')]), PREDEFINED_AGENTS);
  });
});

describe('the fallback of the public registry', () => {
  it('has the predefined agents of npm with their pins, as valid entries', () => {
    const agents = parseManifests(fallbackEntries(), PUBLIC_REGISTRY, 'linux-x86_64').map(({ agent }) => agent);
    assert.deepEqual(agents.map(({ problem }) => problem).filter(Boolean), []);
    assert.equal(agents.length, new Set(agents.map(({ agentId }) => agentId)).size);
    const others = PREDEFINED_AGENTS.filter(({ agentId }) => !agents.some((each) => each.agentId === agentId));
    assert.deepEqual(
      others.map(({ agentId }) => agentId),
      ['Factory Droid', 'Goose', 'Mistral Vibe'],
    );
    const kimi = agents.find(({ agentId }) => agentId === 'Kimi CLI')!;
    assert.deepEqual([kimi.id, kimi.ways], ['kimi', [{ kind: 'npx', package: '@moonshot-ai/kimi-code@2.1.0', args: ['acp'], env: {} }]]);
  });

  it('knows the successors of packages', () => {
    const launches = predefinedLaunches([known('OpenCode', '@opencode/cli@2.0.23')]);
    assert.deepEqual(launches.find(({ agentId }) => agentId === 'OpenCode')!.args, ['--yes', '@opencode/cli@2.0.23', '--acp']);
  });
});

describe('updates of installed agents', () => {
  const mine = installed('registry/x', 'X');
  const offered = (agent: InstalledAgent, ...agents: RegistryAgent[]) => updatesOf([agent], agents).map((each) => each.agent.version);

  it('are newer versions of the same registry that the user may want', () => {
    assert.deepEqual(offered(mine, known('registry/x', 'x@2.1.0')), ['2.1.0']);
    assert.deepEqual(offered(mine, known('registry/x', 'x@2.0.0'), known('registry/y', 'y@3.0.0')), []);
    assert.deepEqual(offered({ ...mine, pinned: true }, known('registry/x', 'x@2.1.0')), []);
    assert.deepEqual(offered({ ...mine, skipped: '2.1.0' }, known('registry/x', 'x@2.1.0')), []);
    assert.deepEqual(offered({ ...mine, skipped: '2.1.0' }, known('registry/x', 'x@2.2.0')), ['2.2.0']);
    for (const more of [{ origin: 'https://other/' }, { ways: [] }, { problem: { code: 'registry.refused' } as const }]) {
      assert.deepEqual(offered(mine, known('registry/x', 'x@2.1.0', more)), []);
    }
  });

  it('name the page of the changes', () => {
    assert.equal(changesPage({ repository: 'https://github.com/a/b.git' }), 'https://github.com/a/b/releases');
    assert.equal(changesPage({ repository: 'https://github.com/a/b/tree/main?x' }), 'https://github.com/a/b/releases');
    assert.equal(changesPage({ website: 'https://a.example/' }), 'https://a.example/');
    assert.equal(changesPage({}), undefined);
  });

  it('lead back after two failed starts, and after the first one of a version that has never started', () => {
    const earlier = version('1.0.0');
    assert.equal(versionToReturnTo({ ...mine, failedStarts: 2, earlier }), '1.0.0');
    assert.equal(versionToReturnTo({ ...mine, failedStarts: 1, earlier }), undefined);
    assert.equal(versionToReturnTo({ ...mine, failedStarts: 1, hasStarted: false, earlier }), '1.0.0');
    assert.equal(versionToReturnTo({ ...mine, failedStarts: 0, hasStarted: false, earlier }), undefined);
    assert.equal(versionToReturnTo({ ...mine, failedStarts: 2, previous: [version('3.0.0')] }), undefined);
  });
});
