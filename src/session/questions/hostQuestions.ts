/** The host's own questions to the user: about protected files, held writes, and commands that the agent did not ask for. */
import { isSteeringVariable } from '../../core/approval/steeringVariables';
import type { AskReason, EnvironmentVariable, FileChange, PermissionOption, PermissionSubject } from '../../core/model/content';
import { fault, type Fault } from '../../core/model/failure';
import type { Roots } from '../../core/model/ports';
import * as faults from '../../fs/faults';
import { ProtectedPaths } from '../../fs/protection/protectedPaths';
import type { ProtectedRules } from '../../fs/protection/protectedRules';
import type { FileOperation, ProposedWrite } from '../../fs/fileService';
import { identityOf, isSameFile, type FileIdentity } from '../../util/checkedFiles';
import type { CommandOperation } from '../../terminal/terminalService';
import type { CommandAsking } from './commandAsking';
import type { Consents } from './consents';
import type { Permissions } from './permissions';

/** The texts of the host's questions in the user's language. They are part of the conversation, like those of an agent's own request. */
export interface QuestionWords {
  title(reason: AskReason): string;
  once(): string;
  session(reason: AskReason): string;
  reject(): string;
  /** The title for a change that waits until the user has read it. @param name of the file */
  changeTitle(name: string): string;
  acceptChange(): string;
  acceptChangesInSession(): string;
}

/** The preview of a change that is held until the user has reviewed it, besides its card. */
export interface WritePreview {
  /** The text, with the user's edits. */
  text(): string;
  /** Closes the preview after the decision. @param accepted the text that is written now; undefined when nothing is written */
  end(accepted: string | undefined): void;
}

export interface WritePreviews {
  /** Shows a preview without moving the focus. @param decide called when the user accepts or rejects the change there */
  show(roots: Roots, write: ProposedWrite, decide: (accepted: boolean) => void): WritePreview;
}

export interface QuestionDependencies {
  readonly questionWords: QuestionWords;
  /** The user's rules as they are now. */
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
  /** The user's setting for this agent. */
  commandAsking(agentId: string, agentName: string): CommandAsking;
  /** Identifies the file at a real path. Absent: the one on disk. */
  identityOf?(real: string): Promise<FileIdentity | undefined>;
  /** Undefined while changes are not held for review. */
  writePreviews?(): Promise<WritePreviews | undefined>;
}

interface HostQuestionDependencies {
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: Roots;
  readonly ports: QuestionDependencies;
  readonly permissions: Permissions;
  readonly consents: Consents;
}

/** The rule that requires a question about a file. */
interface Protection {
  readonly rule: string;
  /** True when the rule protects only reading, and the write would replace the file. */
  readonly overwrites: boolean;
}

const ONCE = 'allow';
const SESSION = 'allow_session';
/** Allows all writes. */
const WRITES = 'writes';
/** Allows all commands, in an environment that the user has seen; see {@link HostQuestions.aboutCommand}. */
const COMMANDS = 'commands';

export class HostQuestions {
  /** The kinds of request that the user has allowed for the session. */
  private readonly allowed = new Set<typeof WRITES | typeof COMMANDS>();
  /** The files that the user has allowed for the session. The permission belongs to the file: another file at the same path needs a new question. */
  private readonly allowedFiles: Record<FileOperation['access'], FileIdentity[]> = { read: [], write: [] };

  /** The variables that decide what runs and that the user has allowed for the session; see {@link steeringOf}. */
  private readonly allowedSteering = new Set<string>();

  constructor(private readonly dependencies: HostQuestionDependencies) {}

  /**
   * Resolves to true when the user was asked and agreed, to false when no question was needed.
   * @throws Fault `fs.protected`, `fs.led_elsewhere`, `request.cancelled`
   */
  async aboutFile(operation: FileOperation, signal: AbortSignal | undefined): Promise<boolean> {
    const { roots, ports, consents } = this.dependencies;
    const { access, asked, path } = operation;
    const identify = (): Promise<FileIdentity | undefined> => (ports.identityOf ?? identityOf)(path);
    const paths = new ProtectedPaths(roots, await ports.protectedRules());
    const found = await paths.ruleFor(asked, path, access);
    const readRule = access === 'write' ? await paths.ruleFor(asked, path, 'read') : undefined;
    if (found === undefined && readRule === undefined) {
      return false;
    }
    const file = await identify();
    if (file && this.allowedFiles[access].some((each) => isSameFile(each, file))) {
      return false;
    }
    const present = access === 'write' ? await operation.present() : undefined;
    const protection = protectionOf(found, readRule, present);
    if (!protection) {
      return false;
    }
    const { rule, overwrites } = protection;
    if (access === 'write' && (await paths.isProtectedByName(path, overwrites ? 'read' : access))) {
      if (this.wasShown(path, operation.content ?? '', present)) {
        return true;
      }
    }
    const reason: AskReason = {
      type: 'protected_path',
      access,
      rule,
      path: asked,
      ...(path !== asked && { target: path }),
      ...(overwrites && { overwrites }),
    };
    // The conversation must not hold text that needs a question before it is read.
    const before = readRule === undefined ? present : undefined;
    const optionId = await this.ask(fileSubject(reason, operation, before), signal, file !== undefined);
    const isForSession = this.isAllowed(optionId, () =>
      fault(
        'fs.protected',
        { path: asked, rule },
        {
          message: `The user did not allow you to ${access} ${asked}: it is protected by the rule ${rule} of their settings.`,
        },
      ),
    );
    const now = await identify();
    if (file && !(now && isSameFile(file, now))) {
      throw faults.movedMeanwhile(asked);
    }
    if (isForSession && file) {
      this.allowedFiles[access].push(file);
      void (access === 'read' && consents.agree(file));
    }
    return true;
  }

  /**
   * Holds a write until the user has accepted it, if they have enabled that. Resolves to the text to write, which the user may have edited;
   * undefined when no question was needed.
   * @throws Fault `fs.rejected`, `request.cancelled`
   */
  async aboutWrite(write: ProposedWrite, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { roots, ports, permissions, consents } = this.dependencies;
    const { asked, path, before, after, content } = write;
    const previews = this.allowed.has(WRITES) ? undefined : await ports.writePreviews?.();
    if (!previews || this.wasShown(path, content, before)) {
      return undefined;
    }
    const { questionWords: words } = ports;
    const paths = new ProtectedPaths(roots, await ports.protectedRules());
    const isHidden = (await paths.ruleFor(asked, path, 'read')) !== undefined && !(await consents.mayRead(path));
    // The conversation must not hold text that needs a question before it is read.
    const texts = isHidden ? { newText: content } : { oldText: before, newText: after };
    const change = { operation: before === null ? 'add' : 'modify', path, ...texts };
    const question = {
      title: words.changeTitle(path.split(/[\\/]/).at(-1)!),
      options: [
        { optionId: ONCE, name: words.acceptChange(), kind: 'allow_once' },
        { optionId: SESSION, name: words.acceptChangesInSession(), kind: 'allow_always' },
        { optionId: 'reject', name: words.reject(), kind: 'reject_once' },
      ],
      subject: { kind: 'edit', content: [{ type: 'diff' as const, changes: [change] }] },
      isCardOnly: true,
    };
    let preview: WritePreview | undefined = undefined;
    let text: string | undefined = undefined;
    try {
      const optionId = await permissions.question(question, signal, (answer) => {
        preview = previews.show(roots, write, (accepted) => answer(accepted ? ONCE : 'reject'));
      });
      const isForSession = this.isAllowed(optionId, () =>
        fault('fs.rejected', { path: asked }, { message: `The user rejected this change. Nothing was written to ${asked}.` }),
      );
      void (isForSession && this.allowed.add(WRITES));
      return (text = (preview as WritePreview | undefined)?.text());
    } finally {
      (preview as WritePreview | undefined)?.end(text);
    }
  }

  /**
   * Like {@link aboutFile}. An answer for the session does not cover a command whose environment has another variable that decides what runs.
   * @throws Fault `terminal.refused`, `request.cancelled`
   */
  async aboutCommand({ command, cwd, environment, program }: CommandOperation, signal: AbortSignal | undefined): Promise<boolean> {
    const { agentId, agentName, ports, permissions } = this.dependencies;
    const asking = ports.commandAsking(agentId, agentName);
    const isPermitted = asking === 'unlessPermitted' && permissions.allowedInTurn !== undefined;
    const steering = steeringOf(environment, cwd);
    const isAllowed = this.allowed.has(COMMANDS) && steering.every((each) => this.allowedSteering.has(each));
    if (asking === 'never' || isPermitted || isAllowed) {
      return false;
    }
    const reason: AskReason = { type: 'command', unasked: asking === 'unlessPermitted', variables: environment.map(({ name }) => name) };
    const runs = { command, cwd, ...(environment.length > 0 && { environment }), ...(program !== undefined && { program }) };
    const optionId = await this.ask({ reason, kind: 'execute', ...runs }, signal);
    const isForSession = this.isAllowed(optionId, () =>
      fault('terminal.refused', { command }, { message: 'The user did not allow this command to run.' }),
    );
    if (isForSession) {
      this.allowed.add(COMMANDS);
      steering.forEach((each) => this.allowedSteering.add(each));
    }
    return true;
  }

  /** @param canLast false leaves out the answer for the whole session */
  private ask(
    subject: PermissionSubject & { readonly reason: AskReason },
    signal: AbortSignal | undefined,
    canLast = true,
  ): Promise<string | undefined> {
    const { questionWords: words } = this.dependencies.ports;
    const options: PermissionOption[] = [
      { optionId: ONCE, name: words.once(), kind: 'allow_once' },
      ...(canLast ? [{ optionId: SESSION, name: words.session(subject.reason), kind: 'allow_always' }] : []),
      { optionId: 'reject', name: words.reject(), kind: 'reject_once' },
    ];
    return this.dependencies.permissions.question({ title: words.title(subject.reason), options, subject }, signal);
  }

  /**
   * Returns true when the answer holds for the session, false when it holds once.
   * @throws `refusal` when the user refused, Fault `request.cancelled`
   */
  private isAllowed(optionId: string | undefined, refusal: () => Fault): boolean {
    if (optionId === undefined) {
      throw fault('request.cancelled', undefined, { rpcCode: -32800, message: 'Cancelled' });
    }
    if (optionId !== SESSION && optionId !== ONCE) {
      throw refusal();
    }
    return optionId === SESSION;
  }

  /** True when the user has allowed exactly this text for this file, by its real path, in a request of the agent in this turn. */
  private wasShown(path: string, content: string, before: string | null | undefined): boolean {
    const { permissions } = this.dependencies;
    const change = permissions.allowedInTurn?.find((each) => each.path === path && wholeText(each, before) === content);
    if (change) {
      permissions.spend(change);
    }
    return change !== undefined;
  }
}

/** Returns the reason for a question; undefined when a write would create a file that only a rule for reading protects. */
function protectionOf(rule: string | undefined, readRule: string | undefined, present: string | null | undefined): Protection | undefined {
  if (rule !== undefined) {
    return { rule, overwrites: false };
  }
  return readRule === undefined || present === null ? undefined : { rule: readRule, overwrites: true };
}

/**
 * Returns the text of a file after a change that an agent described, whole or as one passage. Undefined when the description does not fit the file,
 * because the user has then seen another change than the one that would be made.
 */
function wholeText({ newText, oldText }: FileChange, before: string | null | undefined): string | undefined {
  if (!oldText || before === null) {
    return !oldText && !before && before !== undefined ? newText : undefined;
  }
  if (newText === undefined || before?.split(oldText).length !== 2) {
    return undefined;
  }
  return before.replace(oldText, () => newText);
}

/** The subject of a question about a file. A write is shown as a diff of the file. */
function fileSubject(
  reason: AskReason,
  { access, path, content = '' }: FileOperation,
  before: string | null | undefined,
): PermissionSubject & { readonly reason: AskReason } {
  if (access === 'read') {
    return { reason, kind: 'read', locations: [{ path }] };
  }
  const change = {
    operation: before === null ? 'add' : 'modify',
    path,
    ...(before !== undefined && { oldText: before }),
    newText: content,
  };
  return { reason, kind: 'edit', content: [{ type: 'diff', changes: [change] }] };
}

/** Identifies the variables that decide what runs. The key includes the folder, because a relative path in a value depends on it. */
function steeringOf(environment: readonly EnvironmentVariable[], cwd: string): readonly string[] {
  return environment
    .filter(({ name }) => isSteeringVariable(name) || /^GIT_/i.test(name))
    .map(({ name, value }) => JSON.stringify([name, value, cwd]));
}
