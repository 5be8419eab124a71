/**
 * The values that the user typed to sign in to agents, in the secret storage. They are saved per launch, not per name. If the program under an
 * agent's name changes, or runs on another machine, it does not get the values typed for the earlier one.
 */
import { createHash } from 'node:crypto';
import { PREDEFINED_AGENTS } from '../../agent/predefined';
import type { AgentLaunch } from '../../core/model/ports';

export type Values = Readonly<Record<string, string>>;

/** The part of `ExtensionContext.secrets` that is used. */
export interface SecretPlace {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** The part of `ExtensionContext.globalState` that is used. */
export interface StatePlace {
  get<T>(key: string, otherwise: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface SavedCredentialsDependencies {
  readonly secrets: SecretPlace;
  readonly globalState: StatePlace;
  /** `vscode.env.remoteName`: undefined on the user's own machine. */
  readonly remoteName: string | undefined;
}

interface CredentialLaunch {
  /** See {@link fingerprintOf}. */
  readonly launch: string;
  readonly values: Values;
}

const KEY = 'acpHost.signIn.';
/** The earlier key, which stored the values by the agent's name alone. */
const OLD_KEY = 'acpHost.environment.';
/** The key of the list of agents with values. The list is necessary because the secret storage cannot be enumerated. */
const AGENTS = 'agentsWithValues';
/** The number of launches that are remembered per agent. The oldest are dropped. */
const MOST_LAUNCHES = 10;

export class SavedCredentials {
  /** The values that this window knows, by agent and launch. Filled by {@link load}; the only copy where the secret storage does not work. */
  private readonly known = new Map<string, Map<string, Values>>();

  constructor(private readonly ports: SavedCredentialsDependencies) {}

  /**
   * Loads the values. Must be awaited before an agent is started, because {@link of} answers synchronously. Never rejects, because agents must
   * also start without a working secret storage.
   * @returns true when values without a launch were found and deleted, since it is unknown which program they were typed for
   */
  async load(launch: AgentLaunch): Promise<boolean> {
    const { agentName } = launch;
    const fingerprint = fingerprintOf(launch, this.ports.remoteName);
    const known = this.knownOf(agentName);
    if (!known.has(fingerprint)) {
      const found = (await this.read(agentName)).find((each) => each.launch === fingerprint);
      known.set(fingerprint, known.get(fingerprint) ?? found?.values ?? {});
    }
    return this.dropUnbound(agentName);
  }

  of(launch: AgentLaunch): Values {
    return this.known.get(launch.agentName)?.get(fingerprintOf(launch, this.ports.remoteName)) ?? {};
  }

  /** Saves the values for this launch. Resolves to false when they last only until the window closes. */
  async keep(launch: AgentLaunch, values: Values): Promise<boolean> {
    const { agentName } = launch;
    const fingerprint = fingerprintOf(launch, this.ports.remoteName);
    this.knownOf(agentName).set(fingerprint, values);
    try {
      // Another window may have saved values meanwhile.
      const others = (await this.read(agentName)).filter((each) => each.launch !== fingerprint);
      const all: CredentialLaunch[] = [...others.slice(1 - MOST_LAUNCHES), { launch: fingerprint, values }];
      await this.ports.secrets.store(KEY + agentName, JSON.stringify(all));
      await this.ports.globalState.update(AGENTS, [...new Set([...this.agents, agentName])]);
      return true;
    } catch {
      return false;
    }
  }

  /** Agents with saved values. */
  get agents(): readonly string[] {
    return this.ports.globalState.get<readonly string[]>(AGENTS, []);
  }

  /** Deletes the values of all launches under this name. */
  async forget(agentName: string): Promise<void> {
    this.knownOf(agentName).forEach((_values, fingerprint, known) => known.set(fingerprint, {}));
    await this.ports.secrets.delete(KEY + agentName);
    await this.ports.secrets.delete(OLD_KEY + agentName);
    await this.removeFromIndex(agentName);
  }

  private async dropUnbound(agentName: string): Promise<boolean> {
    try {
      if ((await this.ports.secrets.get(OLD_KEY + agentName)) === undefined) {
        return false;
      }
      await this.ports.secrets.delete(OLD_KEY + agentName);
      if ((await this.read(agentName)).length === 0) {
        await this.removeFromIndex(agentName);
      }
      return true;
    } catch {
      return false;
    }
  }

  private async removeFromIndex(agentName: string): Promise<void> {
    await this.ports.globalState.update(
      AGENTS,
      this.agents.filter((each) => each !== agentName),
    );
  }

  private async read(agentName: string): Promise<readonly CredentialLaunch[]> {
    const text = await Promise.resolve(this.ports.secrets.get(KEY + agentName)).catch(() => undefined);
    return text === undefined ? [] : launchesIn(text);
  }

  private knownOf(agentName: string): Map<string, Values> {
    const known = this.known.get(agentName) ?? new Map<string, Values>();
    this.known.set(agentName, known);
    return known;
  }
}

/**
 * Returns a hash of the program, its arguments, its folder and the machine. The environment is left out, because the user may change it for the
 * same program.
 */
export function fingerprintOf(launch: AgentLaunch, remoteName: string | undefined): string {
  const { command, args, cwd } = launch;
  return createHash('sha256')
    .update(JSON.stringify([command, isPredefined(launch) ? args.map(withoutVersion) : args, cwd ?? null, remoteName ?? null]))
    .digest('hex');
}

/** True for an agent of our catalog. Its version is ignored: an update of this extension changes the version, but not who gets the values. */
function isPredefined({ agentName, command, args, cwd }: AgentLaunch): boolean {
  const own = PREDEFINED_AGENTS.find((each) => each.agentName === agentName);
  return own !== undefined && cwd === own.cwd && own.command === command && JSON.stringify(own.args) === JSON.stringify(args);
}

function withoutVersion(argument: string): string {
  return argument.replace(/^(@?[^@\s]+)@\d+\.\d+\.\d+[\w.+-]*$/, '$1');
}

/** Parses the stored text and drops everything that is malformed. */
function launchesIn(text: string): CredentialLaunch[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return (Array.isArray(parsed) ? parsed : []).flatMap((each: Partial<CredentialLaunch> | null) =>
      typeof each?.launch === 'string' ? [{ launch: each.launch, values: valuesIn(each.values) }] : [],
    );
  } catch {
    return [];
  }
}

function valuesIn(values: unknown): Values {
  const entries = typeof values === 'object' && values !== null ? Object.entries(values) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
