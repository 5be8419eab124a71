/** The agent's slash commands, and the ones with a well-known purpose. Pure. */
import type { AvailableCommand } from '../../../src/core/model/content';

/** The text that runs the command. Some agents send the name with its slash. */
export function typedCommand({ name }: Pick<AvailableCommand, 'name'>): string {
  return name.startsWith('/') ? name : `/${name}`;
}

/** Names of the command that compacts the context, the most common first. */
const COMPACT: readonly string[] = ['/compact', '/compress'];

/** The agent's command that compacts the context; undefined when it has none. */
export function compactCommand(commands: readonly AvailableCommand[]): AvailableCommand | undefined {
  for (const wanted of COMPACT) {
    const found = commands.find((command) => typedCommand(command) === wanted);
    if (found) {
      return found;
    }
  }
  return undefined;
}
