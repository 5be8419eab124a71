/** The sandbox of a session: its modes, and the things that it refused. */
import { type Infer, literal, object, string } from '../schema/schema';

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
