/** The host's own questions to the user: about protected files, held writes, and commands that the agent did not ask for. */
import type { AskReason, FileChange, PermissionOption, PermissionSubject } from '../../core/model/content';
import { fault, type Fault } from '../../core/model/failure';
import type { FileAccess, Roots } from '../../core/model/roots';
import * as faults from '../../fs/faults';
import type { Decision } from '../../policy/decide';
import type { Policy } from '../../policy/policy';
import { ProtectedPaths } from '../../policy/protection/protectedPaths';
import type { FileOperation, ProposedWrite } from '../../fs/fileService';
import type { CommandPart, FilePart, McpPart, Rule, RuleSource } from '../../policy/rule';
import { Repetitions } from '../../policy/modes/repetition';
import { SessionPermissions } from '../../policy/sessionPermissions';
import { alignedTexts, fitOfChange } from '../../core/toolCalls/fitOfChange';
import { identityOf, isSameFile, type FileIdentity } from '../../util/checkedFiles';
import { isSameName } from '../../util/location';
import type { CommandOperation } from '../../terminal/terminalService';
import type { Consents } from '../../policy/consents';
import type { Permissions } from './permissions';
import type { QuestionDependencies, WritePreview } from './questionDependencies';
import { answeringRuleOf, denial, recordedRule, ruleReasonOf } from './ruleAnswers';
import { sessionPolicy } from './sessionPolicy';

interface HostQuestionDependencies {
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: Roots;
  readonly deps: QuestionDependencies;
  readonly permissions: Permissions;
  readonly consents: Consents;
  /** Returns an id of the running turn. */
  turn?(): string;
  readonly ruleSources?: readonly RuleSource[];
}

/** A call of one of the editor's tools. */
export interface ToolOperation {
  /** The name of the editor's server. */
  readonly server: string;
  readonly name: string;
  /** For the user. */
  readonly title: string;
  /** The kind of tool in the protocol. */
  readonly toolKind: string;
  readonly isReadOnly: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * Returns true when the user or a rule has just allowed this call in a request of the agent. The permission is spent then.
   * @param canLast true when an answer for always to the agent counts, too
   */
  isGiven(canLast: boolean): boolean;
  /** Returns the tool call in the conversation, which the question is about. */
  toolCallId(): string;
}

type ProtectionReason = Extract<AskReason, { type: 'protected_path' }>;

const ONCE = 'allow';
const SESSION = 'allow_session';
const REJECT = 'reject';

export class HostQuestions {
  private readonly given = new SessionPermissions((path) => this.identify(path));
  private readonly policy: Policy;
  private readonly repetitions: Repetitions;

  constructor(private readonly deps: HostQuestionDependencies) {
    this.policy = sessionPolicy(deps, this.given);
    this.repetitions = new Repetitions(deps.turn ?? (() => ''));
  }

  /**
   * Resolves to true when the user was asked and agreed, to false when no question was needed.
   * @throws Fault `fs.protected`, `fs.led_elsewhere`, `policy.denied`, `request.cancelled`
   */
  async aboutFile(operation: FileOperation, signal: AbortSignal | undefined): Promise<boolean> {
    const { roots, deps, consents } = this.deps;
    const { access, requested, path } = operation;
    const present = once(() => operation.present());
    const part: FilePart = { kind: access, asked: requested, path, present };
    const decision = await this.decide(part, operation.content);
    if (decision.effect !== 'ask') {
      this.settle(decision, part, () => fileSubject(undefined, operation, undefined));
      return false;
    }
    const { rule } = decision;
    const file = await this.identify(path);
    const before = access === 'write' ? await present() : undefined;
    const paths = new ProtectedPaths(roots, await deps.protectedRules());
    const isProtected = rule.origin === 'protected_path';
    const reason = isProtected ? protectionReason(rule, part, access) : ruleReasonOf(rule, access, requested);
    const named = reason.type === 'protected_path' && reason.overwrites ? 'read' : access;
    if (isProtected && access === 'write' && (await paths.isProtectedByName(path, named))) {
      if (this.wasShown(path, operation.content ?? '', before)) {
        return true;
      }
    }
    // The conversation must not hold text that needs a question before it is read.
    const isHidden = access === 'write' && (await paths.ruleFor(requested, path, 'read')) !== undefined;
    const subject = fileSubject(reason, operation, isHidden ? undefined : before);
    // A rule of the user asks each time.
    const optionId = await this.ask(reason, subject, signal, isProtected && file !== undefined);
    const isForSession = this.isAllowed(optionId, () => refusedFile(access, requested, reason));
    const now = await this.identify(path);
    if (file && !(now && isSameFile(file, now))) {
      throw faults.movedMeanwhile(requested);
    }
    if (isForSession && file) {
      this.given.allowFile(access, file);
      void (access === 'read' && consents.agree(file));
    }
    return true;
  }

  /**
   * Holds a write until the user has accepted it, if they have enabled that. Resolves to the text to write, which the user may have edited;
   * undefined when no question was needed.
   * @throws Fault `fs.rejected`, `policy.denied`, `request.cancelled`
   */
  async aboutWrite(write: ProposedWrite, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { roots, deps, permissions, consents } = this.deps;
    const { requested, path, before, after, content } = write;
    const part: FilePart = { kind: 'change', asked: requested, path };
    const decision = await this.decide(part, content);
    if (decision.effect !== 'ask') {
      this.settle(decision, part, () => ({ kind: 'edit', locations: [{ path }] }));
      return undefined;
    }
    const previews = await deps.writePreviews?.();
    // The setting may have changed meanwhile.
    const isSetting = decision.rule.origin === 'setting';
    if ((isSetting && !previews) || this.wasShown(path, content, before)) {
      return undefined;
    }
    const { questionWords: strings } = deps;
    const paths = new ProtectedPaths(roots, await deps.protectedRules());
    const isHidden = (await paths.ruleFor(requested, path, 'read')) !== undefined && !(await consents.mayRead(path));
    // The conversation must not hold text that needs a question before it is read.
    const texts = isHidden ? { newText: content } : { oldText: before, newText: after };
    const change = { operation: before === null ? 'add' : 'modify', path, ...texts };
    const question = {
      title: strings.changeTitle(path.split(/[\\/]/).at(-1)!),
      options: [
        { optionId: ONCE, name: strings.acceptChange(), kind: 'allow_once' },
        ...(isSetting ? [{ optionId: SESSION, name: strings.acceptChangesInSession(), kind: 'allow_always' }] : []),
        { optionId: REJECT, name: strings.reject(), kind: 'reject_once' },
      ],
      subject: { kind: 'edit', content: [{ type: 'diff' as const, changes: [change] }] },
      isCardOnly: previews !== undefined,
    };
    let preview: WritePreview | undefined = undefined;
    let text: string | undefined = undefined;
    try {
      const optionId = await permissions.question(question, signal, (answer) => {
        preview = previews?.show(roots, write, (accepted) => answer(accepted ? ONCE : REJECT));
      });
      const isForSession = this.isAllowed(optionId, () =>
        fault('fs.rejected', { path: requested }, { message: `The user rejected this change. Nothing was written to ${requested}.` }),
      );
      void (isForSession && this.given.allowChanges());
      return (text = (preview as WritePreview | undefined)?.text() ?? after);
    } finally {
      (preview as WritePreview | undefined)?.end(text);
    }
  }

  /**
   * Like {@link aboutFile}. An answer for the session does not cover a command whose environment has another variable that decides what runs.
   * @throws Fault `terminal.refused`, `policy.denied`, `request.cancelled`
   */
  async aboutCommand(
    { command, cwd, environment, program, argv, shell }: CommandOperation,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const part: CommandPart = { kind: 'command', command, cwd, environment, program, argv, shell };
    const runs = { command, cwd, ...(environment.length > 0 && { environment }), ...(program !== undefined && { program }) };
    const decision = await this.decide(part, undefined);
    if (decision.effect !== 'ask') {
      this.settle(decision, part, () => ({ kind: 'execute', ...runs }));
      return false;
    }
    const { rule } = decision;
    const isSetting = rule.origin === 'setting';
    const unasked = rule.reason.code === 'unasked_command';
    const reason: AskReason = isSetting
      ? { type: 'command', unasked, variables: environment.map(({ name }) => name) }
      : ruleReasonOf(rule, 'command');
    const optionId = await this.ask(reason, { reason, kind: 'execute', ...runs }, signal, isSetting);
    const isForSession = this.isAllowed(optionId, () =>
      fault('terminal.refused', { command }, { message: 'The user did not allow this command to run.' }),
    );
    void (isForSession && this.given.allowCommands(part));
    return true;
  }

  /**
   * Like {@link aboutFile}. A tool that reads needs no question, unless a rule of the user asks.
   * @throws Fault `policy.denied`, `tool.refused`, `request.cancelled`
   */
  async aboutTool(operation: ToolOperation, signal: AbortSignal | undefined): Promise<boolean> {
    const { server, name, title, toolKind, isReadOnly, input } = operation;
    const part: McpPart = { kind: 'mcp', tool: toolKind, server, mcpTool: name, isCertain: true, isReadOnly };
    const decision = await this.decide(part, input);
    if (decision.effect !== 'ask') {
      this.settle(decision, part, () => ({ toolCallId: operation.toolCallId() }), title);
      return false;
    }
    const { rule } = decision;
    const isSetting = rule.origin === 'setting';
    // A rule of the user asks each time, whatever the agent remembers.
    if (rule.origin !== 'repetition' && operation.isGiven(isSetting)) {
      return true;
    }
    const reason = ruleReasonOf(rule, 'tool', title);
    const subject = { reason, toolCallId: operation.toolCallId(), kind: toolKind, rawInput: input };
    const optionId = await this.ask(reason, subject, signal, isSetting);
    const isForSession = this.isAllowed(optionId, () =>
      fault('tool.refused', { tool: name }, { message: `The user did not allow the tool ${name} to run. Nothing was changed.` }),
    );
    void (isForSession && this.given.allowTool(part));
    return true;
  }

  /** @param content the text of a write, which makes it different from others of the file */
  private async decide(part: FilePart | CommandPart | McpPart, content: unknown): Promise<Decision> {
    return this.repetitions.check(await this.policy.decide(part), [part], content);
  }

  private identify(path: string): Promise<FileIdentity | undefined> {
    return (this.deps.deps.identityOf ?? identityOf)(path);
  }

  /**
   * Records a decision that a rule made instead of the user.
   * @throws Fault `policy.denied`
   */
  private settle(decision: Decision, part: FilePart | CommandPart | McpPart, subject: () => PermissionSubject, tool = ''): void {
    const rule = recordedRule(decision);
    if (!rule) {
      return;
    }
    const { deps, permissions } = this.deps;
    const { questionWords: strings } = deps;
    const kind = part.kind === 'mcp' ? 'tool' : part.kind === 'command' || part.kind === 'read' ? part.kind : 'write';
    const options: PermissionOption[] = [
      { optionId: ONCE, name: strings.once(), kind: 'allow_once' },
      { optionId: REJECT, name: strings.reject(), kind: 'reject_once' },
    ];
    const isDenied = decision.effect === 'deny';
    const named = part.kind === 'mcp' ? part.mcpTool : part.kind === 'command' ? part.command : part.asked;
    const subjectName = part.kind === 'mcp' ? tool : part.kind === 'command' ? undefined : part.asked;
    const title = strings.title(ruleReasonOf(rule, kind, subjectName));
    // The agent reports a refused call as failed. On the call, the record says why.
    const act = part.kind === 'command' ? { command: part.command } : part.kind === 'mcp' ? undefined : { paths: [part.asked, part.path] };
    permissions.record({ title, options, subject: subject() }, isDenied ? REJECT : ONCE, answeringRuleOf(rule), isDenied ? act : undefined);
    if (isDenied) {
      throw denial(rule, kind === 'command' ? `run ${named}` : kind === 'tool' ? `use the tool ${named}` : `${kind} ${named}`, named);
    }
  }

  /** @param canLast false leaves out the answer for the whole session */
  private ask(
    reason: AskReason,
    subject: PermissionSubject,
    signal: AbortSignal | undefined,
    canLast: boolean,
  ): Promise<string | undefined> {
    const { questionWords: strings } = this.deps.deps;
    const options: PermissionOption[] = [
      { optionId: ONCE, name: strings.once(), kind: 'allow_once' },
      ...(canLast ? [{ optionId: SESSION, name: strings.session(reason), kind: 'allow_always' }] : []),
      { optionId: REJECT, name: strings.reject(), kind: 'reject_once' },
    ];
    return this.deps.permissions.question({ title: strings.title(reason), options, subject }, signal);
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
    const { permissions } = this.deps;
    const change = permissions.allowedInTurn?.find((each) => isSameName(path, each.path) && wholeText(each, before) === content);
    if (change) {
      permissions.spend(change);
    }
    return change !== undefined;
  }
}

function refusedFile(access: FileAccess, path: string, reason: AskReason): Fault {
  const rule = 'rule' in reason ? reason.rule : '';
  const why = rule === '' ? '.' : `: it is protected by the rule ${rule} of their settings.`;
  return fault('fs.protected', { path, rule }, { message: `The user did not allow you to ${access} ${path}${why}` });
}

/** Returns the reason for a question about a protected file. */
function protectionReason(
  { reason: { code, params = {} } }: Rule,
  { asked: requested, path }: FilePart,
  access: FileAccess,
): ProtectionReason {
  return {
    type: 'protected_path',
    access,
    rule: params.rule ?? '',
    path: requested,
    ...(!isSameName(path, requested) && { target: path }),
    ...(code === 'protected_path_overwritten' && { overwrites: true }),
  };
}

/** Calls `read` at the first call and returns its result each time. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}

/**
 * Returns the text of a file after a change that an agent described, whole or as one passage. Undefined when the description does not fit the file,
 * because the user has then seen another change than the one that would be made.
 */
function wholeText(change: FileChange, before: string | null | undefined): string | undefined {
  const { context, lineParts } = fitOfChange(before ?? undefined, change);
  const { newText, oldText } = alignedTexts({ ...change, context, lineParts });
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
  reason: AskReason | undefined,
  { access, path, content = '' }: FileOperation,
  before: string | null | undefined,
): PermissionSubject {
  const why = reason && { reason };
  if (access === 'read') {
    return { ...why, kind: 'read', locations: [{ path }] };
  }
  const change = {
    operation: before === null ? 'add' : 'modify',
    path,
    ...(before !== undefined && { oldText: before }),
    newText: content,
  };
  return { ...why, kind: 'edit', content: [{ type: 'diff', changes: [change] }] };
}
