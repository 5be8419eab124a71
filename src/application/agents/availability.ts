/** Checks whether an agent's program is installed, as a hint for a list. Starting the agent checks more thoroughly. */
import { homedir } from 'node:os';
import type { CatalogEntry } from '../../agent/catalog';
import { isProcess } from '../../core/agents/endpoint';
import { packageRunnerOf } from '../../agent/packageRunner';
import { cleanEnvironment, type Environment, overlayEnvironment } from '../../util/environment';
import { findExecutable } from '../../util/executable';

/** The state of an agent's program. `no_runner`: the package runner that would download it is missing. */
export type Availability = 'installed' | 'downloads' | 'not_installed' | 'no_runner';

/** The time in ms that a list waits. A PATH with network folders takes too long. */
const LOOK_MS = 300;

/** The availability of the predefined agents at the last look. */
export class AvailablePrograms {
  private known: ReadonlyMap<string, Availability> = new Map();

  /** @param changed called after each look */
  constructor(
    private readonly entries: () => readonly CatalogEntry[],
    private readonly changed: () => void,
  ) {}

  of(agentId: string): Availability | undefined {
    return this.known.get(agentId);
  }

  async look(): Promise<void> {
    this.known = await availabilityOf(this.entries(), process.env);
    this.changed();
  }
}

/** Returns the availability of the predefined agents, by id. Empty when the check takes too long. Never rejects. */
export async function availabilityOf(
  entries: readonly CatalogEntry[],
  environment: Environment,
  lookMs = LOOK_MS,
): Promise<ReadonlyMap<string, Availability>> {
  const found = new Map<string, Promise<boolean>>();
  const isThere = (command: string, env: Readonly<Record<string, string>>): Promise<boolean> => {
    const known = found.get(command) ?? look(command, overlayEnvironment(cleanEnvironment(environment), env));
    found.set(command, known);
    return known;
  };
  const looked = Promise.all(
    entries
      .flatMap(({ agentId, launch, source }) => (source === 'predefined' && isProcess(launch) ? [{ agentId, launch }] : []))
      .map(async ({ agentId, launch }): Promise<readonly [string, Availability]> => {
        const there = await isThere(launch.command, launch.env);
        const runs = packageRunnerOf(launch) !== undefined;
        return [agentId, there ? (runs ? 'downloads' : 'installed') : runs ? 'no_runner' : 'not_installed'];
      }),
  );
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly []>((resolve) => (timer = setTimeout(() => resolve([]), lookMs)));
  const known = await Promise.race([looked, timeout]);
  clearTimeout(timer);
  return new Map(known);
}

async function look(command: string, environment: Environment): Promise<boolean> {
  const found = await findExecutable(command, { cwd: homedir(), environment }).catch(() => undefined);
  return found?.executable === true;
}
