/**
 * Reads the entries of a registry. Nothing in them is trusted: texts are cut and have no control characters, addresses are https, packages name an
 * exact version. Unknown fields are allowed, because newer registries have more. A mistake refuses only its own entry. Pure.
 */
import { hasControls, withoutControls } from '../text/characters/characters';
import { Fault, type Failure } from '../core/model/failure';
import { isUnsafeVariable } from '../core/approval/unsafeVariables';
import { identityOf } from '../core/agents/registryTwins';
import { safeAddress } from './http';
import { refusal } from './registryReasons';
import type { BinaryWay, InstallWay, PackageWay, RegistryAgent } from './types';

/** An entry, and the address of its icon. */
export interface ParsedManifest {
  readonly agent: RegistryAgent;
  readonly iconUrl?: string;
}

const MAX = {
  id: 64,
  name: 100,
  version: 64,
  description: 2000,
  author: 200,
  authors: 20,
  license: 100,
  cmd: 400,
  args: 64,
  arg: 4096,
  env: 64,
};
const PLATFORMS = ['darwin-aarch64', 'darwin-x86_64', 'linux-aarch64', 'linux-x86_64', 'windows-aarch64', 'windows-x86_64'];
const ID = /^[a-z][a-z0-9-]*$/;
const VERSION = /^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$/;
const NPM_NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~][\w.~-]*/i;
/** SemVer: npm takes any other text, such as `1.0.0.1`, for a tag that its owner can move to another version. */
const NPM_VERSION = /^@\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const PYPI_NAME = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\[[\w,.-]+\])?/;
const PYPI_VERSION = /^(?:@|==)\d+[0-9A-Za-z.!+-]*$/;
const PROGRAM = /^[A-Za-z0-9_][\w.-]*$/;
const VARIABLE = /^[A-Za-z_]\w*$/;
/** Variables of {@link isUnsafeVariable} that load no code and name no server. */
const HARMLESS = /^(?:NODE_(?:ENV|NO_WARNINGS)|PYTHON(?:UNBUFFERED|UTF8|IOENCODING|DONTWRITEBYTECODE|WARNINGS))$/i;

type Fields = Readonly<Record<string, unknown>>;

/** @param list the value of `agents` in a registry @param platform such as `linux-x86_64` */
export function parseManifests(list: readonly unknown[], origin: string, platform: string | undefined): ParsedManifest[] {
  const seen = new Set<string>();
  return list.map((entry, index) => parseManifest(entry, { origin, platform, index, seen }));
}

interface Context {
  readonly origin: string;
  readonly platform: string | undefined;
  readonly index: number;
  readonly seen: Set<string>;
}

function parseManifest(entry: unknown, { origin, platform, index, seen }: Context): ParsedManifest {
  const fields: Fields = isRecord(entry) ? entry : {};
  const ownId = typeof fields['id'] === 'string' && fields['id'].length <= MAX.id && ID.test(fields['id']) ? fields['id'] : undefined;
  const isDuplicate = ownId !== undefined && seen.has(ownId);
  const id = ownId === undefined ? `#${index}` : isDuplicate ? `${ownId}#${index}` : ownId;
  seen.add(id);
  let ways: readonly InstallWay[] = [];
  let problem: Failure | undefined;
  try {
    if (!isRecord(entry)) {
      throw new Fault(refusal('not_an_object'));
    }
    require(fields, 'id', ownId !== undefined);
    require(fields, 'name', line(fields['name'], MAX.name) !== '');
    require(fields, 'version', isText(fields['version'], MAX.version) && VERSION.test(fields['version']));
    require(fields, 'description', line(fields['description'], MAX.description) !== '');
    require(fields, 'distribution', isRecord(fields['distribution']));
    if (isDuplicate) {
      throw new Fault(refusal('duplicate', 'id'));
    }
    ways = waysOf(fields['distribution'] as Fields, platform);
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    problem = error.failure;
  }
  const icon = typeof fields['icon'] === 'string' ? safeAddress(fields['icon'], origin)?.href : undefined;
  const authors = Array.isArray(fields['authors']) ? fields['authors'].slice(0, MAX.authors) : [];
  const agent: RegistryAgent = {
    id,
    agentId: identityOf(id, origin),
    name: line(fields['name'], MAX.name) || id,
    version: line(fields['version'], MAX.version),
    description: line(fields['description'], MAX.description),
    ...given('license', line(fields['license'], MAX.license)),
    ...given('licenseUrl', page(fields['license_url'])),
    ...given('website', page(fields['website'])),
    ...given('repository', page(fields['repository'])),
    authors: authors.map((author) => line(author, MAX.author)).filter((author) => author !== ''),
    origin,
    ways,
    ...(problem && { problem }),
  };
  // An icon of another host would report each reader of the list to that host.
  const isOwn = icon !== undefined && new URL(icon).origin === new URL(origin).origin;
  return { agent, ...(isOwn && { iconUrl: icon }) };
}

/** Returns the ways of this platform. A package comes first: its manager checks it and honours the user's mirror. */
function waysOf(distribution: Fields, platform: string | undefined): InstallWay[] {
  const npx = distribution['npx'] === undefined ? [] : [packageWay('npx', distribution['npx'])];
  const uvx = distribution['uvx'] === undefined ? [] : [packageWay('uvx', distribution['uvx'])];
  const binary = distribution['binary'];
  const targets: BinaryWay[] = [];
  if (binary !== undefined) {
    if (!isRecord(binary)) {
      throw new Fault(refusal('invalid', 'distribution.binary'));
    }
    for (const [name, target] of Object.entries(binary)) {
      // Platforms of newer registries are ignored.
      if (PLATFORMS.includes(name)) {
        const way = binaryWay(target, `distribution.binary.${name}`);
        targets.push(...(name === platform ? [way] : []));
      }
    }
  }
  if (npx.length + uvx.length === 0 && binary === undefined) {
    throw new Fault(refusal('missing', 'distribution'));
  }
  return [...npx, ...targets, ...uvx];
}

function packageWay(kind: 'npx' | 'uvx', value: unknown): PackageWay {
  const field = `distribution.${kind}`;
  if (!isRecord(value)) {
    throw new Fault(refusal('invalid', field));
  }
  const { package: spec, cmd } = value;
  const [nameRule, versionRule] = kind === 'npx' ? [NPM_NAME, NPM_VERSION] : [PYPI_NAME, PYPI_VERSION];
  const name = isText(spec, 300) ? nameRule.exec(spec)?.[0] : undefined;
  const version = name === undefined ? '' : (spec as string).slice(name.length);
  if (name === undefined || !/^(?:@|==|$)/.test(version) || version.includes('/')) {
    throw new Fault(refusal(spec === undefined ? 'missing' : 'invalid', `${field}.package`));
  }
  if (!versionRule.test(version)) {
    throw new Fault(refusal('not_pinned', `${field}.package`));
  }
  if (cmd !== undefined && !(isText(cmd, MAX.cmd) && PROGRAM.test(cmd))) {
    throw new Fault(refusal('invalid', `${field}.cmd`));
  }
  return { kind, package: spec as string, ...(cmd !== undefined && { cmd }), ...argsAndEnv(value, field) };
}

function binaryWay(value: unknown, field: string): BinaryWay {
  if (!isRecord(value)) {
    throw new Fault(refusal('invalid', field));
  }
  const { archive, cmd, sha256 } = value;
  require(value, 'archive', isText(archive, 4096) && safeAddress(archive) !== undefined, field);
  const program = isText(cmd, MAX.cmd) ? relativeProgram(cmd) : undefined;
  require(value, 'cmd', program !== undefined, field);
  require(value, 'sha256', sha256 === undefined || (isText(sha256, 64) && /^[0-9a-f]{64}$/i.test(sha256)), field);
  return {
    kind: 'binary',
    archive: archive as string,
    ...(sha256 !== undefined && { sha256: (sha256 as string).toLowerCase() }),
    cmd: program!,
    ...argsAndEnv(value, field),
  };
}

/** Returns the path with slashes; undefined for a path that leaves its folder. Entries for Windows mix both separators. */
function relativeProgram(cmd: string): string | undefined {
  const parts = cmd
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.');
  const isInside = parts.length > 0 && parts.every((part) => part !== '' && part !== '..' && !/[:*?"<>|]/.test(part) && !hasControls(part));
  return isInside ? parts.join('/') : undefined;
}

function argsAndEnv(value: Fields, field: string): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const { args = [], env = {} } = value;
  const areArgs = Array.isArray(args) && args.length <= MAX.args && args.every((each) => isText(each, MAX.arg));
  require(value, 'args', areArgs, field);
  const isEnv = isRecord(env) && Object.keys(env).length <= MAX.env;
  require(value, 'env', isEnv && Object.entries(env).every(([name, each]) => isOwnVariable(name) && isText(each, MAX.arg)), field);
  return { args: [...(args as string[])], env: { ...(env as Record<string, string>) } };
}

/** False for variables that run or trust other code than that of the named version, such as `NODE_OPTIONS` and `PATH`. */
function isOwnVariable(name: string): boolean {
  return VARIABLE.test(name) && (!isUnsafeVariable(name) || HARMLESS.test(name)) && !/^(?:ACP_HOST_|__proto__$)/i.test(name);
}

function require(fields: Fields, name: string, isValid: boolean, path?: string): void {
  if (!isValid) {
    throw new Fault(refusal(fields[name] === undefined ? 'missing' : 'invalid', path === undefined ? name : `${path}.${name}`));
  }
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max && !value.includes('\0');
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text on one line, without control characters. */
function line(value: unknown, max: number): string {
  return typeof value === 'string'
    ? withoutControls(value.slice(0, max * 2), ' ')
        .replace(/\s+/gu, ' ')
        .trim()
        .slice(0, max)
    : '';
}

/** Returns the address of a page. Others, such as `javascript:`, are dropped: these fields only inform. */
function page(value: unknown): string {
  const url = typeof value === 'string' ? safeAddress(value) : undefined;
  return url?.protocol === 'https:' ? url.href : '';
}

function given<Name extends string>(name: Name, value: string): { readonly [Key in Name]?: string } {
  return value === '' ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}
