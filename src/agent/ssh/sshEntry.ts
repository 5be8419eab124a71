/** The field `ssh` of an entry in `acpHost.agents`: the program of the entry runs on another host. Pure. */
import type { SshEndpoint } from '../../core/agents/endpoint';

/** A name of the SSH configuration, an address, or `ssh://user@host:port`. It never begins with a hyphen, which would make it an option. */
const HOST = /^(?!-)[A-Za-z0-9._~%:@[\]/+-]{1,255}$/;
const VARIABLE = /^[A-Za-z_]\w*$/;
const MAX_PORTS = 20;

type Problem = (field: string, expected: string) => void;

/**
 * Reads the field, and reports each part that is wrong. A wrong entry is not used by the caller.
 *
 * @param entry its `ssh` is given, and its `command`, `args` and `env` are checked
 */
export function sshEntry(entry: Readonly<Record<string, unknown>>, problem: Problem): Omit<SshEndpoint, 'command' | 'args' | 'env'> {
  const { ssh, cwd, command, env, pathMapping } = entry;
  const { host, cwd: folder, forwardPorts } = isRecord(ssh) ? ssh : {};
  if (!isRecord(ssh)) {
    problem('ssh', 'object');
  } else if (!isSshHost(host)) {
    problem('ssh.host', 'host');
  }
  if (isGiven(cwd)) {
    problem('cwd', 'sshFolder');
  }
  if (isGiven(folder) && !isRemoteFolder(folder)) {
    problem('ssh.cwd', 'absolutePath');
  }
  if (isGiven(forwardPorts) && !(Array.isArray(forwardPorts) && forwardPorts.length <= MAX_PORTS && forwardPorts.every(isPort))) {
    problem('ssh.forwardPorts', 'ports');
  }
  if (hasLineBreak(command)) {
    problem('command', 'string');
  }
  for (const [name, value] of Object.entries(isRecord(env) ? env : {})) {
    if (!VARIABLE.test(name) || hasLineBreak(value)) {
      problem(`env.${name}`, 'string');
    }
  }
  if (isGiven(pathMapping) && !isRecord(pathMapping)) {
    problem('pathMapping', 'object');
  }
  for (const [local, remote] of Object.entries(isRecord(pathMapping) ? pathMapping : {})) {
    if (!/^(?:\/|[a-zA-Z]:[\\/]|\\\\)/.test(local) || typeof remote !== 'string' || !remote.startsWith('/')) {
      problem(`pathMapping.${local}`, 'absolutePath');
    }
  }
  return {
    kind: 'ssh',
    host: typeof host === 'string' ? host : '',
    ...(isRemoteFolder(folder) && { cwd: folder }),
    ...(Array.isArray(forwardPorts) && forwardPorts.length > 0 && { forwardPorts: forwardPorts as number[] }),
    ...(isRecord(pathMapping) && { pathMapping: { ...(pathMapping as Record<string, string>) } }),
  };
}

/** True for a host that can be part of the command. */
export function isSshHost(host: unknown): host is string {
  return typeof host === 'string' && HOST.test(host);
}

/** True for an absolute folder. The protocol allows no other one, and the home folder of the host is not known here. */
export function isRemoteFolder(folder: unknown): folder is string {
  return typeof folder === 'string' && folder.startsWith('/') && !hasLineBreak(folder);
}

function isPort(port: unknown): boolean {
  return typeof port === 'number' && Number.isInteger(port) && port >= 1024 && port <= 65_535;
}

/** The shells of the other host would read the rest as another command, or not at all. */
function hasLineBreak(value: unknown): boolean {
  return typeof value === 'string' && /[\r\n\0]/.test(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
