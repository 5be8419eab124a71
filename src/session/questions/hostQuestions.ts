/** What ACP Host asks the user itself, before it does what the agent wants: about protected files, and about commands that the agent did not ask for. */
import type { AskReason, FileChange, PermissionOption, PermissionSubject } from '../../core/model/content';
import { fault, type Fault } from '../../core/model/failure';
import type { Roots } from '../../core/model/ports';
import { ProtectedPaths } from '../../fs/protection/protectedPaths';
import type { ProtectedRules } from '../../fs/protection/protectedRules';
import type { FileOperation, ProposedWrite } from '../../fs/fileService';
import type { CommandOperation } from '../../terminal/terminalService';
import type { CommandAsking } from './commandAsking';
import type { Permissions } from './permissions';

/** Words of our questions in the user's language: they stand in the conversation, like those of an agent's own request. */
export interface QuestionWords {
  title(reason: AskReason): string;
  once(): string;
  session(reason: AskReason): string;
  reject(): string;
  /** Of a change that waits until the user has looked at it. @param name the file's */
  changeTitle(name: string): string;
  acceptChange(): string;
  acceptChangesInSession(): string;
}

/** A change that is held until the user has looked at it, where the user looks at it besides its card. */
export interface WritePreview {
  /** What the user has made of the text. */
  text(): string;
  /** It is decided, and shown no longer. @param accepted the text that is written now; undefined: nothing is */
  end(accepted: string | undefined): void;
}

export interface WritePreviews {
  /** @param decide called when the user accepts or rejects it there. It never takes the focus. */
  show(roots: Roots, write: ProposedWrite, decide: (accepted: boolean) => void): WritePreview;
}

export interface QuestionDependencies {
  readonly questionWords: QuestionWords;
  /** The user's rules as they are now. */
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
  /** What the user has set for this agent. */
  commandAsking(agentName: string): CommandAsking;
  /** Undefined while changes are not held until the user has looked at them. */
  writePreviews?(): Promise<WritePreviews | undefined>;
}

interface HostQuestionDependencies {
  readonly agentName: string;
  readonly roots: Roots;
  readonly ports: QuestionDependencies;
  readonly permissions: Permissions;
}

const ONCE = 'allow';
const SESSION = 'allow_session';
/** All writes. */
const WRITES = 'writes';

export class HostQuestions {
  /** What the user allowed for the session. */
  private readonly allowed = new Set<string>();

  constructor(private readonly dependencies: HostQuestionDependencies) {}

  /** Resolves true when the user was asked and agreed, false when nobody had to be asked. @throws Fault `fs.protected`, `request.cancelled` */
  async aboutFile(operation: FileOperation, signal: AbortSignal | undefined): Promise<boolean> {
    const { roots, ports } = this.dependencies;
    const { access, asked, path } = operation;
    const rules = await ports.protectedRules();
    const paths = new ProtectedPaths(roots, rules);
    const rule = await paths.ruleFor(asked, path, access);
    const key = JSON.stringify([access, rule, asked, path]);
    if (rule === undefined || this.allowed.has(key)) {
      return false;
    }
    // What may not be read without asking has no place in the conversation either.
    const isSecret = access === 'write' && (await paths.ruleFor(asked, path, 'read')) !== undefined;
    const before = access === 'write' && !isSecret ? await operation.present() : undefined;
    if (access === 'write' && (await paths.isProtectedByName(path, access)) && this.wasShown(path, operation.content ?? '', before)) {
      return true;
    }
    const reason: AskReason = { type: 'protected_path', access, rule, path: asked, ...(path !== asked && { target: path }) };
    const optionId = await this.ask(fileSubject(reason, operation, before), signal);
    return this.settle(optionId, key, () =>
      fault(
        'fs.protected',
        { path: asked, rule },
        {
          message: `The user did not allow you to ${access} ${asked}: it is protected by the rule ${rule} of their settings.`,
        },
      ),
    );
  }

  /**
   * Holds a write until the user has accepted it, where they want that. Resolves with the text to write, in which the user may have written; undefined
   * when nobody had to be asked. @throws Fault `fs.rejected`, `request.cancelled`
   */
  async aboutWrite(write: ProposedWrite, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { roots, ports, permissions } = this.dependencies;
    const { asked, path, before, after, content } = write;
    const previews = this.allowed.has(WRITES) ? undefined : await ports.writePreviews?.();
    if (!previews || this.wasShown(path, content, before)) {
      return undefined;
    }
    const { questionWords: words } = ports;
    const change = { operation: before === null ? 'add' : 'modify', path, oldText: before, newText: after };
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
      this.settle(optionId, WRITES, () =>
        fault('fs.rejected', { path: asked }, { message: `The user rejected this change. Nothing was written to ${asked}.` }),
      );
      return (text = (preview as WritePreview | undefined)?.text());
    } finally {
      (preview as WritePreview | undefined)?.end(text);
    }
  }

  /** As {@link aboutFile}. @throws Fault `terminal.refused`, `request.cancelled` */
  async aboutCommand({ command, cwd, variables }: CommandOperation, signal: AbortSignal | undefined): Promise<boolean> {
    const { agentName, ports, permissions } = this.dependencies;
    const asking = ports.commandAsking(agentName);
    const isPermitted = asking === 'unlessPermitted' && permissions.allowedInTurn !== undefined;
    if (asking === 'never' || isPermitted || this.allowed.has('command')) {
      return false;
    }
    const reason: AskReason = { type: 'command', unasked: asking === 'unlessPermitted', variables };
    const optionId = await this.ask({ reason, kind: 'execute', command, cwd }, signal);
    return this.settle(optionId, 'command', () =>
      fault('terminal.refused', { command }, { message: 'The user did not allow this command to run.' }),
    );
  }

  private ask(subject: PermissionSubject & { readonly reason: AskReason }, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { questionWords: words } = this.dependencies.ports;
    const options: PermissionOption[] = [
      { optionId: ONCE, name: words.once(), kind: 'allow_once' },
      { optionId: SESSION, name: words.session(subject.reason), kind: 'allow_always' },
      { optionId: 'reject', name: words.reject(), kind: 'reject_once' },
    ];
    return this.dependencies.permissions.question({ title: words.title(subject.reason), options, subject }, signal);
  }

  private settle(optionId: string | undefined, key: string, refusal: () => Fault): true {
    if (optionId === undefined) {
      throw fault('request.cancelled', undefined, { rpcCode: -32800, message: 'Cancelled' });
    }
    if (optionId === SESSION) {
      this.allowed.add(key);
    } else if (optionId !== ONCE) {
      throw refusal();
    }
    return true;
  }

  /** The user has allowed exactly this text for exactly this file, by its real path, in this turn, in a request of the agent's own. */
  private wasShown(path: string, content: string, before: string | null | undefined): boolean {
    const { permissions } = this.dependencies;
    const change = permissions.allowedInTurn?.find((each) => each.path === path && wholeText(each, before) === content);
    if (change) {
      permissions.spend(change);
    }
    return change !== undefined;
  }
}

/** What a file holds after a change that an agent described whole, or by one passage that is in it once. */
function wholeText({ newText, oldText }: FileChange, before: string | null | undefined): string | undefined {
  return newText !== undefined && oldText && before && before.split(oldText).length === 2
    ? before.replace(oldText, () => newText)
    : newText;
}

/** A write is shown as the change it makes, at the place where it is made. */
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
