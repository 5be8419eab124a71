/** The user's npm registry: the environment, then `.npmrc` of the home folder. A project's `.npmrc` is not read. */
import { homedir } from 'node:os';
import path from 'node:path';
import { variable, type Environment } from '../../util/environment';

export interface UserRegistry {
  /** Ends with a slash. */
  readonly url: string;
  /** The value of the header `Authorization`, for this registry alone. */
  readonly authorization?: string;
}

const DEFAULT = 'https://registry.npmjs.org/';
const MAX_FILE = 256 * 1024;

export async function userRegistry(environment: Environment): Promise<UserRegistry> {
  const values = await npmrcOf(environment);
  const wanted =
    variable(environment, 'npm_config_registry') || variable(environment, 'NPM_CONFIG_REGISTRY') || values.get('registry') || DEFAULT;
  const url = isAllowed(wanted) ? wanted.replace(/\/*$/, '/') : DEFAULT;
  const key = url.replace(/^https?:/, '');
  const [token, basic] = ['_authToken', '_auth'].map((name) => values.get(`${key}:${name}`) ?? values.get(`${key.slice(0, -1)}:${name}`));
  const authorization = token ? `Bearer ${token}` : basic ? `Basic ${basic}` : undefined;
  return { url, ...(authorization !== undefined && { authorization }) };
}

/** https, or http on this machine. */
function isAllowed(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}

async function npmrcOf(environment: Environment): Promise<ReadonlyMap<string, string>> {
  const { readFile, stat } = await import('node:fs/promises');
  const own = variable(environment, 'npm_config_userconfig') || variable(environment, 'NPM_CONFIG_USERCONFIG');
  const file = own || path.join(variable(environment, 'HOME') ?? homedir(), '.npmrc');
  const isSmall = await stat(file).then(
    ({ size }) => size <= MAX_FILE,
    () => false,
  );
  const text = isSmall ? await readFile(file, 'utf8').catch(() => '') : '';
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*([^=;#\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined) {
      values.set(
        name,
        value.replace(/^(["'])(.*)\1$/, '$2').replace(/\$\{(\w+)\}/g, (_, each: string) => variable(environment, each) ?? ''),
      );
    }
  }
  return values;
}
