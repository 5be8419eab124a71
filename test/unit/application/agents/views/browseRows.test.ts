import assert from 'node:assert/strict';
import { agentFacts, hasUpdate } from '../../../../../src/application/agents/views/agentFacts';
import { actionsOf, browseRow, progressOf, registryNotes, sizeText } from '../../../../../src/application/agents/views/browseRows';
import { filterAgents } from '../../../../../src/core/agents/filterAgents';
import { AGENTS, browseState, catalogEntry, installedAgent, installedVersion, registryAgent } from '../../../../support/agentPages';
import { englishVerbatim } from '../../english';

const rowOf = (name: string) => browseState().agents.find((row) => row.name === name)!;
const statesOf = (name: string) => rowOf(name).states.map(({ text }) => text);

describe('the agents to browse', () => {
  it('joins registry, disk and catalog by the identity, updates and installed agents first, refused ones last', () => {
    assert.deepEqual(
      AGENTS.map(({ name }) => name),
      [
        'Goose',
        'Mistral Vibe',
        'Demo Agent',
        'My Agent',
        'Busy Agent',
        'Claude Code',
        'Cline',
        'Failed Agent',
        'Gemini CLI',
        'Windows Only',
        'Broken',
      ],
    );
  });

  it('keeps a refused duplicate apart from the agent whose identity it has', () => {
    const twin = registryAgent('one', { id: 'one#2', problem: { code: 'registry.refused', params: { reason: 'duplicate' } }, ways: [] });
    const facts = agentFacts({ registry: [registryAgent('one'), twin], installed: [installedAgent('one')], entries: [] });
    assert.equal(new Set(facts.map(({ key }) => key)).size, 2);
    assert.deepEqual(
      facts.map(({ installed, registry }) => [installed !== undefined, registry?.id]),
      [
        [true, 'one'],
        [false, 'one#2'],
      ],
    );
  });

  it('says the state of each agent', () => {
    assert.deepEqual(statesOf('Goose'), ['Installed', 'Update: 2.1.0', 'From your settings']);
    assert.deepEqual(statesOf('Mistral Vibe'), ['Installed', 'Pinned']);
    assert.deepEqual(statesOf('Claude Code'), ['Predefined']);
    assert.deepEqual(statesOf('Demo Agent'), ['Built-in']);
    assert.deepEqual(statesOf('Windows Only'), ['Not available']);
    assert.deepEqual(statesOf('Broken'), ['Refused']);
  });

  it('says how each runs here', () => {
    const runs = Object.fromEntries(browseState().agents.map((row) => [row.name, row.runs]));
    assert.deepEqual(runs, {
      Goose: 'Program for Linux x64',
      'Mistral Vibe': 'Python package, runs with uv',
      'Demo Agent': 'Runs in VS Code',
      'My Agent': 'Runs /home/ada/bin/agent',
      'Busy Agent': 'npm package, runs on Node.js',
      'Claude Code': 'Fetched by npx at each start',
      Cline: 'npm package, runs on Node.js',
      'Failed Agent': 'npm package, runs on Node.js',
      'Gemini CLI': 'npm package, runs on Node.js',
      'Windows Only': 'Not available for Linux x64',
      Broken: '',
    });
  });

  it('says that a program is not on this machine', () => {
    const runs = (command: string, availability: 'installed' | 'downloads' | 'not_installed' | 'no_runner') => {
      const [facts] = agentFacts({ registry: [], installed: [], entries: [catalogEntry('Goose', 'predefined', command)] });
      return browseRow(facts!, { availability }, 'Linux', englishVerbatim).runs;
    };
    assert.equal(runs('goose', 'not_installed'), 'goose was not found on this machine');
    assert.equal(runs('npx', 'no_runner'), 'Needs npx, which was not found on this machine');
    assert.equal(runs('goose', 'installed'), 'Runs goose');
    assert.equal(runs('npx', 'downloads'), 'Fetched by npx at each start');
  });

  it('offers the actions that are possible', () => {
    assert.deepEqual(rowOf('Goose').actions, ['update', 'new_session', 'roll_back', 'pin', 'uninstall']);
    assert.deepEqual(rowOf('Mistral Vibe').actions, ['new_session', 'unpin', 'uninstall']);
    assert.deepEqual(rowOf('Cline').actions, ['install']);
    assert.deepEqual(rowOf('My Agent').actions, ['new_session']);
    assert.deepEqual(rowOf('Windows Only').actions, []);
    assert.deepEqual(rowOf('Broken').actions, []);
    assert.deepEqual(rowOf('Busy Agent').actions, ['cancel']);
  });

  it('offers an installation of a predefined agent, which is then started from the disk', () => {
    const [facts] = agentFacts({
      registry: [registryAgent('claude', { agentId: 'Claude Code' })],
      installed: [],
      entries: [catalogEntry('Claude Code', 'predefined', 'npx')],
    });
    assert.deepEqual(actionsOf(facts!), ['install', 'new_session']);
  });

  it('offers a rollback only to an earlier version, and names it', () => {
    const rowOf = (more: Parameters<typeof installedAgent>[1]) => {
      const [facts] = agentFacts({ registry: [], installed: [installedAgent('a', more)], entries: [] });
      return browseRow(facts!, {}, 'Linux', englishVerbatim);
    };
    const [newer, older] = [installedVersion('2.0.0'), installedVersion('0.9.0')];
    const first = rowOf({ previous: [newer] });
    assert.deepEqual([first.actions.includes('roll_back'), first.earlier], [false, undefined]);
    const later = rowOf({ previous: [newer, older], earlier: older });
    assert.deepEqual([later.actions.includes('roll_back'), later.earlier], [true, '0.9.0']);
  });

  it('offers no update of a pinned agent, of a refused entry, or to an older version', () => {
    const installed = installedAgent('a', { current: installedVersion('1.10.0') });
    const newer = registryAgent('a', { version: '1.11.0' });
    assert.equal(hasUpdate({ registry: newer, installed }), true);
    assert.equal(hasUpdate({ registry: registryAgent('a', { version: '1.9.0' }), installed }), false);
    assert.equal(hasUpdate({ registry: newer, installed: { ...installed, pinned: true } }), false);
    assert.equal(hasUpdate({ registry: { ...newer, problem: { code: 'registry.refused' } }, installed }), false);
    assert.equal(hasUpdate({ registry: { ...newer, ways: [] }, installed }), false);
    assert.equal(hasUpdate({ registry: newer }), false);
  });

  it('says that a newer version than the pinned one exists', () => {
    const pinned = { ...installedAgent('a', { current: installedVersion('1.10.0') }), pinned: true };
    const statesOf = (version: string) => {
      const [facts] = agentFacts({ registry: [registryAgent('a', { version })], installed: [pinned], entries: [] });
      return browseRow(facts!, {}, 'Linux', englishVerbatim).states.map(({ text }) => text);
    };
    assert.deepEqual(statesOf('1.11.0'), ['Installed', 'Pinned; 1.11.0 is available']);
    assert.deepEqual(statesOf('1.10.0'), ['Installed', 'Pinned']);
  });

  it('shows progress with the bytes, and the part where the total is known', () => {
    const progress = (step: 'download' | 'verify', more: object = {}) => progressOf({ step, ...more }, englishVerbatim);
    assert.deepEqual(progress('download'), { text: 'Downloading…' });
    assert.deepEqual(progress('download', { done: 1_572_864 }), { text: 'Downloading… 1.5 MB' });
    assert.deepEqual(progress('download', { done: 5_242_880, total: 10_485_760 }), { text: 'Downloading… 5.0 MB of 10 MB', share: 0.5 });
    assert.deepEqual(progress('download', { done: 9, total: 0 }), { text: 'Downloading… 0.0 MB of 0.0 MB' });
    assert.deepEqual(progress('verify'), { text: 'Verifying…' });
    assert.equal(sizeText(3 * 1024 ** 3, englishVerbatim), '3.0 GB');
  });

  it('shows the failure of an operation in the row, with its detail', () => {
    const { problem } = rowOf('Failed Agent');
    assert.match(problem!.text, /disk is full/i);
    assert.equal(problem!.detail, 'ENOSPC: no space left on device');
  });

  it('offers what helps after a failure', () => {
    const actions = (reason: string) =>
      browseRow(AGENTS[0]!, { failure: { code: 'install.failed', params: { reason } } }, 'Linux', englishVerbatim).actions.at(-1);
    assert.deepEqual([actions('in_use'), actions('no_node'), actions('disk_full')], ['show_running', 'install_node', 'uninstall']);
  });

  it('says that a registry is not reached, and how old its list is', () => {
    const now = Date.UTC(2026, 0, 3);
    const problem = { code: 'registry.unreachable' } as const;
    const notes = registryNotes(
      {
        registries: [
          { url: 'https://a.example/r.json', checkedAt: now - 86_400_000, problem },
          { url: 'https://b.example/r.json', problem },
          { url: 'https://c.example/r.json', checkedAt: now },
        ],
      },
      now,
      'en',
      englishVerbatim,
    );
    assert.deepEqual(
      notes.map(({ text }) => text.replace(/^.*?\. /, '')),
      ['This list of a.example is from yesterday.', 'No list of b.example is stored.'],
    );
  });

  it('makes hostile texts safe', () => {
    const text = 'a\u202eb\n\u0007<b>' + 'x'.repeat(5000);
    const agent = registryAgent('a', { name: text, description: text, authors: [text], license: text, version: text });
    const [facts] = agentFacts({ registry: [agent], installed: [], entries: [] });
    const row = browseRow(facts!, {}, 'Linux', englishVerbatim);
    for (const shown of [row.name, row.description, row.maker, row.license, row.version]) {
      assert.doesNotMatch(shown!, /[\u202e\n\u0007]/);
      assert.ok(shown!.length <= 400);
    }
  });
});

describe('the search among agents', () => {
  const names = (query: string) => filterAgents(browseState().agents, query).map(({ name }) => name);

  it('finds each word in name, description, maker, licence and id, without regard to case and accents', () => {
    assert.deepEqual(names('MISTRAL'), ['Mistral Vibe']);
    assert.deepEqual(names('block automates'), ['Goose']);
    assert.deepEqual(names('registry/cline'), ['Cline']);
    assert.deepEqual(names('gém'), ['Gemini CLI']);
    assert.deepEqual(names('nothing of this kind'), []);
  });

  it('lists names that begin with the query first, then names that contain it', () => {
    assert.deepEqual(names('agent'), [
      'Demo Agent',
      'My Agent',
      'Busy Agent',
      'Failed Agent',
      'Goose',
      'Claude Code',
      'Cline',
      'Gemini CLI',
    ]);
    assert.equal(names('c')[0], 'Claude Code');
  });

  it('filters by state', () => {
    assert.deepEqual(names('@installed'), ['Goose', 'Mistral Vibe']);
    assert.deepEqual(names('@updates goo'), ['Goose']);
    assert.deepEqual(names('@updates mistral'), []);
  });
});
