/** The user's MCP servers for a session: sources read, consents and choices applied, variables replaced. A broken server affects no other. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { EDITOR_SERVER, type McpServer } from '../../core/mcp/mcpServer';
import type { LeftOut, LeftOutReason, ServerRequest, ServersOfSession } from '../../core/mcp/sessionServers';
import { isForeignShare } from '../../core/model/networkPath';
import { variablesIn } from '../../mcp/config/envFile';
import {
  exactText,
  inputsIn,
  type InputDefinition,
  readServers,
  type WrittenServer,
  type WrittenServers,
} from '../../mcp/config/serverDefinition';
import { LeftOutError, resolveOAuth, resolveServer } from '../../mcp/config/resolveServer';
import { MissingValue, type VariableValues, withValues } from '../../mcp/config/variables';
import type { ServerChoices } from './choices';
import type { Consents, ConsentSubject } from './consents';
import type { ServerInputs } from './serverInputs';
import { type ServerSignIns, type SignInSubject, withoutToken } from './serverSignIns';
import type { Folder } from './sourceFiles';
import type { ServerSource } from './sources';

export interface UserServersDependencies {
  readonly consents: Consents;
  readonly choices: ServerChoices;
  readonly inputs: ServerInputs;
  readonly signIns: Pick<ServerSignIns, 'authorize'>;
  /** See `readSources`. */
  sources(): Promise<readonly ServerSource[]>;
  folders(): readonly Folder[];
  /** True in Restricted Mode: no server of the workspace is passed. */
  isRestricted(): boolean;
  /** `acpHost.passMcpServers`. */
  passes(): 'all' | 'user' | 'off';
  readonly environment: (name: string) => string | undefined;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  /** Rejects for a file that cannot be read, or that is not an ordinary file of a limited size. */
  readFile(file: string): Promise<string>;
  findProgram(command: string, folder: string, env: Readonly<Record<string, string>>, request: ServerRequest): Promise<string | undefined>;
}

/** A server of a source, and the outcome for one session. */
export interface PlannedServer {
  /** The source and the name: stable, for choices. */
  readonly key: string;
  readonly name: string;
  readonly source: ServerSource;
  readonly written: WrittenServer;
  /** The server that is passed. */
  readonly server?: McpServer;
  readonly reason?: LeftOutReason;
  readonly detail?: string;
  /** For `not_agreed`: the text to agree to, and the members that have changed since the user agreed. */
  readonly subject?: ConsentSubject;
  readonly changed?: readonly string[];
  /** For `input_missing`: all inputs of the server without a value. */
  readonly inputs?: readonly InputDefinition[];
  /** For `sign_in`, and for a server that the user has signed in at. */
  readonly signIn?: SignInSubject;
}

export interface ServerPlan {
  readonly servers: readonly PlannedServer[];
  /** Sources that cannot be read at all. */
  readonly broken: readonly { readonly source: ServerSource; readonly problem: string }[];
}

/** The longest text that a question can show in full. */
export const MAX_CONSENT_TEXT = 4000;

export class UserServers {
  constructor(private readonly deps: UserServersDependencies) {}

  /** Returns all servers with their outcome. Asks nothing. */
  async plan(request: ServerRequest): Promise<ServerPlan> {
    const { deps } = this;
    const passes = deps.passes();
    const sources = passes === 'off' ? [] : (await deps.sources()).filter((source) => passes === 'all' || !source.needsConsent);
    const off = deps.choices.off(request.agentId, request.key);
    const only = deps.choices.only(request.key);
    const isOff = (key: string, name: string): boolean => off.has(key) || (only !== undefined && !only.has(name));
    const servers: PlannedServer[] = [];
    const broken: { source: ServerSource; problem: string }[] = [];
    for (const source of sources) {
      if (source.content === undefined) {
        broken.push({ source, problem: source.problem ?? '' });
        continue;
      }
      let written: WrittenServers;
      try {
        written = readServers(source.content, source.form);
      } catch (error) {
        broken.push({ source, problem: error instanceof Error ? error.message : String(error) });
        continue;
      }
      // Each may ask its server whether the user is signed in.
      servers.push(...(await Promise.all(written.servers.map((each) => this.planned(each, written, source, request, isOff)))));
    }
    return { servers: withoutDuplicates(servers), broken };
  }

  private async planned(
    written: WrittenServer,
    { inputs, rawInputs }: WrittenServers,
    source: ServerSource,
    request: ServerRequest,
    isOff: (key: string, name: string) => boolean,
  ): Promise<PlannedServer> {
    const { deps } = this;
    const { name, definition } = written;
    const key = `${source.id}\n${name}`;
    const known = { key, name, source, written };
    const leftOut = (reason: LeftOutReason, detail?: string): PlannedServer => ({
      ...known,
      reason,
      ...(detail !== undefined && { detail }),
    });
    if (isOff(key, name) || written.isDisabled) {
      return leftOut('switched_off');
    }
    if (!definition) {
      return leftOut('invalid', written.problem ?? '');
    }
    if (source.needsConsent && deps.isRestricted()) {
      return leftOut('restricted');
    }
    // The same bytes are shown, agreed to, and used.
    const files = new Map<string, Promise<string>>();
    const readFile = (file: string): Promise<string> => {
      const content = files.get(file) ?? deps.readFile(file);
      files.set(file, content);
      return content;
    };
    const values = await this.values(source, request, inputs, inputsIn(written.raw));
    const entered = inputsIn(written.raw).flatMap((id) => values.input(id)?.value || []);
    // The conversation records the reason.
    const failed = (detail: string): PlannedServer =>
      leftOut(
        'failed',
        entered.reduce((text, value) => text.replaceAll(value, '[redacted]'), detail),
      );
    const baseFolder = values.workspaceFolder ?? request.roots.cwd;
    if (source.needsConsent) {
      const question = await this.consent(written, source, exactText(written, rawInputs), values, baseFolder, readFile);
      if (question) {
        return { ...known, ...question };
      }
    }
    if (!request.capabilities[definition.type]) {
      return leftOut('unsupported');
    }
    const missing = inputsIn(written.raw).filter((id) => values.hasInput(id) && !values.input(id));
    if (missing.length > 0) {
      return { ...leftOut('input_missing', missing.join(', ')), inputs: missing.map((id) => inputs.get(id) ?? passwordInput(id)) };
    }
    try {
      const { userHome: _, environment: __, ...others } = deps;
      const server = await resolveServer(name, definition, {
        ...others,
        values,
        baseFolder,
        sessionFolder: request.roots.cwd,
        readFile,
        findProgram: (command, folder, env) => deps.findProgram(command, folder, env, request),
      });
      const oauth = 'oauth' in definition ? definition.oauth : undefined;
      if (!oauth || server.type === 'stdio' || server.type === 'acp') {
        return { ...known, server };
      }
      const signIn = { sourceId: source.id, name, server, oauth: resolveOAuth(oauth, values) };
      const authorization = await deps.signIns.authorize(signIn);
      switch (authorization.type) {
        case 'open':
          return { ...known, server };
        case 'signed_in':
          return { ...known, server: authorization.server, signIn };
        case 'sign_in':
          return { ...leftOut('sign_in'), signIn };
        case 'failed':
          return failed(authorization.detail);
      }
    } catch (error) {
      return error instanceof LeftOutError ? leftOut(error.reason, error.detail) : failed(String(error));
    }
  }

  /** Returns the reason why the server may not be passed; undefined when the user has agreed to it. */
  private async consent(
    { name, raw, definition }: WrittenServer,
    source: ServerSource,
    text: string,
    values: VariableValues,
    baseFolder: string,
    readFile: (file: string) => Promise<string>,
  ): Promise<Pick<PlannedServer, 'reason' | 'detail' | 'subject' | 'changed'> | undefined> {
    if (text.length > MAX_CONSENT_TEXT) {
      return { reason: 'invalid', detail: 'definition' };
    }
    let envFile: string | undefined;
    if (definition?.type === 'stdio' && definition.envFile !== undefined) {
      try {
        const file = path.resolve(baseFolder, withValues(definition.envFile, values, []));
        // A share would be contacted, with the user's credentials, before the user has agreed.
        if (isForeignShare(file, [baseFolder])) {
          return { reason: 'unreadable', detail: definition.envFile };
        }
        envFile = await readFile(file);
      } catch (error) {
        // The reason is reported when the user has agreed to the server.
        envFile = error instanceof MissingValue ? error.detail : '';
      }
    }
    // The question names the variables, and shows all or none.
    if (variablesIn(envFile ?? '').join(', ').length > MAX_CONSENT_TEXT) {
      return { reason: 'invalid', detail: 'envFile' };
    }
    const subject: ConsentSubject = { sourceId: source.id, name, text, raw, ...(envFile !== undefined && { envFile }) };
    const consent = this.deps.consents.of(subject);
    switch (consent.type) {
      case 'agreed':
        return undefined;
      case 'denied':
        return { reason: 'switched_off', subject };
      case 'changed':
        return { reason: 'not_agreed', subject, changed: consent.members };
      case 'new':
        return { reason: 'not_agreed', subject };
    }
  }

  private async values(
    source: ServerSource,
    { roots }: ServerRequest,
    inputs: ReadonlyMap<string, InputDefinition>,
    ids: readonly string[],
  ): Promise<VariableValues> {
    const { deps } = this;
    const folders = deps.folders();
    const hasInput = (id: string): boolean => inputs.has(id) || source.form === 'setting';
    const entered = new Map<string, { value: string; isPassword: boolean }>();
    for (const id of ids.filter(hasInput)) {
      const value = await deps.inputs.get({ sourceId: source.id, id });
      if (value !== undefined) {
        entered.set(id, { value, isPassword: (inputs.get(id) ?? passwordInput(id)).isPassword });
      }
    }
    const around = folders.find(({ path: folder }) => roots.cwd === folder || roots.cwd.startsWith(folder + path.sep));
    return {
      form: source.form,
      environment: deps.environment,
      workspaceFolder: source.folder ?? around?.path ?? (roots.cwd === '' ? undefined : roots.cwd),
      folders: new Map(folders.map(({ name, path: folder }) => [name, folder])),
      userHome: deps.userHome,
      pathSeparator: path.sep,
      input: (id) => entered.get(id),
      hasInput,
    };
  }
}

/** The setting declares no inputs, so any input in it is a password. */
export function passwordInput(id: string): InputDefinition {
  return { id, type: 'promptString', description: id, isPassword: true, initial: '', options: [] };
}

/**
 * Agents find servers by name, and the user's rules allow tools by it. A server of the workspace gets neither the name of the editor's server nor that
 * of a server of the user, also when that one is not passed. A server that is written twice in the same way is passed once, without a notice.
 */
function withoutDuplicates(servers: readonly PlannedServer[]): PlannedServer[] {
  const passed = new Map<string, string>();
  const own = servers.filter(({ source }) => !source.needsConsent);
  const reserved = new Set([EDITOR_SERVER, ...own.map(({ name }) => name)].map(agentName));
  return servers.flatMap((each): PlannedServer[] => {
    if (!each.server) {
      return [each];
    }
    if (each.source.needsConsent && reserved.has(agentName(each.name)) && !passed.has(each.name)) {
      const { server: _, ...others } = each;
      return [{ ...others, reason: 'duplicate_name' }];
    }
    const text = JSON.stringify(each.server);
    const earlier = passed.get(each.name);
    if (earlier === undefined) {
      passed.set(each.name, text);
      return [each];
    }
    const { server: _, ...others } = each;
    return earlier === text ? [] : [{ ...others, reason: 'duplicate_name' }];
  });
}

/** Returns the name as agents may show it: they replace characters, and some compare without regard to case. */
function agentName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').toLowerCase();
}

/** The plan as a session gets it. */
export function serversOf({ servers, broken }: ServerPlan): ServersOfSession {
  return {
    servers: servers.flatMap(({ server }) => server ?? []),
    leftOut: [
      ...servers.flatMap(({ name, reason, detail }): LeftOut[] =>
        reason ? [{ name, reason, ...(detail !== undefined && { detail }) }] : [],
      ),
      ...broken.map(({ source, problem }): LeftOut => ({ name: source.label, reason: 'failed', detail: problem })),
    ],
  };
}

/** Identifies what a session was passed, without its secrets. */
export function fingerprintOf(servers: readonly McpServer[]): string {
  return createHash('sha256').update(JSON.stringify(servers)).digest('hex');
}

/** The same for servers whose tokens alone differ. */
export function shapeOf(servers: readonly McpServer[]): string {
  return fingerprintOf(servers.map((each) => (each.type === 'http' || each.type === 'sse' ? withoutToken(each) : each)));
}
