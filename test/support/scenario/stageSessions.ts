/** The sessions of a scenario's window: our real stack over documents and journals in memory. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Trace } from '../../../src/acp/trace/trace';
import { V2 } from '../../../src/acp/v2/v2';
import { isProcess } from '../../../src/core/agents/endpoint';
import type { ServerSource } from '../../../src/core/mcp/sessionServers';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';
import type { Log } from '../../../src/core/platform/log';
import { DEFAULT_FILE_LIMITS, FileService } from '../../../src/fs/fileService';
import { ProtectedRules } from '../../../src/policy/protection/protectedRules';
import type { PermissionPromptQueue } from '../../../src/session/permission/promptQueue';
import { askBeforeCommandsOf } from '../../../src/policy/askBeforeCommands';
import type { Journals } from '../../../src/session/journal/journals';
import { type Keeping, Sessions } from '../../../src/session/sessions';
import { loadNodePty } from '../../../src/terminal/nodePty';
import { identityOf } from '../../../src/util/checkedFiles';
import { TerminalService } from '../../../src/terminal/terminalService';
import { systemClock } from '../../../src/util/clock';
import { RootCheck } from '../../../src/util/roots';
import { connector } from '../../../src/workbench/agents/connector';
import type { KeepingOptions } from '../../../src/agent/keeper/startKeeper';
import { questionStrings } from '../../../src/application/permission/questionStrings';
import { english } from '../../unit/application/english';
import { heard, overTransport } from '../remote/bridge';
import type { FakeBuffers } from '../fakeBuffers';
import type { StageOptions } from './stageOptions';

export interface StageSessionsDependencies
  extends Pick<
    StageOptions,
    | 'protectedPaths'
    | 'askBeforeCommands'
    | 'rules'
    | 'changes'
    | 'instructions'
    | 'chosenOptions'
    | 'endpoints'
    | 'isTraced'
    | 'maxLineBytes'
    | 'traces'
  > {
  readonly permissions: PermissionPromptQueue;
  readonly journals: Journals;
  readonly buffers: FakeBuffers;
  readonly account: NonNullable<StageOptions['account']>;
  readonly log: Log;
  /** Returns a trace for an agent that starts. */
  record(): Trace;
  /** Collects each session's commands, to be disposed. */
  readonly terminals: TerminalService[];
  /** The window's MCP servers. */
  readonly servers?: ServerSource;
  /** Holds the agents in keepers, and finds those of earlier windows. Absent: agents end with their sessions. */
  readonly keeping?: { readonly options: KeepingOptions; readonly agents: Keeping };
}

/** With the path of a built keeper in `ACP_HOST_KEEPER`, the scenarios run with their agents in keepers. */
function keepingOfEnvironment(): StageSessionsDependencies['keeping'] {
  const program = process.env['ACP_HOST_KEEPER'];
  return program === undefined
    ? undefined
    : {
        options: {
          places: { folder: path.join(tmpdir(), `acp-host-keepers-${process.pid}`), program, node: process.execPath },
          limits: { mode: 'reload', awayMs: 1000, idleMs: 1000, requestMs: 1000 },
        },
        agents: { adopt: () => Promise.resolve(undefined), remember: () => undefined },
      };
}

/** Reports each message of the agent to the bridge, which keeps their order. */
function reported(trace: Trace): Trace {
  const received = trace.received.bind(trace);
  trace.received = (text) => {
    received(text);
    heard(text);
  };
  return trace;
}

export function stageSessions(stage: StageSessionsDependencies): Sessions {
  const keeping = stage.keeping ?? keepingOfEnvironment();
  const demo: ProcessLaunch = { agentId: 'Demo', agentName: 'Demo', command: 'none', args: ['none'], env: {} };
  const deps = { clock: systemClock, log: stage.log, environment: process.env };
  let keys = 0;
  let terminals = 0;
  const connect = connector({
    ...deps,
    launchFolders: (_, cwd) => ({ cwd }),
    demo,
    version: '0.0.0',
    traces: stage.traces ?? { add: () => ({ trace: reported(stage.record()), hops: [], ended: () => undefined }) },
    valuesOf: () => stage.account.values ?? {},
    endpointsOf: () => stage.endpoints ?? [],
    isTraced: () => stage.isTraced === true,
    ...(stage.maxLineBytes !== undefined && { maxLineBytes: () => stage.maxLineBytes! }),
    ...(keeping && { keeping: () => keeping.options }),
  });
  return new Sessions({
    ...deps,
    permissions: stage.permissions,
    trust: { isRestricted: () => false, check: (_, settled) => settled(undefined) },
    mintKey: () => (++keys === 1 ? 'session' : `session-${keys}`),
    connect: (launch, cwd, adopted) => {
      const there = isProcess(launch) && !keeping ? overTransport(launch, cwd) : launch;
      return connect(there, cwd, adopted, launch.protocol === 2 ? V2 : undefined);
    },
    ...(keeping && { keeping: keeping.agents }),
    ...(stage.servers && { servers: stage.servers }),
    journals: stage.journals,
    instructions: () => stage.instructions && Promise.resolve(stage.instructions),
    chosenOptions: () => stage.chosenOptions ?? {},
    account: stage.account,
    files: (roots, guard, _review, added) =>
      stage.changes?.files(roots, guard) ??
      new FileService(stage.buffers, new RootCheck(roots), DEFAULT_FILE_LIMITS, guard, undefined, added),
    ...(stage.changes && { changes: (session) => stage.changes!.follow(session) }),
    questionWords: questionStrings(english),
    protectedRules: () => new ProtectedRules(stage.protectedPaths),
    identityOf: async (real) => stage.buffers.disk.identityOf(real) ?? identityOf(real),
    askBeforeCommands: (...agent) => askBeforeCommandsOf(stage.askBeforeCommands, ...agent),
    ...stage.rules?.dependencies,
    terminals: (roots, emit, guard) => {
      const service = new TerminalService({
        ...deps,
        cwd: roots.cwd,
        roots: new RootCheck(roots),
        defaultShell: () => '/bin/sh',
        loadPty: loadNodePty,
        emit,
        guard,
        // A later window must not use the ids of an earlier one.
        mintTerminalId: () => `terminal-${stage.keeping ? `${process.pid}-` : ''}${++terminals}`,
      });
      stage.terminals.push(service);
      return service;
    },
  });
}
