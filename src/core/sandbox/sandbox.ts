/** The sandbox of a session: its modes, and the things that it refused. */
import { array, boolean, type Fields, type Infer, literal, object, optional, string } from '../schema/schema';

const MODES = ['off', 'commands', 'agent'] as const;

/** `commands`: commands that the agent runs through the host. `agent`: these and the agent's own process, with all that it starts. */
export const sandboxMode = literal(...MODES);
export type SandboxMode = Infer<typeof sandboxMode>;

export function isSandboxMode(value: unknown): value is SandboxMode {
  return (MODES as readonly unknown[]).includes(value);
}

/** Returns the mode that sandboxes more. */
export function stricterMode(one: SandboxMode, other: SandboxMode): SandboxMode {
  return MODES.indexOf(one) > MODES.indexOf(other) ? one : other;
}

/** A refused access. `host`: a connection, as `name` or `name:port`. `write`, `read`: an absolute path. */
export const sandboxRefusal = object({ kind: literal('host', 'write', 'read'), target: string() });
export type SandboxRefusal = Infer<typeof sandboxRefusal>;

/** The sandbox of a session. */
export interface SessionSandbox {
  readonly mode: SandboxMode;
  /** True when the user chose the mode for this session. */
  readonly isChosen?: boolean;
}

/** The refused accesses of tool calls and terminals, by {@link refusalKey}. */
export type SandboxRefusals = Readonly<Record<string, readonly SandboxRefusal[]>>;

export const refusalKey = {
  toolCall: (toolCallId: string): string => `tool_call:${toolCallId}`,
  terminal: (terminalId: string): string => `terminal:${terminalId}`,
};

/** The tool call or the terminal of a refusal. */
export interface RefusalPlace {
  readonly toolCallId?: string | undefined;
  readonly terminalId?: string | undefined;
}

export function refusalPlaceKey({ toolCallId, terminalId }: RefusalPlace): string | undefined {
  return toolCallId === undefined ? terminalId && refusalKey.terminal(terminalId) : refusalKey.toolCall(toolCallId);
}

/** @param base the fields of every event */
export const sandboxEvents = <const B extends Fields>(base: B) => ({
  /** The sandbox that the next start of the session has. */
  sandbox: object({ ...base, mode: sandboxMode, isChosen: optional(boolean()) }),
  /** The sandbox refused accesses of a tool call, or of a command in a terminal of ours. */
  sandbox_refused: object({ ...base, toolCallId: optional(string()), terminalId: optional(string()), refusals: array(sandboxRefusal) }),
});
