/** The permissions that the user has given for the rest of one session, as rules. */
import type { FileAccess } from '../core/model/roots';
import { isSameFile, type FileIdentity } from '../util/checkedFiles';
import type { Consents } from './consents';
import { isFile, isSteering } from './matching';
import type { CommandPart, FilePart, McpPart, PolicyRequest, Rule, RuleMatch, RuleOrigin, RuleSource } from './rule';

export class SessionPermissions implements RuleSource {
  /** The allowed files. A permission belongs to the file: another file at the same path needs a new question. */
  private readonly files: Record<FileAccess, FileIdentity[]> = { read: [], write: [] };
  private areChangesAllowed = false;
  private areCommandsAllowed = false;
  /** The allowed variables that decide what runs; see {@link steeringOf}. */
  private readonly steering = new Set<string>();

  /** The allowed tools of the editor. */
  private readonly tools = new Set<string>();

  /** @param identify returns the identity of the file at a real path */
  constructor(private readonly identify: (real: string) => Promise<FileIdentity | undefined>) {}

  allowFile(access: FileAccess, file: FileIdentity): void {
    this.files[access].push(file);
  }

  /** Allows all changes without a review. */
  allowChanges(): void {
    this.areChangesAllowed = true;
  }

  /** Allows all commands, but none whose environment has another variable that decides what runs. */
  allowCommands(command: CommandPart): void {
    this.areCommandsAllowed = true;
    steeringOf(command).forEach((each) => this.steering.add(each));
  }

  /** Allows a tool of the editor, with any input. */
  allowTool({ mcpTool }: McpPart): void {
    this.tools.add(mcpTool);
  }

  async rulesFor({ parts }: PolicyRequest): Promise<readonly Rule[]> {
    const commands = parts.filter((part) => part.kind === 'command');
    const areCovered = this.areCommandsAllowed && commands.every((command) => steeringOf(command).every((each) => this.steering.has(each)));
    const files = await Promise.all(
      parts.map((part) => (part.kind === 'read' || part.kind === 'write' ? this.fileRule(part, part.kind) : undefined)),
    );
    return [
      ...(areCovered ? [permission('commands', { kinds: ['command'] }, 'setting')] : []),
      ...(this.areChangesAllowed ? [permission('changes', { kinds: ['change'] }, 'setting')] : []),
      ...parts.flatMap((part) =>
        part.kind === 'mcp' && this.tools.has(part.mcpTool) ? permission(`tool:${part.mcpTool}`, { part }, 'setting') : [],
      ),
      ...files.filter((rule) => rule !== undefined),
    ];
  }

  private async fileRule({ path }: FilePart, access: FileAccess): Promise<Rule | undefined> {
    const allowed = this.files[access];
    const file = allowed.length > 0 ? await this.identify(path) : undefined;
    return file && allowed.some((each) => isSameFile(each, file))
      ? permission(`${access}:${path}`, { kinds: [access], file: path }, 'protected_path')
      : undefined;
  }
}

/** The files whose text the user has agreed to send. */
export function consentSource(consents: Pick<Consents, 'mayRead'>): RuleSource {
  return {
    rulesFor: async ({ parts }) => {
      const files = parts.filter((part) => isFile(part) && part.kind === 'send') as FilePart[];
      const agreed = await Promise.all(files.map(({ path }) => consents.mayRead(path)));
      return files
        .filter((_, at) => agreed[at])
        .map(
          ({ path }): Rule => ({
            id: `send:${path}`,
            effect: 'allow',
            match: { kinds: ['send'], file: path },
            reason: { code: 'read_consent' },
            origin: 'consent',
            answers: ['protected_path'],
          }),
        );
    },
  };
}

function permission(id: string, match: RuleMatch, answers: RuleOrigin): Rule {
  return { id, effect: 'allow', match, reason: { code: 'session_permission' }, origin: 'session', answers: [answers] };
}

/** Identifies the variables that decide what runs. The key includes the folder, because a relative path in a value depends on it. */
function steeringOf({ environment = [], cwd }: CommandPart): readonly string[] {
  return environment.filter(isSteering).map(({ name, value }) => JSON.stringify([name, value, cwd]));
}
