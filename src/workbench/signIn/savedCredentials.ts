/**
 * The values that the user typed to sign in to agents, in the secret storage. They are saved per launch, not only per agent. If an agent's
 * program changes, or runs on another machine, it does not get the values typed for the earlier one.
 */
import { createHash } from 'node:crypto';
import type { Memento, SecretStorage } from 'vscode';
import { PREDEFINED_AGENTS } from '../../agent/predefined';
import { isProcess } from '../../core/agents/endpoint';
import type { AgentKey } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { ProcessLaunch } from '../../core/model/agentLaunch';

export type Values = Readonly<Record<string, string>>;

export interface SavedCredentialsDependencies {
  readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;
  readonly globalState: Pick<Memento, 'update'> & { get<T>(key: string, otherwise: T): T };
  /** `vscode.env.remoteName`: undefined on the user's own machine. */
  readonly remoteName: string | undefined;
}

export interface StorageNames {
  /** The prefix of the keys in the secret storage. */
  readonly key: string;
  /** The prefix of an earlier form, which stored the values by the agent's name alone. They are deleted. */
  readonly oldKey: string;
  /** The key of the list of agents with values. The list is necessary because the secret storage cannot be enumerated. */
  readonly agents: string;
}

interface CredentialLaunch {
  /** See {@link fingerprintOf}. */
  readonly launch: string;
  readonly values: Values;
}

const SIGN_IN: StorageNames = { key: 'acpHost.signIn.', oldKey: 'acpHost.environment.', agents: 'agentsWithValues' };
/** The number of launches that are remembered per agent. The oldest are dropped. */
const MAX_LAUNCHES = 10;

export class SavedCredentials {
  /** The values that this window knows, by agent and launch. Filled by {@link load}; the only copy where the secret storage does not work. */
  private readonly known = new Map<string, Map<string, Values>>();
  /** The values that are not in the secret storage, or not yet. */
  private readonly unsaved = new Set<Values>();

  /** @param names the names under which the values are stored */
  constructor(
    private readonly deps: SavedCredentialsDependencies,
    private readonly names: StorageNames = SIGN_IN,
  ) {}

  /**
   * Loads the values. Must be awaited before an agent is started, because {@link of} answers synchronously. Never rejects, because agents must
   * also start without a working secret storage.
   * @param again reads them although this window knows some, because another window may have changed them
   * @returns true when values without a launch were found and deleted, since it is unknown which program they were typed for
   */
  async load(launch: AgentLaunch, again = false): Promise<boolean> {
    const fingerprint = fingerprintOf(launch, this.deps.remoteName);
    const known = this.knownOf(launch.agentId);
    const before = known.get(fingerprint);
    if (!before || (again && !this.unsaved.has(before))) {
      const all = await this.readAll(launch).catch(() => undefined);
      if (known.get(fingerprint) === before) {
        known.set(fingerprint, (all ? all.find((each) => each.launch === fingerprint)?.values : before) ?? {});
      }
    }
    let dropped = false;
    for (const id of idsOf(launch)) {
      dropped = (await this.dropUnbound(id)) || dropped;
    }
    return dropped;
  }

  of(launch: AgentLaunch): Values {
    return this.known.get(launch.agentId)?.get(fingerprintOf(launch, this.deps.remoteName)) ?? {};
  }

  /**
   * Saves the values for this launch, and moves the agent's values of earlier versions to its id. Resolves to false when they last only until the
   * window closes.
   */
  async keep(launch: AgentLaunch, values: Values): Promise<boolean> {
    const { agentId, earlierId } = launch;
    const fingerprint = fingerprintOf(launch, this.deps.remoteName);
    this.knownOf(agentId).set(fingerprint, values);
    this.unsaved.add(values);
    try {
      // Another window may have saved values meanwhile.
      const others = (await this.readAll(launch).catch(() => [])).filter((each) => each.launch !== fingerprint);
      const all: CredentialLaunch[] = [...others.slice(1 - MAX_LAUNCHES), { launch: fingerprint, values }];
      await this.deps.secrets.store(this.names.key + agentId, JSON.stringify(all));
      await this.deps.globalState.update(
        this.names.agents,
        [...new Set([...this.agents, agentId])].filter((each) => each !== earlierId),
      );
      if (earlierId !== undefined) {
        await this.deps.secrets.delete(this.names.key + earlierId);
      }
      this.unsaved.delete(values);
      return true;
    } catch {
      return false;
    }
  }

  /** The stored ids of agents with saved values. */
  get agents(): readonly string[] {
    return this.deps.globalState.get<readonly string[]>(this.names.agents, []);
  }

  /** Deletes the values of all launches of this agent. */
  async forget(agent: AgentKey): Promise<void> {
    for (const id of idsOf(agent)) {
      this.knownOf(id).forEach((_values, fingerprint, known) => known.set(fingerprint, {}));
      await this.deps.secrets.delete(this.names.key + id);
      await this.deps.secrets.delete(this.names.oldKey + id);
      await this.removeFromIndex(id);
    }
  }

  private async dropUnbound(agentId: string): Promise<boolean> {
    const { oldKey } = this.names;
    try {
      if ((await this.deps.secrets.get(oldKey + agentId)) === undefined) {
        return false;
      }
      await this.deps.secrets.delete(oldKey + agentId);
      if ((await this.read(agentId)).length === 0) {
        await this.removeFromIndex(agentId);
      }
      return true;
    } catch {
      return false;
    }
  }

  private async removeFromIndex(agentId: string): Promise<void> {
    await this.deps.globalState.update(
      this.names.agents,
      this.agents.filter((each) => each !== agentId),
    );
  }

  /** The stored launches of the agent, those of earlier versions first. Rejects without a working secret storage. */
  private async readAll(agent: AgentKey): Promise<readonly CredentialLaunch[]> {
    const [own = [], earlier = []] = await Promise.all(idsOf(agent).map((id) => this.read(id)));
    return [...earlier.filter(({ launch }) => !own.some((each) => each.launch === launch)), ...own];
  }

  private async read(agentId: string): Promise<readonly CredentialLaunch[]> {
    const text = await this.deps.secrets.get(this.names.key + agentId);
    return text === undefined ? [] : launchesIn(text);
  }

  private knownOf(agentId: string): Map<string, Values> {
    const known = this.known.get(agentId) ?? new Map<string, Values>();
    this.known.set(agentId, known);
    return known;
  }
}

/**
 * Returns a hash of the program, its arguments, its folder and the machine. The environment is left out, because the user may change it for the
 * same program.
 */
export function fingerprintOf(launch: AgentLaunch, remoteName: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([...programOf(launch), remoteName ?? null]))
    .digest('hex');
}

/** The receiver of the values: a program with its arguments and folder, an address, or a stream. */
function programOf(launch: AgentLaunch): readonly unknown[] {
  if (!isProcess(launch)) {
    return [
      launch.kind,
      launch.kind === 'stream' ? launch.agentId : launch.kind === 'ssh' ? `${launch.host} ${launch.command}` : launch.url,
    ];
  }
  const { command, args, cwd, credentialProgram } = launch;
  if (credentialProgram) {
    const [program, ...words] = credentialProgram;
    return [program, words.map(withoutVersion), cwd ?? null];
  }
  return [command, isPredefined(launch) ? args.map(withoutVersion) : args, cwd ?? null];
}

/** True for an agent of our catalog. Its version is ignored: an update of this extension changes the version, but not who gets the values. */
function isPredefined({ agentId, command, args, cwd }: ProcessLaunch): boolean {
  const own = PREDEFINED_AGENTS.find((each) => each.agentId === agentId);
  return own !== undefined && cwd === own.cwd && own.command === command && JSON.stringify(own.args) === JSON.stringify(args);
}

function idsOf({ agentId, earlierId }: AgentKey): readonly string[] {
  return [agentId, ...(earlierId === undefined ? [] : [earlierId])];
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
