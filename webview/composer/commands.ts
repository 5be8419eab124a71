/** The agent's slash commands, and which of them does what everybody needs. Pure. */
import type { AvailableCommand } from '../../src/core/model/content';

/** What the user types for it: some agents have the slash in the name already. */
export function typedCommand({ name }: Pick<AvailableCommand, 'name'>): string {
  return name.startsWith('/') ? name : `/${name}`;
}

/** Names of the command that makes room in the context, the commonest first. */
const COMPACT: readonly string[] = ['/compact', '/compress'];

/** The agent's command that makes room in the context; undefined when it has none. */
export function compactCommand(commands: readonly AvailableCommand[]): AvailableCommand | undefined {
  for (const wanted of COMPACT) {
    const found = commands.find((command) => typedCommand(command) === wanted);
    if (found) {
      return found;
    }
  }
  return undefined;
}
