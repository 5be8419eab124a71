/** Decides whether a rule applies to a part of a request. Pure. */
import { normalize } from 'node:path';
import { isUnsafeVariable } from '../core/approval/unsafeVariables';
import type { EnvironmentVariable } from '../core/model/content';
import { namesBelow } from './protection/namesBelow';
import { parsePattern, reachOf, readingsOf } from './protection/pathPattern';
import type { CommandPart, Effect, FilePart, PolicyRequest, RequestPart, Rule } from './rule';

/** Characters that make one command line several commands, or change what it reads and writes. */
const SHELL_CHARACTERS = /[;&|<>`$()\r\n]/;
const SEPARATORS = /[;&|()\r\n]+/;
const ANY_ARGUMENTS = ' *';

/** True for a path under which each process has another file. Shared memory is a folder like any other. */
export function isOfProcess(path: string): boolean {
  return [path, normalize(path)].some((each) => /^\/(?:proc|dev)\//.test(each) && !each.startsWith('/dev/shm/'));
}

/** True when the rule applies to the part. */
export function matches({ match, effect }: Rule, { agent, roots = [] }: Omit<PolicyRequest, 'parts'>, part: RequestPart): boolean {
  const { part: only, agents, kinds, path, file, command, tool, host } = match;
  return (
    (only === undefined || part === only) &&
    (agents === undefined || (agent !== undefined && agents.some((each) => each === agent.id || each === agent.name))) &&
    (kinds === undefined || kinds.includes(part.kind) || (kinds.includes('command') && part.byCommand !== undefined)) &&
    (path === undefined || (isFile(part) && matchesPath(path, part, roots, effect))) &&
    (file === undefined || (isFile(part) && part.path === file)) &&
    (command === undefined || (part.kind === 'command' && matchesCommand(command, part, effect))) &&
    (tool === undefined || part.tool === tool) &&
    (host === undefined || (part.kind === 'address' && hostOf(part.url) === host.toLowerCase()))
  );
}

export function isFile(part: RequestPart): part is FilePart {
  return 'path' in part;
}

/** An allow must match the file by each of its names. For an ask or a deny one name is enough. */
function matchesPath(text: string, { asked, path }: FilePart, roots: readonly string[], effect: Effect): boolean {
  const pattern = parsePattern(text);
  const fits = (file: string): boolean =>
    pattern !== undefined && namesBelow(normalize(file), roots).some((names) => reachOf(pattern, names.map(readingsOf)) > 0);
  return effect === 'allow' ? fits(asked) && fits(path) : fits(asked) || fits(path);
}

/** True for a variable that decides what a command runs. */
export function isSteering({ name }: Pick<EnvironmentVariable, 'name'>): boolean {
  return isUnsafeVariable(name) || /^GIT_/i.test(name);
}

/**
 * An allow matches the whole line, with ` *` only a line of one command, and none whose environment decides what runs. For an ask or a deny one command
 * of the line is enough.
 */
function matchesCommand(pattern: string, { command, environment = [] }: CommandPart, effect: Effect): boolean {
  const line = command.trim();
  const start = pattern.endsWith(ANY_ARGUMENTS) ? pattern.slice(0, -ANY_ARGUMENTS.length).trim() : undefined;
  const fits = (each: string): boolean => (start === undefined ? each === pattern.trim() : each === start || each.startsWith(`${start} `));
  if (effect === 'allow') {
    return fits(line) && (start === undefined || !SHELL_CHARACTERS.test(line)) && !environment.some(isSteering);
  }
  return fits(line) || line.split(SEPARATORS).some((each) => fits(each.trim()));
}

export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}
