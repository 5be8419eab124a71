/** The network settings of VS Code as variables of an agent's process, which is not a part of VS Code. Pure. */

/** The values of VS Code's settings. */
export interface NetworkSettings {
  /** `http.proxy`. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`. */
  readonly noProxy?: readonly string[] | undefined;
  /** `http.proxySupport`. */
  readonly support?: string | undefined;
  /** A file with the certificates that the system trusts beside Node's own. */
  readonly certificates?: string | undefined;
}

/** Addresses of this machine, such as those of the MCP servers that VS Code offers to agents. A proxy cannot reach them. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '::1'];

/** Returns the variables in both spellings, because programs read one or the other. Without a proxy in the settings the environment stays as it is. */
export function proxyVariables(
  settings: NetworkSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { proxy = '', noProxy = [], support, certificates } = settings;
  const variables: Record<string, string> = {};
  if (proxy.trim() !== '' && support !== 'off') {
    const others = noProxy.map((host) => host.trim()).filter((host) => host !== '');
    const without = [...new Set([...others, ...THIS_MACHINE])].join(',');
    for (const [name, value] of [
      ['HTTP_PROXY', proxy.trim()],
      ['HTTPS_PROXY', proxy.trim()],
      ['NO_PROXY', without],
    ] as const) {
      variables[name] = value;
      variables[name.toLowerCase()] = value;
    }
    // Without it, the functions of Node itself ignore the others.
    variables['NODE_USE_ENV_PROXY'] = '1';
  }
  if (certificates !== undefined && !environment['NODE_EXTRA_CA_CERTS']) {
    variables['NODE_EXTRA_CA_CERTS'] = certificates;
  }
  return variables;
}

/** Returns `variables` without those that `own` has in any spelling: the user's own entry decides. */
export function beneath(variables: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Set(Object.keys(own).map((name) => name.toUpperCase()));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.has(name.toUpperCase())));
}

/** The secrets in the address of a proxy. */
export function proxySecrets({ HTTPS_PROXY: address = '' }: Readonly<Record<string, string>>): string[] {
  const [, user = '', password = ''] = /\/\/(?:([^:@/]*):)?([^@/]*)@/.exec(address) ?? [];
  return [password, decoded(password), `${user}:${password}`].filter((text) => password !== '' && text !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
