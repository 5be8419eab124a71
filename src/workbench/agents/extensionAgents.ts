/** Agents that other extensions add (`AcpHostApi.registerAgentProvider`), as launches. */
import type { AgentLaunchOptions, AgentProvider } from '../../api';
import { parseAgents } from '../../agent/parseAgents';
import { extensionAgentId } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Log } from '../../core/platform/log';

/** The time in ms that an extension has to return how its agent is started. */
const RESOLVE_MS = 10_000;

export class ExtensionAgents {
  private readonly known = new WeakMap<AgentProvider, AgentLaunch | null>();

  /** @param providers in the order of registration; changes over time */
  constructor(
    private readonly providers: ReadonlySet<AgentProvider>,
    private readonly log: Log,
  ) {}

  /** The agents whose launch is known. `id` distinguishes two agents with the same name. */
  get launches(): readonly { readonly id: string; readonly launch: AgentLaunch }[] {
    return [...this.providers].flatMap((provider) => {
      const { id, launch: given } = provider;
      const launch = typeof given === 'function' ? this.known.get(provider) : this.parsed(provider, given);
      return launch ? [{ id, launch }] : [];
    });
  }

  /** Calls the providers that give their launch by a function, until each has answered once. Never rejects. */
  async settle(): Promise<void> {
    await Promise.all(
      [...this.providers].map(async (provider) => {
        const { id, launch } = provider;
        if (typeof launch !== 'function' || this.known.get(provider)) {
          return;
        }
        let timer: NodeJS.Timeout | undefined;
        const timeout = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('no answer')), RESOLVE_MS)));
        try {
          const given = await Promise.race([Promise.resolve(launch()), timeout]);
          const parsed = this.parsed(provider, given);
          if (parsed) {
            this.known.set(provider, parsed);
          }
        } catch (error) {
          this.log.warn(`Agent provider ${id}: ${String(error)}`);
        } finally {
          clearTimeout(timer);
        }
      }),
    );
  }

  /** Parses the launch by the rules of `acpHost.agents`. */
  private parsed({ id, label }: AgentProvider, given: AgentLaunchOptions): AgentLaunch | undefined {
    const { agents, problems } = parseAgents({ [label]: given }, id);
    for (const { params } of problems) {
      this.log.warn(`Agent provider ${id}: ${params?.['field'] ?? ''} should be ${params?.['expected'] ?? 'another'}.`);
    }
    const [launch] = agents;
    return launch && { ...launch, agentId: extensionAgentId(id) };
  }
}
