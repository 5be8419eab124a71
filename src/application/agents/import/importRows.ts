/** The agents of other clients as rows, and the setting with the chosen ones. Secrets are named, never shown. Pure. */
import { shownEndpoint } from '../../../acp/redaction/launchSecrets';
import { isSecretVariable } from '../../../acp/redaction/secretNames';
import { type InertText, inertLine, joined } from '../../shared/escape';
import type { Translate } from '../../shared/translate';
import type { AgentEntry } from '../addAgentRules';
import type { LeftReason } from './foreignAgents';
import type { ForeignSource } from './importFiles';

export interface ImportRow {
  readonly label: InertText;
  readonly description: InertText;
  readonly detail: InertText;
  readonly picked: boolean;
  /** The key in the setting. Unique. */
  readonly key: string;
  readonly entry: AgentEntry;
}

const MAX_NAME = 80;
const MAX_COMMAND = 300;

/**
 * Returns a row for each agent that the settings do not have. Two clients with the same entry have one row.
 * @param userAgents the user's value of `acpHost.agents`, unchecked
 * @param taken the ids and names of all agents
 */
export function importAgentRows(
  sources: readonly ForeignSource[],
  userAgents: unknown,
  taken: Iterable<string>,
  isPicked: boolean,
  t: Translate,
): readonly ImportRow[] {
  const keys = new Set([...taken, ...(isRecord(userAgents) ? Object.keys(userAgents) : [])]);
  const known = new Set(isRecord(userAgents) ? Object.values(userAgents).map(textOf) : []);
  return sources.flatMap(({ client, place, agents }) =>
    agents.flatMap(({ name, entry }): ImportRow[] => {
      const text = textOf(entry);
      if (known.has(text)) {
        return [];
      }
      known.add(text);
      const key = freeKey(name, client, keys);
      keys.add(key);
      return [
        {
          label: inertLine(key, MAX_NAME),
          description: joined([inertLine(client), ...variablesText(entry, t)], ' · '),
          detail: joined([inertLine(shownEndpoint({ args: [], env: {}, ...entry }), MAX_COMMAND), inertLine(place, MAX_COMMAND)], ' · '),
          picked: isPicked,
          key,
          entry,
        },
      ];
    }),
  );
}

/** Returns the names of the variables whose values are secrets. */
export function secretVariables({ env = {} }: AgentEntry): readonly string[] {
  return Object.keys(env).filter(isSecretVariable);
}

/** Returns the setting with the chosen agents, or undefined when it is not an object. @param withSecrets false leaves out the values of secrets */
export function withImported(
  userAgents: unknown,
  rows: readonly Pick<ImportRow, 'key' | 'entry'>[],
  withSecrets: boolean,
): Readonly<Record<string, unknown>> | undefined {
  const before = userAgents ?? {};
  if (!isRecord(before)) {
    return undefined;
  }
  const added = rows
    .filter(({ key }) => !Object.hasOwn(before, key))
    .map(({ key, entry }) => [key, withSecrets ? entry : withoutSecrets(entry)]);
  return { ...before, ...(Object.fromEntries(added) as Record<string, AgentEntry>) };
}

/** Returns a sentence for each entry that cannot be imported. */
export function leftAgentsText(sources: readonly ForeignSource[], t: Translate): readonly InertText[] {
  return sources.flatMap(({ client, place, left, problem }) => [
    ...(problem === undefined ? [] : [t("{client}: {file} can't be read: {problem}", { client, file: place, problem })]),
    ...left.map(({ name, reason }) =>
      t('{client}: {agent} ({reason})', { client, agent: inertLine(name, MAX_NAME), reason: reasonText(reason, t) }),
    ),
  ]);
}

function reasonText(reason: LeftReason, t: Translate): InertText {
  switch (reason) {
    case 'registry':
      return t('has no command; it comes from a registry');
    case 'archive':
      return t('is an archive; install it from the registry');
    case 'remote':
      return t('is not a program on this machine');
    case 'invalid':
      return t('is not valid');
  }
}

function variablesText(entry: AgentEntry, t: Translate): readonly InertText[] {
  const secrets = secretVariables(entry);
  const names = Object.keys(entry.env ?? {}).map((name) => (secrets.includes(name) ? t('{name} (secret)', { name }) : inertLine(name)));
  return names.length === 0 ? [] : [t('Variables: {names}', { names: inertLine(joined(names, ', '), MAX_COMMAND) })];
}

function withoutSecrets(entry: AgentEntry): AgentEntry {
  const secrets = secretVariables(entry);
  const { env = {}, ...others } = entry;
  const kept = Object.entries(env).filter(([name]) => !secrets.includes(name));
  return { ...others, ...(kept.length > 0 && { env: Object.fromEntries(kept) }) };
}

/** The name, or the name with the client where another agent has it. A key that an agent has would replace that agent. */
function freeKey(name: string, client: string, keys: ReadonlySet<string>): string {
  for (let count = 0; ; count++) {
    const key = count === 0 ? name : count === 1 ? `${name} (${client})` : `${name} (${client} ${count})`;
    if (!keys.has(key)) {
      return key;
    }
  }
}

/** The launch as a text for comparison. The order of variables has no meaning. */
function textOf(entry: unknown): string {
  if (!isRecord(entry)) {
    return '';
  }
  const { command, args, env, cwd } = entry;
  const variables = isRecord(env) ? Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1)) : [];
  return JSON.stringify([command, args ?? [], variables, cwd ?? null]);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
