/** The dependencies of the host's own questions: their texts, the settings and the preview of a held write. */
import type { Advice } from '../../core/advice/advice';
import type { AnsweringRule } from '../../core/model/answeringRule';
import type { AskReason } from '../../core/model/content';
import type { Roots } from '../../core/model/roots';
import type { ProposedWrite } from '../../fs/fileService';
import type { AskBeforeCommands } from '../../policy/askBeforeCommands';
import type { ProtectedRules } from '../../policy/protection/protectedRules';
import type { ToolNames } from '../../policy/mcpTool';
import type { RuleReason, RuleSource } from '../../policy/rule';
import type { FileIdentity } from '../../util/checkedFiles';
import type { PermissionQuestion } from './questions';

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

/** The session that rules are asked for. */
export interface RuleSession {
  /** The session's key in this window. */
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: Roots;
}

/** The details of an agent's own request that its card does not show. */
export interface QuestionDetails {
  /** The reason of the rule that asks. Undefined when no rule was asked. */
  readonly why?: RuleReason | undefined;
  readonly names?: ToolNames;
}

/** Notified of a session's questions. It must not wait: the answer to the agent does not depend on it. */
export interface QuestionObserver {
  /** A question waits for the user. @param advise adds the host's advice to its card, as soon as it is computed */
  asked?(question: PermissionQuestion, advise: (advice: Advice) => void, details: QuestionDetails): void;
  /** @param optionId undefined when the question ended without an answer @param byRule the rule that answered instead of the user */
  answered?(question: PermissionQuestion, optionId: string | undefined, byRule?: AnsweringRule): void;
  /** The user has ended the session. It may be resumed. */
  ended?(): void;
}

export interface QuestionDependencies {
  readonly questionWords: QuestionWords;
  /** The user's rules as they are now. */
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
  /** The user's setting for this agent. */
  askBeforeCommands(agentId: string, agentName: string): AskBeforeCommands;
  /** Identifies the file at a real path. Absent: the one on disk. */
  identityOf?(real: string): Promise<FileIdentity | undefined>;
  /** Undefined while changes are not held for review. */
  writePreviews?(): Promise<WritePreviews | undefined>;
  /** Returns further rules for a session, besides the settings and the permissions of the session. Called once per session. */
  ruleSources?(session: RuleSession): readonly RuleSource[];
  /** Returns the observer of a session's questions. Called once per session. */
  observe?(session: RuleSession): QuestionObserver;
}
