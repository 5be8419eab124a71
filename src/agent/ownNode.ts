/**
 * The agent's own program and Node.js, apart from the project's. The agent runs on the first Node.js that is new enough. The order is the PATH,
 * the user's shell, version managers, and the extension's storage.
 */
import path from 'node:path';
import { fault, type Failure } from '../core/model/failure';
import type { Environment } from '../util/environment';
import { findExecutable, type Found } from '../util/executable';
import type { ShellFailure } from './environment/shellEnvironment';
import { type FoundNode, isSuitable, probeNode } from './node/findNode';
import { nodeNeedOf, nodeProgramOf, type NodeNeed, type NodeProgram } from './node/nodeNeed';
import { minimumOf, versionText, type Version } from './node/versionRange';
import type { StartServices } from './startServices';

/** A program that was looked for in the environment without the project's. */
export interface OwnProgram {
  /** The environment in which it was found: the extension host's, or the shell's. */
  readonly environment: Environment;
  readonly found: Found;
  /** Set when the agent must run on another Node.js than the one on the PATH. */
  readonly node?: OwnNode;
}

export interface OwnNode {
  /** Absolute. */
  readonly file: string;
  /** The arguments of the Node.js: the script and its own. */
  readonly args: readonly string[];
  readonly children: boolean;
}

export interface Lookup {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly isRunner: boolean;
  /** Returns the environment of the launch, made from the extension host's or the shell's. */
  environmentOf(base: Environment): Promise<Readonly<Record<string, string>>>;
  /** The failure's parameters about the launch. */
  readonly params: NonNullable<Failure['params']>;
}

/** The result of a search in one environment. */
type Search =
  | { readonly result: OwnProgram }
  /** The program was not found. */
  | { readonly missing: 'program' }
  /** Node.js was not found, or the one there is too old, or did not answer in time: `late`. */
  | {
      readonly missing: 'node';
      readonly found: Found;
      readonly program: NodeProgram;
      readonly need: NodeNeed;
      readonly version?: Version;
      readonly late?: FoundNode;
    };

/** Commands of npm, which a managed Node.js brings along. */
const NPM = /^(npm|npx|node)(?:\.(?:cmd|exe|ps1))?$/i;
/** The oldest Node.js on which today's npm runs. */
const NPM_RANGE = '^20.17 || >=22.9';

/** @throws Fault `agent.not_found`, or `agent.spawn_failed` with a cause */
export async function ownProgram(lookup: Lookup, environment: Environment, services: StartServices): Promise<OwnProgram> {
  const first = await search(lookup, environment);
  if ('result' in first) {
    return first.result;
  }
  const shell = await services.shell?.();
  const second = shell && 'environment' in shell ? await search(lookup, shell.environment) : first;
  if ('result' in second) {
    return second.result;
  }
  const base = shell && 'environment' in shell ? shell.environment : environment;
  const failure = shell && 'failure' in shell ? shell.failure : undefined;
  const own = await lookup.environmentOf(base);
  if (second.missing === 'node') {
    const { found, program, need, version, late } = second;
    // A machine that is busy may be the reason for the late answer.
    const node = (await otherNode(own, services, need.range)) ?? late;
    if (!node) {
      throw nodeFault(lookup, need.range, version, failure);
    }
    return { environment: base, found, node: { file: node.file, args: argumentsOf(program), children: need.children } };
  }
  const name = NPM.exec(lookup.command)?.[1]?.toLowerCase();
  const program = name === undefined ? undefined : await npmProgram(lookup, own, services, name);
  if (program) {
    return { environment: base, ...program };
  }
  throw notFound(lookup, failure);
}

async function search(lookup: Lookup, base: Environment): Promise<Search> {
  const { command, args, cwd, isRunner } = lookup;
  const environment = await lookup.environmentOf(base);
  const found = await findExecutable(command, { cwd, environment });
  if (!found) {
    return { missing: 'program' };
  }
  if (!found.executable) {
    return { result: { environment: base, found } };
  }
  const node = await nodeOnPath(found, cwd, environment);
  const program = (await nodeProgramOf(found.file, args)) ?? (await behindShim(lookup, environment, node));
  if (!program) {
    return { result: { environment: base, found } };
  }
  const need = await nodeNeedOf(program, isRunner);
  if (!node || !isSuitable(node, need.range)) {
    return { missing: 'node', found, program, need, ...(node?.version && { version: node.version }), ...(node?.isLate && { late: node }) };
  }
  // The script needs the Node.js of this environment. The project's environment may have another one.
  return { result: { environment: base, found, node: { file: node.file, args: argumentsOf(program), children: need.children } } };
}

async function nodeOnPath(found: Found, cwd: string, environment: Environment): Promise<FoundNode | undefined> {
  const isNode = /^node(?:\.exe)?$/i.test(path.basename(found.file));
  const node = isNode ? found : await findExecutable('node', { cwd, environment });
  return node?.executable ? probeNode(node.file) : undefined;
}

/** The script of npm behind a version manager's shim, which would choose the version by the project's folder. */
async function behindShim(
  { command, args, cwd }: Lookup,
  environment: Environment,
  node: FoundNode | undefined,
): Promise<NodeProgram | undefined> {
  const name = NPM.exec(command)?.[1]?.toLowerCase();
  const beside = node && name && (await findExecutable(path.join(path.dirname(node.file), name), { cwd, environment }));
  return beside ? nodeProgramOf(beside.file, args) : undefined;
}

function argumentsOf({ script, args }: NodeProgram): readonly string[] {
  return script === undefined ? args : [script, ...args];
}

/** A Node.js outside of the PATH. */
async function otherNode(
  environment: Environment,
  services: StartServices,
  range: string | undefined,
): Promise<{ readonly file: string } | undefined> {
  return (await services.installedNode?.(environment, range)) ?? (await services.managedNode?.(range));
}

/** `npx`, `npm` or `node`, which no PATH has: those of a version manager, or of the managed Node.js. */
async function npmProgram(
  lookup: Lookup,
  environment: Environment,
  services: StartServices,
  name: string,
): Promise<{ readonly found: Found; readonly node: OwnNode } | undefined> {
  const { args } = lookup;
  const need = await nodeNeedOf({ script: undefined, args }, lookup.isRunner);
  const installed = await services.installedNode?.(environment, need.range);
  const beside = installed && (await findExecutable(path.join(path.dirname(installed.file), name), { cwd: lookup.cwd, environment }));
  if (installed && beside) {
    const program = await nodeProgramOf(beside.file, args);
    return { found: beside, node: { file: installed.file, args: program ? argumentsOf(program) : args, children: need.children } };
  }
  const node = await services.managedNode?.(need.range ?? NPM_RANGE);
  const script = name === 'node' ? undefined : node?.scripts[name as 'npm' | 'npx'];
  return (
    node && {
      found: { file: node.file, executable: true },
      node: { file: node.file, args: script === undefined ? args : [script, ...args], children: need.children },
    }
  );
}

function notFound({ params, command }: Lookup, shell: ShellFailure | undefined): Error {
  return shell && shell.reason !== 'none'
    ? fault('agent.not_found', { ...params, ...shellParams(command, shell) }, shellDetail(shell))
    : fault('agent.not_found', params);
}

function nodeFault({ params }: Lookup, range: string | undefined, version: Version | undefined, shell: ShellFailure | undefined): Error {
  const required = range === undefined ? undefined : minimumOf(range);
  if (version) {
    const known = { nodeVersion: versionText(version), ...(required !== undefined && { required }) };
    return fault('agent.spawn_failed', { ...params, cause: 'node_version', ...known });
  }
  return shell && shell.reason !== 'none'
    ? fault('agent.spawn_failed', { ...params, ...shellParams('Node.js', shell) }, shellDetail(shell))
    : fault('agent.spawn_failed', { ...params, cause: 'node_missing' });
}

function shellParams(needed: string, { shell }: ShellFailure): Readonly<Record<string, string>> {
  return { cause: 'shell', needed, shell };
}

function shellDetail({ detail }: ShellFailure): { detail?: string } {
  return detail === undefined ? {} : { detail };
}
