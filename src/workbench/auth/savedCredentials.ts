/**
 * What the user typed to sign in at agents, in the secret storage. It is kept for a launch, not for a name: who changes what runs under an agent's name,
 * or runs it on another machine, is not given what was typed for it before.
 */
import { createHash } from 'node:crypto';
import { PREDEFINED_AGENTS } from '../../agent/predefined';
import type { AgentLaunch } from '../../core/model/ports';

export type Values = Readonly<Record<string, string>>;

/** `ExtensionContext.secrets`, as far as it is used. */
export interface SecretPlace {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** `ExtensionContext.globalState`, as far as it is used. */
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
/** Where they were kept by agent's name alone. */
const OLD_KEY = 'acpHost.environment.';
/** Where it is kept which agents have any: the secret storage cannot be asked. */
const AGENTS = 'agentsWithValues';
/** Launches of one agent that are remembered, the newest. */
const MOST_LAUNCHES = 10;

export class SavedCredentials {
  /** By agent and launch, what this window knows: filled by {@link load}, and where nothing can be kept all there is. */
  private readonly known = new Map<string, Map<string, Values>>();

  constructor(private readonly ports: SavedCredentialsDependencies) {}

  /**
   * Must be awaited before an agent is started: {@link of} answers at once. Never rejects: agents start also where nothing can be kept.
   * @returns true when values were there that are bound to no launch: they are deleted, since nobody knows what they were typed for
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

  /** From here on, for this launch. False when it can only be remembered until the window closes. */
  async keep(launch: AgentLaunch, values: Values): Promise<boolean> {
    const { agentName } = launch;
    const fingerprint = fingerprintOf(launch, this.ports.remoteName);
    this.knownOf(agentName).set(fingerprint, values);
    try {
      // Another window may have kept some meanwhile.
      const others = (await this.read(agentName)).filter((each) => each.launch !== fingerprint);
      const all: CredentialLaunch[] = [...others.slice(1 - MOST_LAUNCHES), { launch: fingerprint, values }];
      await this.ports.secrets.store(KEY + agentName, JSON.stringify(all));
      await this.ports.globalState.update(AGENTS, [...new Set([...this.agents, agentName])]);
      return true;
    } catch {
      return false;
    }
  }

  /** Agents that values are kept for. */
  get agents(): readonly string[] {
    return this.ports.globalState.get<readonly string[]>(AGENTS, []);
  }

  /** Of all launches under this name. */
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

/** What is started, and where: nothing of the environment, which the user may change for the same program. */
export function fingerprintOf(launch: AgentLaunch, remoteName: string | undefined): string {
  const { command, args, cwd } = launch;
  return createHash('sha256')
    .update(JSON.stringify([command, isPredefined(launch) ? args.map(withoutVersion) : args, cwd ?? null, remoteName ?? null]))
    .digest('hex');
}

/** An update of this extension brings newer versions of the agents that it names itself: who gets the values is the same. */
function isPredefined({ agentName, command, args, cwd }: AgentLaunch): boolean {
  const own = PREDEFINED_AGENTS.find((each) => each.agentName === agentName);
  return own !== undefined && cwd === own.cwd && own.command === command && JSON.stringify(own.args) === JSON.stringify(args);
}

function withoutVersion(argument: string): string {
  return argument.replace(/^(@?[^@\s]+)@\d+\.\d+\.\d+[\w.+-]*$/, '$1');
}

/** What was kept under our key, as far as it is what we put there. */
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
