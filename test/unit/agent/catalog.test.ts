import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentLaunch } from '../../../src/core/model/agentLaunch';
import { isProcess } from '../../../src/core/agents/endpoint';
import { agentNamed, agentWithId } from '../../../src/core/agents/agentIds';
import { catalogOf } from '../../../src/agent/catalog';
import { parseAgents } from '../../../src/agent/parseAgents';
import { PREDEFINED_AGENTS } from '../../../src/agent/predefined';
import { packageRunnerOf } from '../../../src/agent/packageRunner';
import { initializeTimeoutOf, requestTimeoutOf } from '../../../src/agent/timeouts';

const agent = (agentName: string, command = 'run'): AgentLaunch => ({ agentId: agentName, agentName, command, args: [], env: {} });
const predefined = [agent('A'), agent('B')];
const demo = agent('Demo');

function listed(sources: Omit<Parameters<typeof catalogOf>[0], 'predefined' | 'demo'>): string[] {
  return catalogOf({ ...sources, predefined, demo }).entries.map(({ agentName, source }) => `${agentName}: ${source}`);
}

describe('catalogOf', () => {
  it('offers the demo agent first when the user has configured none', () => {
    assert.deepEqual(listed({ userAgents: undefined }), ['Demo: demo', 'A: predefined', 'B: predefined']);
    assert.deepEqual(listed({ userAgents: { A: null } }), ['Demo: demo', 'B: predefined']);
  });

  it("lists the user's agents, the predefined ones, another client's, then the demo agent", () => {
    assert.deepEqual(listed({ userAgents: { Mine: { command: 'x' } }, otherClients: { Theirs: { command: 'y' } } }), [
      'Mine: user',
      'A: predefined',
      'B: predefined',
      'Theirs: other',
      'Demo: demo',
    ]);
  });

  it('lets the user replace and hide agents', () => {
    const { entries } = catalogOf({ userAgents: { B: { command: 'mine' }, A: null, Demo: null }, predefined, demo });
    assert.deepEqual(
      entries.map(({ launch, source }) => [launch.agentName, isProcess(launch) && launch.command, source]),
      [['B', 'mine', 'user']],
    );
  });

  it("marks another client's agent whose name is taken, and hides it with the name", () => {
    const otherClients = { A: { command: 'y' }, Mine: { command: 'y' } };
    assert.deepEqual(listed({ userAgents: { Mine: { command: 'x' } }, otherClients }), [
      'Mine: user',
      'A: predefined',
      'B: predefined',
      'A (acp.agents): other',
      'Mine (acp.agents): other',
      'Demo: demo',
    ]);
    assert.deepEqual(listed({ userAgents: { A: null }, otherClients: { A: { command: 'y' } } }), ['Demo: demo', 'B: predefined']);
  });

  it('starts no other agent under the name of a broken entry, and keeps the others', () => {
    const userAgents = { A: { command: 5 }, Mine: { command: 'x' } };
    assert.deepEqual(listed({ userAgents }), ['Mine: user', 'B: predefined', 'Demo: demo']);
    assert.deepEqual(catalogOf({ userAgents }).problems, [
      { code: 'config.invalid', params: { setting: 'acpHost.agents', agentName: 'A', field: 'command', expected: 'string' } },
    ]);
  });

  it('identifies each agent by its key, whatever name it shows', () => {
    const { entries } = catalogOf({
      userAgents: { one: { command: 'x', name: 'Same' }, two: { command: 'y', name: ' Same ' } },
      predefined,
    });
    assert.deepEqual(
      entries.map(({ agentId, agentName, earlierId }) => [agentId, agentName, earlierId]),
      [
        ['one', 'Same', undefined],
        ['two', 'Same', undefined],
        ['A', 'A', undefined],
        ['B', 'B', undefined],
      ],
    );
  });

  it("gives agents of others ids with a prefix, which no key of the user's changes", () => {
    const extensions = [{ id: 'acme.helper', launch: { ...agent('Helper'), agentId: 'extension/acme.helper' } }];
    const otherClients = { Theirs: { command: 'y', name: 'Shown' } };
    const idsOf = (userAgents: unknown) =>
      catalogOf({ userAgents, otherClients, extensions, predefined: [], demo: { ...demo, agentId: 'acp-host/demo', earlierId: 'Demo' } })
        .entries.filter(({ source }) => source !== 'user')
        .map(({ agentId, agentName, earlierId }) => [agentId, agentName, earlierId].join(' | '));
    assert.deepEqual(idsOf({}), [
      'extension/acme.helper | Helper | Helper',
      'acp.agents/Theirs | Shown | Theirs',
      'acp-host/demo | Demo | Demo',
    ]);
    const taken = { Helper: { command: 'x' }, Theirs: { command: 'x' }, demo: { command: 'x' } };
    assert.deepEqual(idsOf(taken), [
      'extension/acme.helper | Helper (acme.helper) | Helper (acme.helper)',
      'acp.agents/Theirs | Shown | Theirs (acp.agents)',
      'acp-host/demo | Demo | Demo',
    ]);
    assert.deepEqual(idsOf({ 'extension/acme.helper': null, Theirs: null, Demo: null }), []);
  });

  it('finds an agent by its id first, then by its earlier name, then by the name it shows', () => {
    const agents = [
      { agentId: 'one', agentName: 'two' },
      { agentId: 'two', agentName: 'Second' },
      { agentId: 'acp-host/demo', agentName: 'Démo', earlierId: 'Demo Agent' },
    ];
    assert.deepEqual(
      ['two', 'Second', 'Demo Agent', 'Démo', 'x'].map((name) => agentNamed(agents, name)?.agentId),
      ['two', 'two', 'acp-host/demo', 'acp-host/demo', undefined],
    );
    assert.deepEqual(
      ['two', 'Second', 'Demo Agent', 'Démo'].map((id) => agentWithId(agents, id)?.agentId),
      ['two', undefined, 'acp-host/demo', undefined],
    );
  });

  it("does not report mistakes in another client's setting", () => {
    assert.deepEqual(catalogOf({ userAgents: {}, otherClients: { A: 1, B: 'x' } }).problems, []);
  });
});

describe('parseAgents', function () {
  // A property test is many runs, and the machine may be busy.
  this.timeout(20_000);

  const problems = (value: unknown): string[] =>
    parseAgents(value, 's').problems.map(({ params }) => [params?.['agentName'], params?.['field'], params?.['expected']].join(' '));

  it('reads a full entry', () => {
    const entry = { command: 'x', args: ['a b'], env: { K: 'v' }, cwd: '/w', timeoutMs: 5000, type: 'custom' };
    assert.deepEqual(parseAgents({ N: entry }, 's').agents, [
      { agentId: 'N', agentName: 'N', command: 'x', args: ['a b'], env: { K: 'v' }, cwd: '/w', timeoutMs: 5000 },
    ]);
  });

  it('treats null in a field as absent', () => {
    const entry = { command: 'x', args: null, env: null, cwd: null, timeoutMs: null };
    assert.deepEqual(parseAgents({ N: entry }, 's').agents, [agent('N', 'x')]);
  });

  it("resolves a relative command against the entry's folder", () => {
    const commandOf = (command: string, cwd: string) => {
      const [launch] = parseAgents({ N: { command, cwd } }, 's').agents;
      return launch && isProcess(launch) ? launch.command : undefined;
    };
    assert.equal(commandOf('./agent', '/opt/own'), '/opt/own/agent');
    assert.equal(commandOf('bin/agent', '/opt/own'), '/opt/own/bin/agent');
    assert.equal(commandOf('/usr/bin/agent', '/opt/own'), '/usr/bin/agent');
    assert.equal(commandOf('agent', '/opt/own'), 'agent');
  });

  it('names each bad field', () => {
    assert.deepEqual(problems('x'), ['  object']);
    assert.deepEqual(
      problems({
        a: 'x',
        b: {},
        c: { command: ' ' },
        d: { command: 'x', args: 'y' },
        e: { command: 'x', args: ['y', 5, {}] },
        f: { command: 'x', env: { OK: '1', BAD: 2 } },
        g: { command: 'x', cwd: 'relative' },
        h: { command: 'x', timeoutMs: -1, protocol: 3 },
        i: { command: 'x', args: 5, env: [] },
        j: { command: './agent' },
        k: { command: '~/agent', cwd: '/w' },
        l: { command: 'bin\\agent.exe' },
        ' ': { command: 'x' },
        ok: { command: 'x', cwd: 'C:\\w' },
      }),
      [
        'a  object',
        'b command present',
        'c command string',
        'd args array',
        'e args[1] string',
        'e args[2] string',
        'f env.BAD string',
        'g cwd absolutePath',
        'h timeoutMs positiveNumber',
        'h protocol protocol',
        'i args array',
        'i env object',
        'j command program',
        'k command program',
        'l command program',
        '   name',
      ],
    );
  });

  it('suggests the field that a misspelled name means, and keeps an agent that can start without it', () => {
    const spelled = (entry: unknown) =>
      parseAgents({ a: entry }, 's').problems.map(({ params }) => [params?.['field'], params?.['expected'], params?.['written']].join(' '));
    for (const written of ['cmd', 'Command', 'comand', 'commnad', 'program', 'executable']) {
      assert.deepEqual(spelled({ [written]: 'node' }), [`command present ${written}`]);
    }
    assert.deepEqual(spelled({ comand: 'node', arguments: ['x'], environment: {}, dir: '/w', timeout: 1 }), [
      'command present comand',
      ...['args spelling arguments', 'env spelling environment', 'cwd spelling dir', 'timeoutMs spelling timeout'],
    ]);
    assert.deepEqual(spelled({ command: 5, cmd: 'node' }), ['command string '], 'the field itself is there');
    assert.deepEqual(spelled({ command: 'x', type: 'custom', name: 'n', icon: 'i', default_model: 'm', '': 1 }), [], 'unlike any field');
    assert.equal(parseAgents({ a: { command: 'x', arg: ['y'] } }, 's').agents.length, 1);
  });

  it('never repeats a value of the environment', () => {
    const { problems: found } = parseAgents({ a: { command: 'x', env: { TOKEN: 'se\0cret', 'B=C': 'secret' } } }, 's');
    assert.equal(found.length, 2);
    assert.doesNotMatch(JSON.stringify(found), /cret/);
  });

  it('never throws, and a bad entry never hides a good one', () => {
    fc.assert(
      fc.property(fc.anything(), (entry) => {
        assert.ok(parseAgents(entry, 's'));
        assert.ok(parseAgents({ bad: entry, good: { command: 'x' } }, 's').agents.some(({ agentName }) => agentName === 'good'));
      }),
    );
  });
});

describe('predefined agents', () => {
  it('pin an exact version when a package runner starts them', () => {
    for (const { agentName, command, args } of PREDEFINED_AGENTS) {
      if (packageRunnerOf({ command, args })) {
        const packages = args.filter((argument) => argument.includes('@'));
        assert.ok(packages.length > 0, agentName);
        packages.forEach((each) => assert.match(each, /^(@[a-z0-9-]+\/)?[a-z0-9.-]+@\d+\.\d+\.\d+$/, agentName));
        assert.equal(args[0], '--yes', agentName);
      }
    }
  });

  it('have unique names and are valid entries of the setting', () => {
    const value = Object.fromEntries(PREDEFINED_AGENTS.map(({ agentName, ...entry }) => [agentName, entry]));
    assert.deepEqual(parseAgents(value, 's').agents, PREDEFINED_AGENTS);
  });
});

describe('timeouts of an agent', () => {
  const initialize = (command: string, ...args: string[]): number => initializeTimeoutOf({ command, args, env: {} });

  it('are long for the first answer of package runners only', () => {
    for (const line of [
      'npx -y x',
      '/usr/bin/npx x',
      'C:\\node\\npx.CMD x',
      'uvx x',
      'bunx x',
      'pnpm dlx x',
      'pnpm --silent dlx x',
      'npm exec x',
      'yarn dlx x',
      'bun x y',
      'uv tool run x',
      'cmd /c npx x',
      'cmd.exe /d /s /c npx.cmd x',
      'env A=1 npx x',
    ]) {
      const [command, ...args] = line.split(' ');
      assert.equal(initialize(command!, ...args), 600_000, line);
    }
    for (const line of ['node npx', 'pnpm run dlx', 'npm run x', 'my-npx', 'npxx', 'gemini --acp', 'cmd /c node npx', 'env']) {
      const [command, ...args] = line.split(' ');
      assert.equal(initialize(command!, ...args), 60_000, line);
    }
  });

  it('can be set by the entry', () => {
    assert.equal(initializeTimeoutOf({ command: 'npx', args: [], env: {}, timeoutMs: 5 }), 5);
    assert.equal(requestTimeoutOf({ timeoutMs: 5 }), 5);
    assert.equal(requestTimeoutOf({}), 60_000);
  });
});
