/** The user's servers over storage in memory and files by name. */
import { ServerChoices } from '../../../../src/application/mcp/choices';
import { type ConsentStorage, Consents } from '../../../../src/application/mcp/consents';
import { type InputSecrets, ServerInputs } from '../../../../src/application/mcp/serverInputs';
import { readSources, type SourceFacts } from '../../../../src/application/mcp/sources';
import { UserServers, type UserServersDependencies } from '../../../../src/application/mcp/userServers';
import type { ServerRequest } from '../../../../src/core/mcp/sessionServers';

export const FACTS: SourceFacts = {
  folders: [{ name: 'w', path: '/w' }],
  workspaceFile: undefined,
  profileFolder: '/user',
  isRemote: false,
  own: { folders: [] },
  editor: {},
};

export const REQUEST: ServerRequest = {
  key: 'S',
  agentId: 'agent',
  agentName: 'Agent',
  roots: { cwd: '/w', additionalDirectories: [] },
  capabilities: { stdio: true, http: true, sse: false, acp: false },
};

/** The storage of VS Code, which is a file. */
export class FakeStorage implements ConsentStorage {
  readonly stored = new Map<string, unknown>();
  get(key: string): unknown {
    return structuredClone(this.stored.get(key));
  }
  async update(key: string, value: unknown): Promise<void> {
    this.stored.set(key, structuredClone(value));
  }
}

export class FakeSecrets implements InputSecrets {
  readonly kept = new Map<string, string>();
  isBroken = false;
  async get(key: string): Promise<string | undefined> {
    this.check();
    return this.kept.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.check();
    this.kept.set(key, value);
  }
  async delete(key: string): Promise<void> {
    this.check();
    this.kept.delete(key);
  }
  private check(): void {
    if (this.isBroken) {
      throw new Error('no secret storage');
    }
  }
}

/** @param files their texts, by path. Can be changed. */
export function userServers(
  files: Record<string, string>,
  facts: Partial<SourceFacts> = {},
  others: Partial<UserServersDependencies> = {},
) {
  const storage = new FakeStorage();
  const secrets = new FakeSecrets();
  const [consents, choices, inputs] = [new Consents(storage), new ServerChoices(storage), new ServerInputs(secrets, storage)];
  const state = { isRestricted: false, read: [] as string[], programs: [] as string[] };
  const readFile = async (file: string): Promise<string> => {
    state.read.push(file);
    if (!Object.hasOwn(files, file)) {
      throw new Error('ENOENT');
    }
    return files[file]!;
  };
  const servers = new UserServers({
    consents,
    choices,
    inputs,
    signIns: { authorize: async ({ server }) => ({ type: 'open', server }) },
    sources: () => readSources({ ...FACTS, ...facts }, async (file) => (Object.hasOwn(files, file) ? files[file] : undefined)),
    folders: () => facts.folders ?? FACTS.folders,
    isRestricted: () => state.isRestricted,
    passes: () => 'all',
    environment: (name) => ({ TOKEN: 'env-token' })[name],
    userHome: '/home/me',
    platform: 'linux',
    readFile,
    findProgram: async (command) => {
      state.programs.push(command);
      return command === 'missing' ? undefined : `/bin/${command}`;
    },
    ...others,
  });
  return { servers, storage, secrets, consents, choices, inputs, state, files };
}

export const mcpJson = (servers: object, inputs: object[] = []): string => JSON.stringify({ servers, inputs });
