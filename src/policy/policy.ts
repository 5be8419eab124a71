/** The policy of a session: the rules of all its sources, and one decision. */
import type { Roots } from '../core/model/roots';
import { realPathOf } from '../util/realPath';
import { decide, type Decision } from './decide';
import type { PolicyRequest, RequestPart, RuleSource } from './rule';

export interface PolicySession {
  readonly agent?: NonNullable<PolicyRequest['agent']>;
  readonly roots: Roots;
}

export class Policy {
  /** @param sources in the order in which their questions are asked */
  constructor(
    private readonly session: PolicySession,
    private readonly sources: readonly RuleSource[],
  ) {}

  /** Rejects when a source fails, so that a request is never allowed because its rules are unknown. */
  async decide(first: RequestPart, ...more: readonly RequestPart[]): Promise<Decision> {
    const { agent, roots } = this.session;
    const asked: PolicyRequest = { ...(agent && { agent }), parts: [first, ...more] };
    const sources = this.sources.filter((source) => source.isActive?.() ?? true);
    const contained = (await Promise.all(sources.map((source) => source.partsOf?.(asked) ?? []))).flat();
    const request: PolicyRequest = contained.length > 0 ? { ...asked, parts: [first, ...more, ...contained] } : asked;
    const rules = (await Promise.all(sources.map((source) => source.rulesFor(request)))).flat();
    const hasPattern = rules.some(({ match }) => match.path !== undefined);
    return decide(hasPattern ? { ...request, roots: await allRoots(roots) } : request, rules);
  }
}

/** Returns the folders as named and by their real paths. A folder can be replaced, so they are looked up for each request. */
export async function allRoots({ cwd, additionalDirectories }: Roots): Promise<readonly string[]> {
  const named = [cwd, ...additionalDirectories];
  const real = await Promise.all(named.map((root) => realPathOf(root).catch(() => root)));
  return [...new Set([...named, ...real])];
}
