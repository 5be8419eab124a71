/** The sandboxes of the window: one for the process of each sandboxed agent, and one for the commands of each session. */
import path from 'node:path';
import type { ExtensionContext } from 'vscode';
import type { PreparedProgram } from '../../agent/prepare';
import type { SessionAgent } from '../../core/agents/agentIds';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import type { EventInput } from '../../core/model/event';
import { failureOf } from '../../core/model/failure';
import type { Roots } from '../../core/model/roots';
import type { Disposable } from '../../core/platform/disposable';
import type { SandboxRefusal } from '../../core/sandbox/sandbox';
import { ProtectedRules } from '../../policy/protection/protectedRules';
import type { Sandbox, SandboxDependencies, WrappedProgram } from '../../sandbox/sandbox';
import type { Session } from '../../session/session';
import type { CommandSandbox } from '../../terminal/terminalService';
import { readProtectedPaths } from '../settings/agentSettings';
import { readSandboxSettings } from './sandboxSettings';

export class WindowSandboxes {
  /** The programs that run, by the key of their launch. */
  private readonly running = new Map<string, WrappedProgram>();

  constructor(
    private readonly context: Pick<ExtensionContext, 'extensionPath' | 'globalStorageUri'>,
    private readonly sessions: () => readonly Session[],
  ) {}

  /** Returns the program to start instead of an agent's, whose launch has a sandbox. @throws Fault `sandbox.*` */
  async wrapAgent(launch: ProcessLaunch, prepared: PreparedProgram): Promise<{ readonly program: PreparedProgram } & Disposable> {
    const folders = launch.sandbox?.folders ?? [];
    const own = await this.sandbox(launch, () => folders, true);
    const wrapped = await own.wrap(prepared, false, (refusal) => this.agentRefused(launch, refusal));
    const key = keyOf(launch.agentId, folders);
    // The output of the agent itself is searched for refusals.
    void (launch.isProxy || this.running.set(key, wrapped));
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
  }

  /** Returns the refused accesses in an output of a sandboxed agent. */
  refusalsIn(agentId: string, roots: Roots, output: string): readonly SandboxRefusal[] {
    return this.running.get(keyOf(agentId, foldersOf(roots)))?.refusalsIn(output, roots.cwd) ?? [];
  }

  /** Wraps the commands of a session. */
  commandWrapper(agent: SessionAgent, roots: Roots, emit: (event: EventInput) => void): CommandSandbox {
    let own: Promise<Sandbox> | undefined;
    return {
      wrap: async (options, hasTerminal) => {
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
    const { extensionPath, globalStorageUri } = this.context;
    return new Sandbox({
      roots,
      agent,
      isAgent,
      settings: readSandboxSettings,
      ruleFor: async () => {
        const rules = new ProtectedRules(readProtectedPaths());
        return (names, access) => rules.ruleFor(names, access);
      },
      cacheFolder: path.join(globalStorageUri.fsPath, 'sandbox', agent.agentId.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_')),
      helper: path.join(extensionPath, 'dist', 'sandbox-helper.js'),
      environment: process.env,
    });
  }

  private agentRefused({ agentId, sandbox }: ProcessLaunch, refusal: SandboxRefusal): void {
    const key = keyOf(agentId, sandbox?.folders ?? []);
    const sessions = this.sessions().filter((session) => keyOf(session.agentId, foldersOf(session.roots)) === key);
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
