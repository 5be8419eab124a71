/**
 * The folders of programs that a project's version files choose: nvm and fnm (`.nvmrc`, `.node-version`), asdf (`.tool-versions`), volta
 * (`package.json`). Only versions that are installed count, and nothing is started.
 */
import path from 'node:path';
import { variable, type Environment } from '../../util/environment';
import { asdfFolder, nvmFolder, versionsIn } from '../node/findNode';
import { compareVersions, parseVersion, satisfies, versionText, type Version } from '../node/versionRange';

/** The characters of a version file that are read. */
const MAX_FILE = 64 * 1024;
/** The lines of `.tool-versions` that are read. */
const MAX_TOOLS = 50;

const NODE_FILES = ['.nvmrc', '.node-version'];

/** Returns the folders to put before the PATH, for a project's folder. */
export async function projectPrograms(folder: string, environment: Environment): Promise<readonly string[]> {
  const [node, asdf, volta] = await Promise.all([
    nodeOfVersionFile(folder, environment),
    programsOfAsdf(folder, environment),
    nodeOfVolta(folder, environment),
  ]);
  return [...(node ? [node] : []), ...asdf, ...(volta ? [volta] : [])];
}

/** The version in the nearest `.nvmrc` or `.node-version`, as nvm and fnm find it. */
async function nodeOfVersionFile(folder: string, environment: Environment): Promise<string | undefined> {
  const found = await nearest(folder, NODE_FILES);
  const wanted = found?.text.replace(/#.*/g, '').trim().split(/\s+/)[0];
  if (!wanted) {
    return undefined;
  }
  const home = variable(environment, 'HOME') ?? '';
  const data = variable(environment, 'XDG_DATA_HOME') ?? path.join(home, '.local', 'share');
  const nvm = nvmFolder(environment);
  const fnmRoots = [variable(environment, 'FNM_DIR'), path.join(data, 'fnm'), path.join(home, '.fnm')].filter((each) => each !== undefined);
  const installed = (
    await Promise.all([
      versionsIn(path.join(nvm, 'versions', 'node'), path.join('bin', 'node')),
      ...fnmRoots.map((root) => versionsIn(path.join(root, 'node-versions'), path.join('installation', 'bin', 'node'))),
    ])
  ).flat();
  const range = await rangeOf(wanted, nvm);
  const fits = range === undefined ? [] : installed.filter(({ version }) => satisfies(version, range));
  const [best] = fits.sort((one, other) => compareVersions(other.version, one.version));
  return best && path.dirname(best.file);
}

/** Reads `20`, `v20.1`, `node` or a name of nvm's aliases, such as that of a release line. */
async function rangeOf(wanted: string, nvm: string, depth = 0): Promise<string | undefined> {
  if (/^v?\d+(?:\.\d+){0,2}$/.test(wanted)) {
    return wanted.replace(/^v/, '');
  }
  if (/^(?:node|stable|latest)$/.test(wanted)) {
    return '*';
  }
  // An alias is the name of a file, so it must not leave the folder of aliases.
  if (depth > 4 || !/^(?:lts\/(?:[\w-]+|\*)|[\w-]+)$/.test(wanted)) {
    return undefined;
  }
  const alias = (await read(path.join(nvm, 'alias', ...wanted.split('/'))))?.trim();
  return alias ? rangeOf(alias, nvm, depth + 1) : undefined;
}

/** The programs of `.tool-versions`. With asdf's shims on the PATH, these choose the version themselves. */
async function programsOfAsdf(folder: string, environment: Environment): Promise<readonly string[]> {
  const root = asdfFolder(environment);
  const onPath = pathOf(environment).includes(path.join(root, 'shims'));
  const found = onPath ? undefined : await nearest(folder, ['.tool-versions']);
  if (!found) {
    return [];
  }
  const lines = found.text.split(/\r?\n/).slice(0, MAX_TOOLS);
  const folders = await Promise.all(
    lines.map(async (line) => {
      const [tool = '', ...versions] = line.replace(/#.*/, '').trim().split(/\s+/);
      for (const version of versions) {
        const bin = path.join(root, 'installs', tool, version, 'bin');
        if (/^[\w-]+$/.test(tool) && /^[\w.+-]+$/.test(version) && !/^\.+$/.test(version) && (await isFolder(bin))) {
          return bin;
        }
      }
      return undefined;
    }),
  );
  return folders.filter((each) => each !== undefined);
}

/** The Node.js of `volta` in the nearest `package.json`. With volta's shims on the PATH, these choose the version themselves. */
async function nodeOfVolta(folder: string, environment: Environment): Promise<string | undefined> {
  const home = variable(environment, 'VOLTA_HOME') ?? path.join(variable(environment, 'HOME') ?? '', '.volta');
  const onPath = pathOf(environment).includes(path.join(home, 'bin'));
  const found = onPath || !(await isFolder(home)) ? undefined : await nearest(folder, ['package.json']);
  const version = found && voltaVersion(found.text);
  const bin = version && path.join(home, 'tools', 'image', 'node', versionText(version), 'bin');
  return bin && (await isFolder(bin)) ? bin : undefined;
}

function voltaVersion(text: string): Version | undefined {
  try {
    const { volta } = JSON.parse(text) as { volta?: { node?: unknown } };
    return typeof volta?.node === 'string' ? parseVersion(volta.node) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the nearest of these files in the folder or its parents. */
export async function nearest(
  folder: string,
  names: readonly string[],
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  for (let at = folder, before = ''; at !== before; before = at, at = path.dirname(at)) {
    for (const name of names) {
      const file = path.join(at, name);
      const text = await read(file);
      if (text !== undefined) {
        return { file, text };
      }
    }
  }
  return undefined;
}

async function read(file: string): Promise<string | undefined> {
  const { readFile, stat } = await import('node:fs/promises');
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() && found.size <= MAX_FILE ? readFile(file, 'utf8').catch(() => undefined) : undefined;
}

async function isFolder(folder: string): Promise<boolean> {
  const { stat } = await import('node:fs/promises');
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function pathOf(environment: Environment): readonly string[] {
  return (variable(environment, 'PATH') ?? '').split(path.delimiter);
}
