/** The rules of the policy, and the requests that they apply to. */
import type { FileAccess } from '../core/model/roots';
import type { EnvironmentVariable } from '../core/model/content';

/** The decision about a request. */
export type Effect = 'allow' | 'ask' | 'deny';

/**
 * The kinds of request. `change`: a write whose text is known and that has passed the decision about `write`. `send`: ACP Host itself sends the text
 * of a file to the agent.
 */
export type RequestKind = FileAccess | 'change' | 'send' | 'command' | 'tool' | 'address' | 'mcp';

interface PartBase {
  /** The kind of the tool, for a part of an agent's own permission request. */
  readonly tool?: string | undefined;
  /** The command that contains this part, for example as a redirection. Questions about that command are about the part too. */
  readonly byCommand?: CommandPart;
}

export interface FilePart extends PartBase {
  readonly kind: FileAccess | 'change' | 'send';
  /** The absolute path as the agent wrote it. */
  readonly asked: string;
  /** The real path. For a request that only the agent performs, the path as the agent wrote it. */
  readonly path: string;
  /** True when the agent names the file beside {@link byCommand}, so that the line shows it too. */
  readonly isInLine?: boolean;
  /** Returns the file's text for a write: null when there is no file, undefined when the text cannot be read. */
  present?(): Promise<string | null | undefined>;
}

export interface CommandPart extends PartBase {
  readonly kind: 'command';
  /** The whole command line. */
  readonly command: string;
  /** The words, where the agent named the program and its arguments instead of a line. */
  readonly argv?: readonly string[] | undefined;
  /** The name of the shell that reads the line. Undefined: the agent's own, which is not known. */
  readonly shell?: string | undefined;
  /** The program, where a file of the session's folders or of the agent's `PATH` runs under the name of a command. */
  readonly program?: string | undefined;
  /** True when the line is the title of the request, which does not have to be what runs. */
  readonly isTitle?: boolean;
  readonly cwd?: string | undefined;
  /** The folder of the session, where an agent that names no {@link cwd} starts. It may have gone to another one since. */
  readonly folder?: string | undefined;
  /** The variables that the agent sets. */
  readonly environment?: readonly EnvironmentVariable[] | undefined;
}

/** A tool of the agent that is neither a command nor an operation on files. */
export interface ToolPart extends PartBase {
  readonly kind: 'tool';
  /** The tool's kind in the protocol, or its title where it has no kind. */
  readonly tool: string;
  /** True when {@link tool} is the title, which an agent may choose freely. */
  readonly isTitle?: boolean;
}

/** A tool of an MCP server. The other parts of its request come from its input and do not say what it does. */
export interface McpPart extends PartBase {
  readonly kind: 'mcp';
  readonly server: string;
  readonly mcpTool: string;
  /** False where the agent's name for the tool can be read in several ways. */
  readonly isCertain: boolean;
  /** Known only for the editor's own tools. */
  readonly isReadOnly?: boolean;
}

export interface AddressPart extends PartBase {
  readonly kind: 'address';
  readonly url: string;
}

export type RequestPart = FilePart | CommandPart | ToolPart | AddressPart | McpPart;

/** A request that touches the user's world. */
export interface PolicyRequest {
  /** The agent by its id and its name. Absent when ACP Host sends a text, which is the same decision for every agent. */
  readonly agent?: { readonly id?: string; readonly name: string };
  /** The folders of the session, as named and by their real paths. */
  readonly roots?: readonly string[];
  readonly parts: readonly [RequestPart, ...RequestPart[]];
}

/**
 * The origin of a rule. `rule`: a rule that the user or the organization wrote. `agent`: the agent itself asks for permission. `mode`: the session's
 * permission mode. `answer`: the user's earlier answer for always to the same call. `repetition`: the call repeats.
 */
export type RuleOrigin = 'protected_path' | 'setting' | 'session' | 'consent' | 'agent' | 'rule' | 'mode' | 'answer' | 'repetition';

/** The reasons that exist today. A new source adds its codes here; a rule with a text of its own uses `rule`. */
export type RuleReasonCode =
  | 'protected_path'
  | 'protected_path_overwritten'
  | 'ask_before_commands'
  | 'unasked_command'
  | 'review_changes'
  | 'editor_tool'
  | 'session_permission'
  | 'read_consent'
  | 'agent_request'
  | 'mode_accept_edits'
  | 'mode_plan_only'
  | 'mode_allow_everything'
  | 'answered_before'
  | 'repetition'
  | 'rule';

/** The reason of a rule. The values are verbatim; the words around them are made in `text/messages` and the workbench. */
export interface RuleReason {
  readonly code: RuleReasonCode;
  readonly params?: Readonly<Record<string, string>>;
}

/** The requests that a rule applies to. A field that is left out matches every request. */
export interface RuleMatch {
  /** One part of this very request, for a source that makes its rules per request. */
  readonly part?: RequestPart;
  /** Ids or names of agents. */
  readonly agents?: readonly string[];
  readonly kinds?: readonly RequestKind[];
  /** A pattern like those of `acpHost.protectedPaths`. Folders above the session's folders do not count. */
  readonly path?: string;
  /** One file, by its real path. */
  readonly file?: string;
  /** A command line. With ` *` at its end it matches any arguments. */
  readonly command?: string;
  /** The kind of a tool. */
  readonly tool?: string;
  /** The host name of an address. */
  readonly host?: string;
}

export interface Rule {
  /** Stable over sessions, unique in its source. */
  readonly id: string;
  readonly effect: Effect;
  readonly match: RuleMatch;
  readonly reason: RuleReason;
  readonly origin: RuleOrigin;
  /**
   * For `allow`: the origins of questions that this permission answers in advance. Without it the rule answers none, because ask beats allow. A deny
   * is never answered.
   */
  readonly answers?: readonly RuleOrigin[];
}

/** A source of rules. */
export interface RuleSource {
  /** False while the source has no rules, so that no code is loaded for it and no question waits for it. Absent: it always has some. */
  isActive?(): boolean;
  /** Returns parts that the request contains besides those that it names, for example files that a command writes. All rules apply to them. */
  partsOf?(request: PolicyRequest): Promise<readonly RequestPart[]>;
  /** Returns the rules that may concern the request. A source that must read the disk returns rules for the request alone. */
  rulesFor(request: PolicyRequest): readonly Rule[] | Promise<readonly Rule[]>;
}
