/** Several accounts of one agent: entries of the same program, each with state folders of its own. Pure. */
import path from 'node:path';
import { shownEndpoint } from '../../acp/redaction/launchSecrets';
import type { CatalogEntry } from '../../agent/catalog';
import { isProcess } from '../../core/agents/endpoint';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { type InertText, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

/** The variables that move the state of an agent, with the folder inside of the account's own. */
interface StateVariables {
  /** Matches the package or the program. */
  readonly match: RegExp;
  readonly variables: readonly (readonly [name: string, folder: string])[];
}

/** The folders of programs that follow the XDG directories. */
const XDG = [
  ['XDG_DATA_HOME', 'data'],
  ['XDG_CONFIG_HOME', 'config'],
  ['XDG_STATE_HOME', 'state'],
  ['XDG_CACHE_HOME', 'cache'],
] as const;

const KNOWN: readonly StateVariables[] = [
  { match: /^(?:@agentclientprotocol\/|@zed-industries\/)?claude-(?:code|agent)-acp$|^claude$/, variables: [['CLAUDE_CONFIG_DIR', '']] },
  { match: /^(?:@agentclientprotocol\/|@zed-industries\/)?codex-acp$|^codex$/, variables: [['CODEX_HOME', '']] },
  { match: /^@google\/gemini-cli$|^gemini$/, variables: [['GEMINI_CLI_HOME', '']] },
  { match: /^@github\/copilot$|^copilot$/, variables: [['COPILOT_HOME', '']] },
  { match: /^@qwen-code\/qwen-code$|^qwen$/, variables: [['QWEN_HOME', '']] },
  { match: /^(?:opencode-ai|@opencode\/cli|opencode)$/, variables: XDG },
  { match: /^(?:@kilocode\/cli|kilo)$/, variables: XDG },
  { match: /^(?:pi-acp|pi)$/, variables: [['PI_CODING_AGENT_DIR', '']] },
  { match: /^goose$/, variables: XDG },
];

/** Returns the variables for the state of this agent; undefined when they are not known. */
function stateVariables(launch: ProcessLaunch): StateVariables['variables'] | undefined {
  const names = programNames(launch);
  return KNOWN.find(({ match }) => names.some((name) => match.test(name)))?.variables;
}

/** True for an agent whose state can be moved, so that it can have several accounts. */
export function takesAccounts({ launch }: CatalogEntry): boolean {
  return isProcess(launch) && stateVariables(launch) !== undefined;
}

/** A row of the question for the agent of an account. */
export type AccountRow =
  | { readonly separator: InertText }
  | {
      readonly label: InertText;
      readonly detail: InertText;
      /** False for an agent whose account only the settings can have. */
      readonly isPossible: boolean;
      readonly entry: CatalogEntry;
    };

const MAX_NAME = 60;
const MAX_COMMAND = 300;

/** Returns the agents that can have several accounts, then the others with the reason. */
export function accountRows(entries: readonly CatalogEntry[], t: Translate): readonly AccountRow[] {
  const row = (entry: CatalogEntry, detail: InertText): AccountRow => ({
    label: inertLine(entry.agentName, MAX_NAME),
    detail,
    isPossible: takesAccounts(entry),
    entry,
  });
  const others = entries.filter((entry) => entry.source !== 'demo' && !takesAccounts(entry));
  return [
    ...entries.filter(takesAccounts).map((entry) => row(entry, inertLine(shownEndpoint(entry.launch), MAX_COMMAND))),
    ...(others.length > 0 ? [{ separator: t('Only in your settings') }] : []),
    ...others.map((entry) =>
      row(
        entry,
        isProcess(entry.launch)
          ? t("It isn't known where it stores its sign-in. Add an entry with other variables to your settings.")
          : t('It runs elsewhere. Add an entry with another token to your settings.'),
      ),
    ),
  ];
}

/** An entry of the settings that runs another agent with variables of its own. */
export interface AccountEntry {
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the entry of another account of this agent. It refers to the agent, so that it gets its updates.
 * @param agent the agent's entry in the settings, if it has one: an account of an account runs the same agent
 * @param folder the account's own folder, absolute
 */
export function accountEntry(launch: ProcessLaunch, agent: unknown, folder: string): AccountEntry | undefined {
  const variables = stateVariables(launch);
  const { agent: base, env } = typeof agent === 'object' && agent !== null ? (agent as Partial<AccountEntry>) : {};
  const folders = variables?.map(([name, inside]) => [name, inside === '' ? folder : path.join(folder, inside)] as const);
  return folders && { agent: base ?? launch.agentId, env: { ...(base === undefined ? {} : env), ...Object.fromEntries(folders) } };
}

/** Returns the other accounts of the agent with this id: entries of the same program with other state folders. */
export function otherAccounts(entries: readonly CatalogEntry[], agentId: string): readonly CatalogEntry[] {
  const own = entries.find((entry) => entry.agentId === agentId)?.launch;
  if (!own || !isProcess(own)) {
    return [];
  }
  const variables = stateVariables(own);
  const key = variables && stateKey(own, variables);
  return entries.filter(
    ({ agentId: other, launch }) =>
      variables !== undefined &&
      other !== agentId &&
      isProcess(launch) &&
      stateVariables(launch) === variables &&
      stateKey(launch, variables) !== key,
  );
}

/** The folders of an account as a text. */
function stateKey({ env }: ProcessLaunch, variables: StateVariables['variables']): string {
  return JSON.stringify(variables.map(([name]) => env[name] ?? ''));
}

/** The program's name, and the packages among the arguments of a runner, without versions. */
function programNames({ command, args }: ProcessLaunch): readonly string[] {
  const program = command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|bat|exe|ps1)$/i, '');
  const packages = /^(?:npx|pnpx|bunx|npm|pnpm|bun)$/.test(program)
    ? args.map((argument) => argument.replace(/^(@?[^@\s]+)@.*$/, '$1'))
    : [];
  // The script of an installed package is in the package's folder.
  const scripts =
    program === 'node' ? args.flatMap((argument) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(argument)?.[1] ?? []) : [];
  return [program, ...packages, ...scripts.map((name) => name.replace('\\', '/'))];
}

/** A file name for an account. */
export function folderName(agentName: string, account: string): string {
  const name = `${agentName}-${account}`
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name.toLowerCase().slice(0, 60) || 'account';
}
