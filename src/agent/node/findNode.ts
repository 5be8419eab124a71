/** The Node.js programs of this machine: on a PATH, and where version managers and installers put them. */
import { homedir } from 'node:os';
import path from 'node:path';
import { variable, type Environment } from '../../util/environment';
import { compareVersions, parseVersion, satisfies, type Version } from './versionRange';

export interface FoundNode {
  /** Absolute. */
  readonly file: string;
  /** Undefined when the program does not report it. */
  readonly version: Version | undefined;
  /** True when it did not answer in time. Another one is better, but it may be a machine that is busy. */
  readonly isLate?: true;
}

/** ms that a Node.js may take to report its version. */
const VERSION_MS = 5000;
/** ms after which a Node.js that did not answer in time is asked again. */
const LATE_MS = 60_000;
/** Folders of versions in a version manager. Others are not read. */
const MAX_VERSIONS = 200;
const REPORT = "process.version + '\\n' + process.execPath";

const probes = new Map<string, Promise<FoundNode | undefined>>();

/**
 * Returns the Node.js that `file` starts, with its version. The shim of a version manager chooses by its folder, so the program behind it is
 * returned, as it is outside of any project. Undefined when it does not run. The answer is kept until the file changes.
 */
export async function probeNode(file: string): Promise<FoundNode | undefined> {
  const { realpath, stat } = await import('node:fs/promises');
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) {
    return undefined;
  }
  const key = `${file}\0${found.mtimeMs}\0${found.size}`;
  const known = probes.get(key) ?? realpath(file).then((real) => namedVersion(file, real) ?? run(file, real));
  probes.set(key, known);
  const answer = await known;
  if (answer?.isLate) {
    setTimeout(() => probes.delete(key), LATE_MS).unref();
  }
  return answer;
}

/** Version managers and Homebrew name the version in the path, which is faster than a start. */
function namedVersion(file: string, real: string): FoundNode | undefined {
  const version = parseVersion(/[\\/](v?\d+\.\d+\.\d+)[\\/](?:installation[\\/])?(?:bin[\\/])?node(?:\.exe)?$/.exec(real)?.[1] ?? '');
  return version && { file, version };
}

async function run(file: string, real: string): Promise<FoundNode | undefined> {
  const [{ execFile }, { realpath }] = await Promise.all([import('node:child_process'), import('node:fs/promises')]);
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const output = await new Promise<string | undefined>((resolve) => {
    execFile(file, ['-p', REPORT], { env, cwd: path.dirname(file), timeout: VERSION_MS, windowsHide: true }, (error, stdout) =>
      resolve(error ? (error.killed ? '' : undefined) : stdout),
    );
  });
  if (output === undefined) {
    return undefined;
  }
  if (output === '') {
    return { file, version: undefined, isLate: true };
  }
  const [version = '', reported = ''] = output.trim().split(/\r?\n/).slice(-2);
  const isShim = path.isAbsolute(reported) && (await realpath(reported).catch(() => real)) !== real;
  return { file: isShim ? reported : file, version: parseVersion(version) };
}

/** True when `node` is in the range. An unknown version counts as suitable, because only the program itself can tell. One that hangs does not. */
export function isSuitable({ version, isLate }: Pick<FoundNode, 'version' | 'isLate'>, range: string | undefined): boolean {
  if (isLate) {
    return false;
  }
  return range === undefined || version === undefined || satisfies(version, range);
}

/**
 * Returns the newest suitable Node.js that is installed outside of the PATH: by nvm, fnm, volta, asdf, mise or an installer. Nothing is started
 * before the version of its folder's name was checked.
 */
export async function installedNode(
  environment: Environment,
  range: string | undefined,
  usual = usualFiles(environment),
): Promise<FoundNode | undefined> {
  const folders = (await Promise.all(versionFolders(environment).map(({ root, bin }) => versionsIn(root, bin)))).flat();
  const fits = folders
    .filter(({ version }) => isSuitable({ version }, range))
    .sort((one, other) => compareVersions(other.version, one.version));
  for (const file of [...fits.map((each) => each.file), ...usual]) {
    const node = await probeNode(file);
    if (node?.version !== undefined && isSuitable(node, range)) {
      return node;
    }
  }
  return undefined;
}

/** The folders in which version managers have a folder for each version, and the program in that one. */
function versionFolders(environment: Environment): readonly { readonly root: string; readonly bin: string }[] {
  const home = variable(environment, 'HOME') ?? homedir();
  const windows = process.platform === 'win32';
  const bin = windows ? 'node.exe' : path.join('bin', 'node');
  const data = variable(environment, 'XDG_DATA_HOME') ?? path.join(home, '.local', 'share');
  const fnm = variable(environment, 'FNM_DIR');
  const fnmRoots = [fnm, path.join(data, 'fnm'), path.join(home, '.fnm'), path.join(home, 'Library', 'Application Support', 'fnm')];
  return [
    { root: path.join(nvmFolder(environment), 'versions', 'node'), bin },
    ...fnmRoots.flatMap((root) => (root ? [{ root: path.join(root, 'node-versions'), bin: path.join('installation', bin) }] : [])),
    { root: path.join(variable(environment, 'VOLTA_HOME') ?? path.join(home, '.volta'), 'tools', 'image', 'node'), bin },
    { root: path.join(asdfFolder(environment), 'installs', 'nodejs'), bin },
    { root: path.join(miseFolder(environment), 'installs', 'node'), bin },
  ];
}

export function nvmFolder(environment: Environment): string {
  const home = variable(environment, 'HOME') ?? homedir();
  return variable(environment, 'NVM_DIR') ?? path.join(home, '.nvm');
}

export function asdfFolder(environment: Environment): string {
  const home = variable(environment, 'HOME') ?? homedir();
  return variable(environment, 'ASDF_DATA_DIR') ?? path.join(home, '.asdf');
}

function miseFolder(environment: Environment): string {
  const home = variable(environment, 'HOME') ?? homedir();
  const data = variable(environment, 'XDG_DATA_HOME') ?? path.join(home, '.local', 'share');
  return variable(environment, 'MISE_DATA_DIR') ?? path.join(data, 'mise');
}

/** The versions in a folder such as `~/.nvm/versions/node`. A link such as `22` is left out, because its target is there, too. */
export async function versionsIn(root: string, bin: string): Promise<{ readonly file: string; readonly version: Version }[]> {
  const { readdir } = await import('node:fs/promises');
  const names = (await readdir(root).catch(() => [])).slice(0, MAX_VERSIONS);
  return names.flatMap((name) => {
    const version = parseVersion(name);
    return version ? [{ file: path.join(root, name, bin), version }] : [];
  });
}

/** The programs of installers, which a PATH that was not read from the user's shell may lack. */
function usualFiles(environment: Environment): readonly string[] {
  if (process.platform === 'win32') {
    const programs = variable(environment, 'ProgramFiles');
    return programs === undefined ? [] : [path.join(programs, 'nodejs', 'node.exe')];
  }
  return ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/home/linuxbrew/.linuxbrew/bin/node', '/usr/bin/node', '/snap/bin/node'];
}
