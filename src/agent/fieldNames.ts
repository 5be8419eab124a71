/** Recognizes misspelled fields of an agent's entry. Pure. */
import { editDistance } from '../util/editDistance';

/** The fields of an entry in `acpHost.agents`. */
export const ENTRY_FIELDS = [
  'name',
  'agent',
  'command',
  'args',
  'env',
  'cwd',
  'timeoutMs',
  'protocol',
  'url',
  'headers',
  'token',
  'subprotocol',
  'allowInsecure',
  'certificateFingerprint',
  'pathMapping',
  'proxies',
  'ssh',
] as const;
export type EntryField = (typeof ENTRY_FIELDS)[number];

/** Names that other programs use for these fields, in lower case. */
const OTHER_NAMES: Readonly<Record<EntryField, readonly string[]>> = {
  name: ['displayname', 'agentname'],
  agent: ['agentid', 'base', 'extends'],
  command: ['cmd', 'commandline', 'program', 'executable', 'exec', 'binary', 'bin', 'path', 'run'],
  args: ['arg', 'arguments', 'argv'],
  env: ['envs', 'environment', 'environmentvariables', 'envvars', 'variables', 'vars'],
  cwd: ['dir', 'directory', 'folder', 'pwd', 'workdir', 'workingdir', 'workingdirectory', 'workingfolder'],
  protocol: ['protocolversion', 'acpversion', 'acp'],
  url: ['uri', 'address', 'endpoint', 'serverurl', 'server'],
  headers: ['header', 'httpheaders'],
  token: ['bearer', 'bearertoken', 'accesstoken', 'apikey'],
  subprotocol: ['subprotocols', 'websocketprotocol'],
  allowInsecure: ['insecure', 'allowhttp'],
  certificateFingerprint: ['fingerprint', 'sha256'],
  pathMapping: ['pathmappings', 'mapping', 'paths', 'pathmap'],
  proxies: ['proxy', 'proxychain', 'proxycommands', 'middleware'],
  ssh: ['host', 'sshhost', 'remote', 'machine'],
  timeoutMs: ['timeout', 'timeoutseconds', 'timelimit', 'timeoutmillis'],
};
/** Wrong letters that are tolerated in a name that is long enough to be recognized. */
const MAX_TYPOS = 2;
const MAX_NAME = 40;

/** The field that the unknown `name` most likely means. Undefined when it resembles no field. */
export function meantField(name: string): EntryField | undefined {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  if (plain === '' || name.length > MAX_NAME) {
    return undefined;
  }
  return (
    ENTRY_FIELDS.find((field) => field.toLowerCase() === plain || OTHER_NAMES[field].includes(plain)) ??
    ENTRY_FIELDS.find((field) => editDistance(field.toLowerCase(), plain) <= Math.min(MAX_TYPOS, Math.floor((field.length - 1) / 2)))
  );
}
