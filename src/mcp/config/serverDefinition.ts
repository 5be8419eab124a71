/**
 * The MCP servers of a file or a setting, checked one by one. A server that is not valid affects no other. Values still contain variables:
 * `variables.ts` replaces them.
 */
import { hasControl, hasHidden } from '../../text/characters/characters';
import { canonical, isPlainObject, type Plain, type PlainObject } from './plainJson';

/**
 * The form of a source: VS Code's `mcp.json` with `servers` and `inputs`, the `.mcp.json` with `mcpServers` and shell variables, or a setting with the
 * servers alone.
 */
export type SourceForm = 'vscode' | 'claude' | 'setting';

export interface StdioDefinition {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly cwd?: string;
}

export interface RemoteDefinition {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: the agent or the server's headers sign in. */
  readonly oauth?: OAuthDefinition;
}

/** The sign-in at a server: the client that the user has registered, and the scopes. */
export interface OAuthDefinition {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** The port of the address of return, for a client that is registered with one. */
  readonly callbackPort?: number;
}

export type ServerDefinition = StdioDefinition | RemoteDefinition;

/** A value that the user enters. */
export interface InputDefinition {
  readonly id: string;
  readonly type: 'promptString' | 'pickString';
  readonly description: string;
  readonly isPassword: boolean;
  readonly initial: string;
  /** The choices of a `pickString`. */
  readonly options: readonly string[];
}

/** A server as it is written. */
export interface WrittenServer {
  readonly name: string;
  /** The members as they are written, unchecked ones too. */
  readonly raw: Plain;
  /** Undefined when the server is not valid. */
  readonly definition?: ServerDefinition;
  /** The member that is not valid. */
  readonly problem?: string;
  /** True when the file itself switches the server off. */
  readonly isDisabled: boolean;
}

export interface WrittenServers {
  readonly servers: readonly WrittenServer[];
  readonly inputs: ReadonlyMap<string, InputDefinition>;
  /** The inputs as they are written, by id. */
  readonly rawInputs: ReadonlyMap<string, Plain>;
}

const MAX_SERVERS = 100;
const MAX_NAME = 200;
const MAX_ITEMS = 500;
const MAX_VALUE = 32_000;

/** Reads the servers of a source. Throws when the source as a whole has another form. */
export function readServers(source: Plain, form: SourceForm): WrittenServers {
  if (!isPlainObject(source)) {
    throw new Error('not an object');
  }
  const servers = form === 'setting' ? source : source[form === 'vscode' ? 'servers' : 'mcpServers'];
  if (servers !== undefined && !isPlainObject(servers)) {
    throw new Error(`${form === 'vscode' ? 'servers' : 'mcpServers'} is not an object`);
  }
  const entries = Object.entries(servers ?? {});
  if (entries.length > MAX_SERVERS) {
    throw new Error(`more than ${MAX_SERVERS} servers`);
  }
  return { servers: entries.map(([name, raw]) => readServer(name, raw)), ...readInputs(form === 'vscode' ? source['inputs'] : undefined) };
}

/** The exact text that the user agrees to: the server with the inputs that it uses. */
export function exactText({ name, raw }: WrittenServer, rawInputs: ReadonlyMap<string, Plain>): string {
  const used = inputsIn(raw).map((id) => rawInputs.get(id) ?? id);
  return `${JSON.stringify(name)}:${canonical(raw)}${used.length > 0 ? `,inputs:${canonical(used)}` : ''}`;
}

/** The ids of the inputs that a text or a definition names, each once. */
export function inputsIn(value: Plain): string[] {
  return [...new Set(textsIn(value).flatMap((text) => [...text.matchAll(/\$\{input:([^{}]{1,200})\}/g)].map(([, id]) => id!)))];
}

/** All texts of a value in the order of its {@link canonical} JSON, without the escapes of JSON. */
function textsIn(value: Plain): string[] {
  if (Array.isArray(value)) {
    return (value as readonly Plain[]).flatMap(textsIn);
  }
  if (isPlainObject(value)) {
    return Object.keys(value)
      .sort()
      .flatMap((name) => [name, ...textsIn(value[name]!)]);
  }
  return typeof value === 'string' ? [value] : [];
}

class Invalid extends Error {
  constructor(readonly member: string) {
    super(member);
  }
}

function readServer(name: string, raw: Plain): WrittenServer {
  const isDisabled = isPlainObject(raw) && (raw['disabled'] === true || raw['enabled'] === false);
  try {
    if (name.trim() === '' || name.length > MAX_NAME || hasControl(name) || hasHidden(name)) {
      throw new Invalid('name');
    }
    return { name, raw, isDisabled, definition: definitionOf(raw) };
  } catch (error) {
    return { name, raw, isDisabled, problem: error instanceof Invalid ? error.member : String(error) };
  }
}

function definitionOf(raw: Plain): ServerDefinition {
  if (!isPlainObject(raw)) {
    throw new Invalid('definition');
  }
  const type = typeOf(raw);
  if (type !== 'stdio') {
    const headers = texts(raw, 'headers');
    const signsIn = raw['oauth'] !== false && !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    return { type, url: text(raw, 'url'), headers, ...(signsIn && { oauth: oauthOf(raw['oauth']) }) };
  }
  const [envFile, cwd] = [optionalText(raw, 'envFile'), optionalText(raw, 'cwd')];
  return {
    type,
    command: text(raw, 'command'),
    args: list(raw, 'args'),
    env: texts(raw, 'env'),
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
  };
}

function oauthOf(raw: Plain | undefined): OAuthDefinition {
  if (raw === undefined || raw === null || raw === true) {
    return {};
  }
  if (!isPlainObject(raw)) {
    throw new Invalid('oauth');
  }
  const [clientId, clientSecret, scope] = [optionalText(raw, 'clientId'), optionalText(raw, 'clientSecret'), raw['scopes'] ?? raw['scope']];
  const scopes = typeof scope === 'string' ? scope.split(/\s+/).filter((each) => each !== '') : scope;
  const port = raw['callbackPort'];
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every((each) => typeof each === 'string' && /^[\x21-\x7e]+$/.test(each)))) {
    throw new Invalid('oauth.scopes');
  }
  if (port !== undefined && !(typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new Invalid('oauth.callbackPort');
  }
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes !== undefined && { scopes: scopes as string[] }),
    ...(port !== undefined && { callbackPort: port as number }),
  };
}

function typeOf(raw: PlainObject): ServerDefinition['type'] {
  const type = raw['type'] ?? (raw['command'] === undefined && raw['url'] !== undefined ? 'http' : 'stdio');
  switch (type) {
    case 'stdio':
    case 'local':
      return 'stdio';
    case 'http':
    case 'streamable-http':
    case 'streamableHttp':
      return 'http';
    case 'sse':
      return 'sse';
    default:
      throw new Invalid('type');
  }
}

function text(raw: PlainObject, member: string): string {
  const value = raw[member];
  if (typeof value !== 'string' || value.trim() === '') {
    throw new Invalid(member);
  }
  return checked(value, member);
}

function optionalText(raw: PlainObject, member: string): string | undefined {
  return raw[member] === undefined || raw[member] === null ? undefined : text(raw, member);
}

function list(raw: PlainObject, member: string): string[] {
  const value = raw[member] ?? [];
  if (!Array.isArray(value) || value.length > MAX_ITEMS) {
    throw new Invalid(member);
  }
  return (value as readonly Plain[]).map((item) => {
    if (typeof item !== 'string' && typeof item !== 'number') {
      throw new Invalid(member);
    }
    return checked(String(item), member);
  });
}

/** Reads names with values. A number is its text. A null removes a variable in VS Code, which the protocol cannot express. */
function texts(raw: PlainObject, member: string): Record<string, string> {
  const value = raw[member] ?? {};
  if (!isPlainObject(value) || Object.keys(value).length > MAX_ITEMS) {
    throw new Invalid(member);
  }
  const result: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, item] of Object.entries(value)) {
    if (item === null) {
      continue;
    }
    const isName = member === 'headers' ? /^[!#$%&'*+.^_`|~\w-]+$/.test(name) : name !== '' && !/[=\0\r\n]/.test(name);
    if (!isName || (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean')) {
      throw new Invalid(`${member}.${name}`);
    }
    const value = checked(String(item), `${member}.${name}`);
    if (member === 'headers' && /[\r\n]/.test(value)) {
      throw new Invalid(`${member}.${name}`);
    }
    result[name] = value;
  }
  return { ...result };
}

function checked(value: string, member: string): string {
  if (value.length > MAX_VALUE || value.includes('\0')) {
    throw new Invalid(member);
  }
  return value;
}

function readInputs(raw: Plain | undefined): Pick<WrittenServers, 'inputs' | 'rawInputs'> {
  const inputs = new Map<string, InputDefinition>();
  const rawInputs = new Map<string, Plain>();
  for (const each of Array.isArray(raw) ? (raw as readonly Plain[]).slice(0, MAX_ITEMS) : []) {
    if (isPlainObject(each) && typeof each['id'] === 'string' && !inputs.has(each['id'])) {
      const { id, type, description, password, default: initial, options } = each;
      rawInputs.set(id as string, each);
      if (type !== 'promptString' && type !== 'pickString') {
        continue; // An input of the type `command` runs a command of any extension.
      }
      inputs.set(id as string, {
        id: id as string,
        type,
        description: typeof description === 'string' ? description : '',
        isPassword: password === true,
        initial: typeof initial === 'string' ? initial : '',
        options: Array.isArray(options) ? (options as readonly Plain[]).slice(0, MAX_ITEMS).flatMap(optionOf) : [],
      });
    }
  }
  return { inputs, rawInputs };
}

function optionOf(option: Plain): string[] {
  const value = isPlainObject(option) ? option['value'] : option;
  return typeof value === 'string' ? [value] : [];
}
