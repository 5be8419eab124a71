/** Agents as the pages of agents show them. */
import type { CatalogEntry } from '../../src/agent/catalog';
import { agentFacts, type AgentFacts } from '../../src/application/agents/views/agentFacts';
import { agentPageState } from '../../src/application/agents/views/agentPageState';
import { browseRow, registryNotes } from '../../src/application/agents/views/browseRows';
import { runningState } from '../../src/application/agents/views/runningRows';
import { testState } from '../../src/application/agents/views/testReport';
import type { TestFindings } from '../../src/application/agents/views/agentTest';
import type { AgentPageState, BrowseState, RunningState, TestState } from '../../src/core/agents/agentsPage';
import { PUBLIC_REGISTRY } from '../../src/core/agents/registryTwins';
import { EMPTY_STATE } from '../../src/core/model/state';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import type { InstalledAgent, InstalledVersion, RegistryAgent } from '../../src/registry/types';
import { englishVerbatim } from '../unit/application/english';

const PLATFORM = 'Linux x64';
const NOW = Date.UTC(2026, 10, 27, 9, 0);
const DAY = 86_400_000;

const CIRCLE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 2a5 5 0 1 0 0 10A5 5 0 0 0 8 3z"/></svg>';
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 2h12v12H2z"/></svg>';

export function registryAgent(id: string, more: Partial<RegistryAgent> = {}): RegistryAgent {
  return {
    id,
    agentId: `registry/${id}`,
    name: id,
    version: '1.0.0',
    description: `${id} writes code.`,
    authors: ['Example Inc.'],
    license: 'MIT',
    origin: PUBLIC_REGISTRY,
    ways: [{ kind: 'npx', package: `@example/${id}@1.0.0`, args: [], env: {} }],
    ...more,
  };
}

export function installedVersion(version: string, more: Partial<InstalledVersion> = {}): InstalledVersion {
  const folder = `/data/agents/${version}`;
  return {
    version,
    folder,
    way: 'npx',
    source: `@example/agent@${version}`,
    installedAt: NOW - 3 * DAY,
    launch: { command: `${folder}/run`, args: [], env: {} },
    ...more,
  };
}

export function installedAgent(id: string, more: Partial<InstalledAgent> = {}): InstalledAgent {
  return {
    agentId: `registry/${id}`,
    id,
    origin: PUBLIC_REGISTRY,
    name: id,
    current: installedVersion('1.0.0'),
    previous: [],
    pinned: false,
    failedStarts: 0,
    hasStarted: true,
    ...more,
  };
}

export function catalogEntry(agentId: string, source: CatalogEntry['source'], command = 'agent'): CatalogEntry {
  return { agentId, agentName: agentId, source, launch: { agentId, agentName: agentId, command, args: ['--acp'], env: {} } };
}

const GOOSE_BEFORE = installedVersion('1.9.0', { way: 'binary', installedAt: NOW - 30 * DAY });

/** A dozen agents in every state. */
export const AGENTS: readonly AgentFacts[] = agentFacts({
  registry: [
    registryAgent('cline', {
      name: 'Cline',
      icon: SQUARE,
      authors: ['Cline Bot Inc.'],
      description: 'An autonomous coding agent in your editor.',
      license: 'Apache-2.0',
    }),
    registryAgent('gemini', {
      name: 'Gemini CLI',
      icon: CIRCLE,
      authors: ['Google'],
      version: '0.61.0',
      license: 'Apache-2.0',
      description: "Google's agent for the terminal, with a long context.",
    }),
    registryAgent('goose', {
      name: 'Goose',
      icon: CIRCLE,
      authors: ['Block'],
      license: 'Apache-2.0',
      description: 'A local, extensible agent that automates engineering tasks, from prototypes to tests and reviews.',
      website: 'https://example.com/goose',
      repository: 'https://example.com/goose.git',
      version: '2.1.0',
      ways: [{ kind: 'binary', archive: 'https://example.com/goose.tar.gz', cmd: 'goose', args: [], env: {} }],
    }),
    registryAgent('vibe', {
      name: 'Mistral Vibe',
      authors: ['Mistral AI'],
      ways: [{ kind: 'uvx', package: 'mistral-vibe@1.0.0', args: [], env: {} }],
    }),
    registryAgent('windows', { name: 'Windows Only', ways: [] }),
    registryAgent('broken', {
      name: 'Broken',
      ways: [],
      problem: { code: 'registry.refused', params: { reason: 'invalid', field: 'version' } },
    }),
    registryAgent('busy', { name: 'Busy Agent', description: 'Its installation is running.' }),
    registryAgent('failed', { name: 'Failed Agent', description: 'Its installation has failed.' }),
  ],
  installed: [
    installedAgent('goose', {
      name: 'Goose',
      current: installedVersion('2.0.0', { way: 'binary' }),
      previous: [GOOSE_BEFORE],
      earlier: GOOSE_BEFORE,
    }),
    installedAgent('vibe', { name: 'Mistral Vibe', current: installedVersion('1.0.0', { way: 'uvx' }), pinned: true }),
  ],
  entries: [
    { ...catalogEntry('registry/goose', 'user', '/data/agents/2.0.0/goose'), agentName: 'Goose' },
    catalogEntry('Claude Code', 'predefined', 'npx'),
    catalogEntry('My Agent', 'user', '/home/ada/bin/agent'),
    catalogEntry('Demo Agent', 'demo'),
  ],
});

export function browseState(more: Partial<BrowseState> = {}): BrowseState {
  return {
    type: 'browse',
    agents: AGENTS.map((facts) =>
      browseRow(
        facts,
        facts.name === 'Busy Agent'
          ? { progress: { step: 'download', done: 4_000_000, total: 16_000_000 } }
          : facts.name === 'Failed Agent'
            ? {
                failure: {
                  code: 'install.failed',
                  params: { agent: 'Failed Agent', reason: 'disk_full' },
                  detail: 'ENOSPC: no space left on device',
                },
              }
            : {},
        PLATFORM,
        englishVerbatim,
      ),
    ),
    isLoading: false,
    isRefreshing: false,
    notes: registryNotes(
      {
        registries: [
          {
            url: PUBLIC_REGISTRY,
            checkedAt: NOW - 2 * DAY,
            problem: { code: 'registry.unreachable', params: { reason: 'no_connection' } },
          },
        ],
      },
      NOW,
      'en',
      englishVerbatim,
    ),
    ...more,
  };
}

const DIALECT: NonNullable<TestFindings['dialect']> = {
  protocolVersion: 1,
  agent: { name: 'goose', title: 'Goose', version: '2.0.0' },
  promptCapabilities: { image: true, audio: false, embeddedContext: true },
  authMethods: [{ methodId: 'browser', name: 'Browser', type: 'agent' }],
  sessionCapabilities: { ...NO_CAPABILITIES, load: true, list: true, logout: true },
  mcpCapabilities: { stdio: true, http: true, sse: false, acp: false },
};

export function finishedTest(more: Partial<TestFindings> = {}): TestState {
  const findings = {
    cwd: '/home/ada/sample',
    startedAt: NOW,
    command: 'goose acp',
    readyAfter: 840,
    dialect: DIALECT,
    sessionAfter: 320,
    isRunning: false,
  };
  const facts = { agentName: 'Goose', agentId: 'registry/goose', environment: [['VS Code', '1.139.1']] as const };
  return testState({ ...findings, ...more }, facts, (text) => text, englishVerbatim);
}

export const FAILED_START: Partial<TestFindings> = {
  failure: { code: 'agent.exited_at_start', params: { exitCode: 1 }, detail: 'Error: Cannot find module "./config"\n    at main.js:3:7' },
};

const README = `# Goose

A **local** agent. See the [guide](https://example.com/guide) and [a file](./docs/start.md).

## Install

- Download it
- Run \`goose configure\`

\`\`\`sh
goose session --resume
\`\`\`

| Key | Effect |
|---|---|
| \`Ctrl+C\` | Stops the turn |

> It never sends code without asking.

<p align="center"><img src="https://example.com/x.png" onerror="alert(1)"></p>
`;

export function pageState(name = 'Goose', more: Partial<AgentPageState> = {}): AgentPageState {
  const facts = AGENTS.find((agent) => agent.name === name)!;
  const state = agentPageState(
    {
      facts,
      work: {},
      readme: name === 'Goose' ? README : undefined,
      traces: [],
      dialect: DIALECT,
      settings: {
        sessions: [{ ...EMPTY_STATE, status: 'ready', authMethods: DIALECT.authMethods, capabilities: DIALECT.sessionCapabilities }],
        hasSavedValues: true,
        endpoints: [
          { providerId: 'anthropic', apiType: 'anthropic', baseUrl: 'https://user:secret@gateway.example.com/v1?key=1', headers: {} },
        ],
        isDefault: true,
        options: { model: 'fast', thinking: true },
        servers: { passed: ['files', 'search'], leftOut: ['database'] },
        rules: ['Allow commands that begin with "git status"'],
      },
    },
    PLATFORM,
    'en',
    englishVerbatim,
  );
  return {
    ...state,
    log: [
      { time: '9:00:00', text: 'Started: goose acp', isNote: true },
      { time: '9:00:01', text: 'goose: listening on stdio' },
      { time: '9:00:02', text: 'goose: session 1 opened' },
    ],
    ...more,
  };
}

export const RUNNING: RunningState = runningState(
  [
    {
      key: 'p1',
      name: 'Goose',
      icon: CIRCLE,
      folder: '/home/ada/sample',
      startedAt: NOW - 3_725_000,
      pid: 4242,
      isReady: true,
      memory: 187 * 1024 * 1024,
      sessions: [
        { key: 's1', title: 'Fix the greeting' },
        { key: 's2', title: 'Write the docs' },
      ],
    },
    {
      key: 'p2',
      name: 'Claude Code',
      folder: '/home/ada/other',
      startedAt: NOW - 12_000,
      pid: 4243,
      isReady: false,
      memory: 64 * 1024 * 1024,
      sessions: [],
    },
  ],
  NOW,
  englishVerbatim,
);
