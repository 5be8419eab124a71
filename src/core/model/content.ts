/**
 * What messages and tool calls are made of, already checked: everything here was decoded from `unknown` at the protocol's door (`acp/`).
 * Shapes follow ACP's content blocks (protocol page "Content") and tool call content ("Tool Calls"), in v2's form where v1 and v2 differ.
 * A kind we do not know is kept whole under `type: 'unknown'`, so that it can be journaled and shown.
 */

/** Audience and priority hints that an agent may put on a block. Kept, never acted on without a reason. */
export type Annotations = Readonly<Record<string, unknown>>;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly annotations?: Annotations;
}

export interface ImageBlock {
  readonly type: 'image';
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
  readonly uri?: string;
  readonly annotations?: Annotations;
}

export interface AudioBlock {
  readonly type: 'audio';
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
}

export interface ResourceLinkBlock {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** bytes */
  readonly size?: number;
  readonly annotations?: Annotations;
}

export interface ResourceBlock {
  readonly type: 'resource';
  readonly uri: string;
  readonly mimeType?: string;
  /** One of `text` and `blob` (base64) is present. */
  readonly text?: string;
  readonly blob?: string;
  readonly annotations?: Annotations;
}

/** A block whose type we do not know, or whose known type holds a malformed body. */
export interface UnknownBlock {
  readonly type: 'unknown';
  readonly raw: unknown;
}

export type ContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceLinkBlock | ResourceBlock | UnknownBlock;

/** One file of a diff. v1's `{path, oldText, newText}` becomes one change that keeps both texts for the diff editor. */
export interface FileChange {
  /** add, delete, modify, move, copy, or a word we do not know. */
  readonly operation: string;
  /** Absolute. */
  readonly path: string;
  readonly oldPath?: string;
  /** `null`: the agent said there was none; absent: the agent did not say. */
  readonly oldText?: string | null;
  readonly newText?: string;
}

export type ToolContent =
  | { readonly type: 'content'; readonly content: ContentBlock }
  | { readonly type: 'diff'; readonly changes: readonly FileChange[]; readonly patch?: string }
  | { readonly type: 'terminal'; readonly terminalId: string }
  | { readonly type: 'unknown'; readonly raw: unknown };

/** A place in a file that a tool call touches; `line` is 1-based. */
export interface Location {
  readonly path: string;
  readonly line?: number;
}

export interface PlanEntry {
  readonly content: string;
  /** high, medium, low, or a word we do not know. */
  readonly priority: string;
  /** pending, in_progress, completed, cancelled, or a word we do not know. */
  readonly status: string;
}

/** v2's plan variants; v1's `plan` update is `items` under {@link V1_PLAN_ID}. */
export type PlanBody =
  | { readonly type: 'items'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'markdown'; readonly content: string }
  | { readonly type: 'file'; readonly uri: string }
  | { readonly type: 'unknown'; readonly raw: unknown };

/** v1 has one plan without a name. */
export const V1_PLAN_ID = 'plan';

export interface ConfigChoice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

/** A run of choices; flat lists are one group without a name. */
export interface ConfigGroup {
  readonly name?: string;
  readonly choices: readonly ConfigChoice[];
}

/** Protocol page "Session Config Options". Modes are one too, under {@link MODE_CONFIG_ID}. */
export type ConfigOption =
  | {
      readonly type: 'select';
      readonly configId: string;
      readonly name: string;
      readonly description?: string;
      readonly category?: string;
      readonly currentValue: string;
      readonly groups: readonly ConfigGroup[];
    }
  | {
      readonly type: 'boolean';
      readonly configId: string;
      readonly name: string;
      readonly description?: string;
      readonly category?: string;
      readonly currentValue: boolean;
    }
  | { readonly type: 'unknown'; readonly configId: string; readonly name: string; readonly raw: unknown };

/** The config option that v1 session modes become. Set through `session/set_mode`. Chosen so that no agent's own id equals it. */
export const MODE_CONFIG_ID = '$mode';

/** What that option is called; v1 gives the modes no name of their own. */
export const MODE_CONFIG_NAME = 'Mode';

/** Protocol page "Slash Commands". */
export interface AvailableCommand {
  readonly name: string;
  readonly description: string;
  /** Present when the command takes free text after its name. */
  readonly inputHint?: string;
}

export interface Usage {
  /** tokens in the context now */
  readonly used: number;
  /** tokens the context can hold; may be 0 */
  readonly size: number;
  /** cumulative cost of the session; ISO 4217 currency */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** Tokens as an agent reports them with the end of a turn; whether they are of that turn or of all of them, it decides (RFD "End turn token usage"). */
export interface TurnUsage {
  readonly total?: number;
  readonly input?: number;
  readonly output?: number;
  readonly thought?: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
}

/** One answer the agent offers. `kind` is allow_once, allow_always, reject_once, reject_always or a word we do not know; answer by `optionId`. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** Why ACP Host itself asks before it does what the agent wants. */
export type AskReason =
  /** `rule` is the pattern that protects the file; `path` as the agent named it; `target` where that leads, when it is another place. */
  | {
      readonly type: 'protected_path';
      readonly access: 'read' | 'write';
      readonly rule: string;
      readonly path: string;
      readonly target?: string;
    }
  /** A command. `unasked`: because the agent was given no permission in this turn. `variables`: names that the agent sets in its environment. */
  | { readonly type: 'command'; readonly unasked: boolean; readonly variables: readonly string[] };

/** What the permission is about, as the request itself described it; never folded over the tool call. */
export interface PermissionSubject {
  /** Absent where it is the agent that asks. */
  readonly reason?: AskReason;
  readonly toolCallId?: string;
  readonly kind?: string;
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly Location[];
  readonly rawInput?: unknown;
  /** v2 `command` subject. */
  readonly command?: string;
  readonly cwd?: string;
}

export interface ExitStatus {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A value that the `env_var` sign-in of older agents wants in the agent's environment. */
export interface AuthVariable {
  readonly name: string;
  readonly label?: string;
  /** Typed like a password. */
  readonly secret: boolean;
  readonly optional: boolean;
}

/** How an agent says who can sign in; protocol page "Authentication". */
export interface AuthMethod {
  readonly methodId: string;
  readonly name: string;
  readonly description?: string;
  /**
   * agent: by `authenticate`. terminal: the agent's own program in a terminal, with `args` appended and `env` laid over. env_var (older agents, only
   * with `vars`): values in the environment of a new process, then `authenticate`. A word we do not know: as agent.
   */
  readonly type: string;
  /** Of type terminal, by older agents only: runs instead of the agent's own, with `args` alone, once the user has agreed to it. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly vars?: readonly AuthVariable[];
  /** Where the values of `vars` are to be had; a web address. */
  readonly link?: string;
}

/** Which optional session methods an agent has; protocol page "Session Setup" and those of the methods. */
export interface SessionOffers {
  readonly load: boolean;
  readonly resume: boolean;
  readonly list: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly additionalDirectories: boolean;
  readonly logout: boolean;
}

export const NO_OFFERS: SessionOffers = {
  load: false,
  resume: false,
  list: false,
  close: false,
  delete: false,
  additionalDirectories: false,
  logout: false,
};

export interface PromptCapabilities {
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
}

export interface AgentInfo {
  readonly name?: string;
  readonly title?: string;
  readonly version?: string;
}
