/** The rules of **ACP: Add Agent…**: reading the name, the command and the variables, and the value to save. Pure. */
import type { AccountEntry } from './accounts';
import { parseAgents } from '../../agent/parseAgents';
import { isRemoteFolder, isSshHost } from '../../agent/ssh/sshEntry';
import { typedCommand, type TypedProblem, typedVariables } from '../../agent/typedCommand';
import { type InertText, inertLine } from '../shared/escape';
import { settings } from '../shared/ids';
import type { Translate } from '../shared/translate';
import { problemReasons, problemsByAgent } from './brokenAgents';

/** An entry of `acpHost.agents`, without optional fields that are empty. */
export interface AgentEntry {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The host on which the command runs. */
  readonly ssh?: { readonly host: string; readonly cwd?: string };
}

/** A value, or the reason why the text can't be used. */
export type Read<T> = { readonly value: T } | { readonly problem: InertText };

const MAX_NAME = 80;
const MAX_PART = 60;

/** @param userAgents the user's value of `acpHost.agents`, unchecked */
export function readName(text: string, userAgents: unknown, t: Translate): Read<string> {
  const name = text.trim();
  if (name === '') {
    return { problem: t('Enter a name.') };
  }
  if (name.length > MAX_NAME) {
    return { problem: t('Enter a name of up to {count} characters.', { count: MAX_NAME }) };
  }
  return isRecord(userAgents) && Object.hasOwn(userAgents, name) && userAgents[name] !== null
    ? { problem: t('Your settings already have an agent with this name.') }
    : { value: name };
}

/** Reads a host of the SSH configuration, or an address. */
export function readHost(text: string, t: Translate): Read<string> {
  const host = text.trim();
  return isSshHost(host) ? { value: host } : { problem: t('Enter a host of your SSH configuration, or user@host.') };
}

/** Reads a folder on the host. An empty text is the session's folder. */
export function readHostFolder(text: string, t: Translate): Read<string> {
  const folder = text.trim();
  return folder === '' || isRemoteFolder(folder)
    ? { value: folder }
    : { problem: t('Enter an absolute path on the host, such as /srv/shop.') };
}

/** @param isOnHost the program is not looked for on this machine, and may be below the home folder of the host */
export function readCommand(text: string, platform: NodeJS.Platform, t: Translate, isOnHost = false): Read<AgentEntry> {
  const typed = typedCommand(text, isOnHost ? 'linux' : platform);
  if ('problem' in typed) {
    return { problem: problemText(typed, t) };
  }
  const { command, args } = typed;
  const entry = { command, ...(args.length > 0 && { args }) };
  const [problems] = problemsByAgent(
    parseAgents({ agent: isOnHost ? { ...entry, ssh: { host: 'host' } } : entry }, settings.agents).problems,
  );
  return problems ? { problem: problemReasons(problems, t) } : { value: entry };
}

/** Reads the variables into `entry`. An empty text adds none. */
export function readVariables(text: string, entry: AgentEntry, platform: NodeJS.Platform, t: Translate): Read<AgentEntry> {
  const typed = typedVariables(text, platform);
  if ('problem' in typed) {
    return {
      problem:
        typed.problem === 'variable'
          ? t("{part} isn't a variable. Enter NAME=value, and separate variables with spaces.", { part: inertLine(typed.part, MAX_PART) })
          : problemText(typed, t),
    };
  }
  const { command, args } = entry;
  const { env } = typed;
  return { value: { command, ...(args && { args }), ...(Object.keys(env).length > 0 && { env }) } };
}

/** Returns the setting with the new agent. Returns undefined when the setting is not an object, so that its content is not lost. */
export function withAgent(
  userAgents: unknown,
  name: string,
  entry: AgentEntry | AccountEntry,
): Readonly<Record<string, unknown>> | undefined {
  const before = userAgents ?? {};
  return isRecord(before) ? { ...before, [name]: entry } : undefined;
}

/** The text from which {@link readVariables} reads these variables. */
export function variablesText(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => (/^[^\s"'\\]*$/.test(value) ? `${name}=${value}` : `${name}="${value.replace(/["\\]/g, '\\$&')}"`))
    .join(' ');
}

function problemText({ problem, part }: TypedProblem, t: Translate): InertText {
  switch (problem) {
    case 'empty':
      return t('Enter a command.');
    case 'quote':
      return t('A quotation mark is missing.');
    case 'shell':
      return t("Agents start without a shell, so {part} doesn't work here.", { part: inertLine(part, MAX_PART) });
    case 'variable':
      return t('Enter environment variables in the next step.');
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
