/** The sandboxes of the window: one for the process of each sandboxed agent, and one for the commands of each session. */
import path from 'node:path';
import type { AgentSpawnDependencies } from '../../agent/spawn';
import type { SessionAgent } from '../../core/agents/agentIds';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import type { EventInput } from '../../core/model/event';
import { failureOf } from '../../core/model/failure';
import type { Roots } from '../../core/model/roots';
import type { SandboxMode, SandboxRefusal } from '../../core/sandbox/sandbox';
import type { ProtectedRules } from '../../policy/protection/protectedRules';
import type { Sandbox, SandboxDependencies, WrappedProgram } from '../../sandbox/sandbox';
import type { Session } from '../../session/session';
import type { TerminalDependencies } from '../../terminal/terminalService';
import { readSandboxSettings } from './sandboxSettings';

export interface WindowSandboxesDependencies {
  /** Absolute. */
  readonly extensionPath: string;
  readonly globalStorage: string;
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
  sessions(): readonly Session[];
}

export class WindowSandboxes {
  /** The programs that run, by the key of their launch. */
  private readonly running = new Map<string, WrappedProgram>();

  constructor(private readonly deps: WindowSandboxesDependencies) {}

  /** Wraps the process of an agent. Undefined when its launch has no sandbox. */
  agentWrapper(launch: ProcessLaunch): AgentSpawnDependencies['wrap'] {
    const { sandbox } = launch;
    if (!sandbox) {
      return undefined;
    }
    return async (prepared) => {
      const own = await this.sandbox(launch, () => sandbox.folders, true);
      const wrapped = await own.wrap(prepared, false, (refusal) => this.agentRefused(launch, refusal));
      const key = keyOf(launch.agentId, sandbox.folders);
      this.running.set(key, wrapped);
      return {
        program: { ...prepared, ...wrapped.program },
        dispose: () => {
          if (this.running.get(key) === wrapped) {
            this.running.delete(key);
          }
          wrapped.dispose();
          own.dispose();
        },
      };
    };
  }

  /** Returns the refused accesses in an output of a sandboxed agent. */
  readonly refusalsIn = (agentId: string, roots: Roots, output: string): readonly SandboxRefusal[] =>
    this.running.get(keyOf(agentId, foldersOf(roots)))?.refusalsIn(output, roots.cwd) ?? [];

  /** Wraps the commands of a session, unless its mode is `off` when a command starts. */
  commandWrapper(
    agent: SessionAgent & { sandboxMode(): SandboxMode },
    roots: Roots,
    emit: (event: EventInput) => void,
  ): NonNullable<TerminalDependencies['sandbox']> {
    let own: Promise<Sandbox> | undefined;
    return {
      wrap: async (options, hasTerminal) => {
        if (agent.sandboxMode() === 'off') {
          return undefined;
        }
        let started: string | undefined;
        let early: SandboxRefusal[] = [];
        const record = (terminalId: string, refusals: readonly SandboxRefusal[]): void => {
          if (refusals.length > 0) {
            emit({ type: 'sandbox_refused', terminalId, refusals });
          }
        };
        try {
          const launch = { ...agent, command: '', args: [] };
          const wrapped = await (await (own ??= this.sandbox(launch, () => foldersOf(roots), false))).wrap(
            options,
            hasTerminal,
            (refusal) => (started === undefined ? early.push(refusal) : record(started, [refusal])),
          );
          return {
            options: { ...options, ...wrapped.program, verbatim: false },
            started: (terminalId) => {
              started = terminalId;
              record(terminalId, early);
              early = [];
            },
            ended: (output) => {
              if (started !== undefined) {
                record(started, wrapped.refusalsIn(output, options.cwd));
              }
              wrapped.dispose();
            },
          };
        } catch (error) {
          // The agent gets the same failure. The user must see that a command did not run, and the way to fix it.
          const failure = failureOf(error);
          emit({ type: 'notice', noticeId: `sandbox-${failure.code}`, severity: 'error', title: '', failure });
          throw error;
        }
      },
      dispose: () => void own?.then((sandbox) => sandbox.dispose()),
    };
  }

  private async sandbox(agent: SandboxDependencies['agent'], roots: () => readonly string[], isAgent: boolean): Promise<Sandbox> {
    const { Sandbox } = await import('../../sandbox/sandbox');
    const { extensionPath, globalStorage, protectedRules } = this.deps;
    return new Sandbox({
      roots,
      agent,
      isAgent,
      settings: readSandboxSettings,
      ruleFor: async () => {
        const rules = await protectedRules();
        return (names, access) => rules.ruleFor(names, access);
      },
      cacheFolder: path.join(globalStorage, 'sandbox', agent.agentId.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_')),
      helper: path.join(extensionPath, 'dist', 'sandbox-helper.js'),
      environment: process.env,
    });
  }

  private agentRefused({ agentId, sandbox }: ProcessLaunch, refusal: SandboxRefusal): void {
    const key = keyOf(agentId, sandbox?.folders ?? []);
    const sessions = this.deps.sessions().filter((session) => keyOf(session.agentId, foldersOf(session.roots)) === key);
    // The process serves all of them, and does not say for which it connects.
    const busy = sessions.filter(({ store }) => store.state.turn);
    void import('../../session/sandbox/refusedCalls').then(({ noteRefusedHost }) =>
      (busy.length > 0 ? busy : sessions).forEach(({ store }) => noteRefusedHost(store, refusal)),
    );
  }
}

function foldersOf({ cwd, additionalDirectories }: Roots): readonly string[] {
  return [cwd, ...additionalDirectories];
}

function keyOf(agentId: string, folders: readonly string[]): string {
  return JSON.stringify([agentId, folders]);
}
