/** VS Code's debugger, as the debugging tools use it. */
import type { ToolSession } from '../tool';
import type { DebugSessions } from './debugSessions';

export interface DebugConfiguration {
  readonly name: string;
  readonly type: string | undefined;
  /** `launch`, `attach`, or undefined for a compound. */
  readonly request: string | undefined;
  /** The folder of the workspace whose launch.json has it. */
  readonly folder: string | undefined;
}

/** A configuration that is not in launch.json. */
export type OwnConfiguration = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly type: string;
  readonly request: string;
};

export interface Breakpoint {
  readonly id: string;
  /** Undefined for a breakpoint of a function. */
  readonly path: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
  readonly functionName: string | undefined;
  readonly isEnabled: boolean;
  readonly condition: string | undefined;
  readonly hitCondition: string | undefined;
  readonly logMessage: string | undefined;
}

export type NewBreakpoint = Pick<Breakpoint, 'condition' | 'hitCondition' | 'logMessage'> & {
  readonly path: string;
  readonly line: number;
};

export interface DebugPort {
  /** The sessions, followed from the first call on. */
  sessions(): DebugSessions;
  /** VS Code's id of the session that has the focus of the debugger. */
  activeKey(): string | undefined;
  /** Sends a request of DAP. Rejects with the adapter's message. */
  request(key: string, command: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Returns the file on this machine that the adapter's path of a source means. Undefined for another source. */
  localPath(path: string): string | undefined;
  configurations(): readonly DebugConfiguration[];
  /** Resolves to false when VS Code has not started it. @param folder of the workspace */
  start(folder: string | undefined, configuration: string | OwnConfiguration): Promise<boolean>;
  /** @param key all sessions when undefined */
  stop(key: string | undefined): Promise<void>;
  breakpoints(): readonly Breakpoint[];
  add(breakpoint: NewBreakpoint): void;
  remove(ids: readonly string[]): void;
  /** The text of a file, as the editor shows it. Rejects when it cannot be read. */
  textOf(path: string): Promise<string>;
  /** False for a file that is protected from the session's agent. */
  mayRead(session: ToolSession, file: string): Promise<boolean>;
}
