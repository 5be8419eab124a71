/** The programs that run on Node.js, and the versions that they need. */
import path from 'node:path';
import { interpreterLine } from './interpreterLine';

/** A program that Node.js runs. */
export interface NodeProgram {
  /** The script that Node.js gets, absolute; undefined for `node` itself without one. */
  readonly script: string | undefined;
  /** The arguments after the script. */
  readonly args: readonly string[];
}

/** The need of an agent. */
export interface NodeNeed {
  /** The range of versions, as in `engines.node`; undefined when any version will do. */
  readonly range: string | undefined;
  /** True when the agent starts programs by their names that need this Node.js, too. It then stays on the agent's PATH. */
  readonly children: boolean;
}

/** Packages that are downloaded by a package runner, and therefore cannot be read before they start. */
const PACKAGES: Readonly<Record<string, { readonly range: string; readonly children?: true }>> = {
  '@agentclientprotocol/claude-agent-acp': { range: '>=22' },
  '@zed-industries/claude-code-acp': { range: '>=22' },
  '@google/gemini-cli': { range: '>=20' },
  '@qwen-code/qwen-code': { range: '>=22' },
  '@augmentcode/auggie': { range: '>=20' },
  '@earendil-works/pi-coding-agent': { range: '>=22.19', children: true },
  'pi-acp': { range: '>=20', children: true },
};

const SCRIPT = /\.[cm]?js$/i;
const NODE = /^node(?:\.exe)?$/i;
/** `#!/usr/bin/env node`, also with options, and the path of a Node.js. */
const INTERPRETER = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?(?:\w+=\S+\s+)*|\S*\/)node(?:js)?(?:\s|$)/;
/** The script in a `.cmd` file that npm has made. */
const CMD_SCRIPT = /"%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"/i;

/** Returns the script and its arguments when Node.js runs `file`; undefined for other programs. */
export async function nodeProgramOf(file: string, args: readonly string[]): Promise<NodeProgram | undefined> {
  const name = path.basename(file);
  if (NODE.test(name)) {
    const [script, ...rest] = args;
    return script !== undefined && path.isAbsolute(script) ? { script, args: rest } : { script: undefined, args };
  }
  if (SCRIPT.test(name) || INTERPRETER.test((await interpreterLine(file)) ?? '')) {
    return { script: file, args };
  }
  const script = /\.cmd$/i.test(name) ? await scriptOfCmd(file) : undefined;
  return script === undefined ? undefined : { script, args };
}

/**
 * Returns the need of a program: `engines` of the script's package, and of the packages that a runner downloads.
 * @param isRunner the script is a package runner, whose arguments name the packages
 */
export async function nodeNeedOf({ script, args }: NodeProgram, isRunner: boolean): Promise<NodeNeed> {
  const own = script === undefined ? undefined : await packageOf(script);
  const known = isRunner ? args.flatMap(knownPackage) : own?.name === undefined ? [] : knownPackage(own.name);
  const ranges = [...(own?.range === undefined ? [] : [own.range]), ...known.map(({ range }) => range)];
  return { range: ranges.length === 0 ? undefined : newest(ranges), children: known.some(({ children }) => children === true) };
}

function knownPackage(argument: string): readonly { readonly range: string; readonly children?: true }[] {
  const name = /^(@[\w.-]+\/[\w.-]+|[\w.-]+)(?:@[\w.^~-]+)?$/.exec(argument)?.[1];
  return name !== undefined && Object.hasOwn(PACKAGES, name) ? [PACKAGES[name]!] : [];
}

/** The range that begins latest. A runner's own range is always wider than that of a new agent. */
function newest(ranges: readonly string[]): string {
  return ranges.reduce((one, other) => (startOf(other) > startOf(one) ? other : one));
}

function startOf(range: string): number {
  const found = [...range.matchAll(/(\d+)(?:\.(\d+))?/g)].map(([, major, minor]) => Number(major) * 1000 + Number(minor ?? 0));
  return Math.min(...found, Number.MAX_SAFE_INTEGER);
}

/** Reads the `package.json` of the script's package. */
async function packageOf(script: string): Promise<{ readonly name?: string; readonly range?: string } | undefined> {
  const { readFile, realpath } = await import('node:fs/promises');
  const real = await realpath(script).catch(() => script);
  for (let folder = path.dirname(real), before = ''; folder !== before; before = folder, folder = path.dirname(folder)) {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => undefined);
    const found = text === undefined ? undefined : parsed(text);
    if (found?.name !== undefined) {
      return found;
    }
    if (path.basename(folder) === 'node_modules') {
      return undefined;
    }
  }
  return undefined;
}

function parsed(text: string): { readonly name?: string; readonly range?: string } | undefined {
  try {
    const { name, engines } = JSON.parse(text) as { name?: unknown; engines?: { node?: unknown } };
    const range = engines?.node;
    return { ...(typeof name === 'string' && { name }), ...(typeof range === 'string' && range.length < 200 && { range }) };
  } catch {
    return undefined;
  }
}

async function scriptOfCmd(file: string): Promise<string | undefined> {
  const { readFile, stat } = await import('node:fs/promises');
  const npm = /^(npm|npx)\.cmd$/i.exec(path.basename(file))?.[1];
  if (npm !== undefined) {
    const script = path.join(path.dirname(file), 'node_modules', 'npm', 'bin', `${npm.toLowerCase()}-cli.js`);
    return stat(script).then(
      () => script,
      () => undefined,
    );
  }
  const text = await readFile(file, 'utf8').catch(() => '');
  const relative = text.length > 64 * 1024 ? undefined : CMD_SCRIPT.exec(text)?.[1];
  return relative === undefined ? undefined : path.resolve(path.dirname(file), relative.replaceAll('\\', path.sep));
}
