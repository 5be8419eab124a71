/** Makes the server that an agent gets from its definition: variables replaced, the program found, the environment file read. */
import path from 'node:path';
import type { InsertedValue, McpServer } from '../../core/mcp/mcpServer';
import type { LeftOutReason } from '../../core/mcp/sessionServers';
import { parseEnvFile } from './envFile';
import { MAX_TEXT } from './plainJson';
import type { OAuthDefinition, RemoteDefinition, ServerDefinition, StdioDefinition } from './serverDefinition';
import { MissingValue, type VariableValues, withValues } from './variables';

export interface ResolveContext {
  readonly values: VariableValues;
  /** The folder in which agents start a server: the session's. */
  readonly sessionFolder: string;
  /** Relative paths of the definition start here. */
  readonly baseFolder: string;
  readonly platform: NodeJS.Platform;
  /** Rejects for a file that cannot be read. */
  readFile(file: string): Promise<string>;
  /** Returns the absolute path of a program; undefined when it does not exist or cannot be run. */
  findProgram(command: string, folder: string, env: Readonly<Record<string, string>>): Promise<string | undefined>;
}

/** The reason why a server is left out. */
export class LeftOutError extends Error {
  constructor(
    readonly reason: LeftOutReason,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** @throws LeftOutError */
export async function resolveServer(name: string, definition: ServerDefinition, context: ResolveContext): Promise<McpServer> {
  try {
    return definition.type === 'stdio' ? await stdioServer(name, definition, context) : remoteServer(name, definition, context);
  } catch (error) {
    throw error instanceof MissingValue ? new LeftOutError(error.reason, error.detail) : error;
  }
}

async function stdioServer(name: string, definition: StdioDefinition, context: ResolveContext): Promise<McpServer> {
  const { values, baseFolder, sessionFolder, findProgram } = context;
  const inserted: InsertedValue[] = [];
  const replaced = (text: string): string => withValues(text, values, inserted);
  const args = definition.args.map(replaced);
  const own = mapped(definition.env, replaced);
  const command = replaced(definition.command);
  const folder = definition.cwd === undefined ? undefined : path.resolve(baseFolder, replaced(definition.cwd));
  const env = {
    ...(definition.envFile !== undefined && (await environmentOf(replaced(definition.envFile), definition.envFile, context))),
    ...own,
  };
  const program = await findProgram(command, folder ?? baseFolder, env);
  if (program === undefined) {
    // The conversation records the reason, and the value may be a secret.
    throw new LeftOutError('not_found', definition.command);
  }
  const server = { type: 'stdio', name, env, ...(inserted.length > 0 && { inserted }) } as const;
  return folder === undefined || folder === sessionFolder
    ? { ...server, command: program, args }
    : { ...server, ...inFolder(folder, program, args, context.platform) };
}

async function environmentOf(file: string, written: string, { baseFolder, readFile }: ResolveContext): Promise<Record<string, string>> {
  let text: string;
  try {
    text = await readFile(path.resolve(baseFolder, file));
  } catch {
    throw new LeftOutError('unreadable', written);
  }
  if (text.length > MAX_TEXT) {
    throw new LeftOutError('invalid', 'envFile');
  }
  return parseEnvFile(text);
}

/**
 * The protocol has no working folder, and agents start a server in the session's. A shell changes it first. Its script is constant: folder, program
 * and arguments are its parameters. `cmd.exe` has no such form, so the server is left out on Windows.
 */
function inFolder(folder: string, program: string, args: readonly string[], platform: NodeJS.Platform) {
  if (platform === 'win32') {
    throw new LeftOutError('invalid', 'cwd');
  }
  return { command: '/bin/sh', args: ['-c', 'cd -- "$1" && shift && exec "$@"', 'sh', folder, program, ...args] };
}

function remoteServer(name: string, definition: RemoteDefinition, { values }: ResolveContext): McpServer {
  const inserted: InsertedValue[] = [];
  const url = withValues(definition.url, values, inserted).trim();
  const headers = mapped(definition.headers, (text) => withValues(text, values, inserted));
  // An input may contain a line break, which would begin another header.
  const broken = Object.entries(headers).find(([, value]) => /[\r\n\0]/.test(value));
  if (broken) {
    throw new LeftOutError('invalid', `headers.${broken[0]}`);
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || /\s/.test(url)) {
    throw new LeftOutError('invalid', 'url');
  }
  return { type: definition.type, name, url, headers, ...(inserted.length > 0 && { inserted }) };
}

/** The client of a sign-in with its values. @throws LeftOutError */
export function resolveOAuth({ clientId, clientSecret, ...others }: OAuthDefinition, values: VariableValues): OAuthDefinition {
  try {
    return {
      ...others,
      ...(clientId !== undefined && { clientId: withValues(clientId, values, []) }),
      ...(clientSecret !== undefined && { clientSecret: withValues(clientSecret, values, []) }),
    };
  } catch (error) {
    throw error instanceof MissingValue ? new LeftOutError(error.reason, error.detail) : error;
  }
}

function mapped(values: Readonly<Record<string, string>>, replaced: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, replaced(value)]));
}
