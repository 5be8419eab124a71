/**
 * The content of messages and tool calls, already checked: `acp/` decodes it from `unknown`. Shapes follow ACP's content blocks (protocol page
 * "Content") and tool call content ("Tool Calls"), in v2's form where v1 and v2 differ. A kind that is not known is stored whole under
 * `type: 'unknown'`, so that it can be journaled and shown.
 */
import {
  array,
  boolean,
  fallback,
  type Fields,
  type Infer,
  integer,
  literal,
  nullable,
  number,
  object,
  optional,
  record,
  string,
  unknown,
  variant,
} from '../schema/schema';
import { advice } from '../advice/advice';
import { MAX_TERMINAL_SIZE } from './terminalSize';

/** Audience and priority hints that an agent may put on a block. They are stored; only some features use them. */
const annotations = record(unknown());
export type Annotations = Infer<typeof annotations>;

const annotated = { annotations: optional(annotations) };

export const contentBlock = variant('type', {
  text: object({ text: string(), ...annotated }),
  image: object({
    /** Base64. */
    data: string(),
    mimeType: string(),
    uri: optional(string()),
    ...annotated,
  }),
  audio: object({
    /** Base64. */
    data: string(),
    mimeType: string(),
    ...annotated,
  }),
  resource_link: object({
    uri: string(),
    name: string(),
    title: optional(string()),
    description: optional(string()),
    mimeType: optional(string()),
    /** Bytes. */
    size: optional(number()),
    ...annotated,
  }),
  resource: object({
    uri: string(),
    mimeType: optional(string()),
    /** One of `text` and `blob` (base64) is present. */
    text: optional(string()),
    blob: optional(string()),
    ...annotated,
  }),
  /** A block of an unknown type, or of a known type with a malformed body. */
  unknown: object({ raw: unknown() }),
});
export type ContentBlock = Infer<typeof contentBlock>;
export type TextBlock = Extract<ContentBlock, { readonly type: 'text' }>;
export type ImageBlock = Extract<ContentBlock, { readonly type: 'image' }>;
export type AudioBlock = Extract<ContentBlock, { readonly type: 'audio' }>;
export type ResourceLinkBlock = Extract<ContentBlock, { readonly type: 'resource_link' }>;
export type ResourceBlock = Extract<ContentBlock, { readonly type: 'resource' }>;
export type UnknownBlock = Extract<ContentBlock, { readonly type: 'unknown' }>;

/** How the texts of a change fit the file, as the host has found. */
const fit = {
  /** Where the old text is, unless it is in the file exactly once: `spaces` (with other white space), `several` (more than once) or `missing`. */
  match: optional(string()),
  /** The lines of the file at the beginning and at the end of a new text that is the whole file, while the old text is a passage. */
  context: optional(object({ before: number(), after: number() })),
  /** The lines of the file that differ from the old text in white space alone, where the new text continues them. */
  fileText: optional(string()),
  /** The rest of the file's lines before and after a passage that begins or ends within a line. */
  lineParts: optional(object({ before: string(), after: string() })),
};

/** One file of a diff. v1's `{path, oldText, newText}` becomes one change that has both texts for the diff editor. */
const fileChange = object({
  /** One of add, delete, modify, move and copy, or an unknown word. */
  operation: string(),
  /** Absolute. */
  path: string(),
  oldPath: optional(string()),
  /** `null`: the agent reported that the file did not exist. Absent: the agent did not say. */
  oldText: optional(nullable(string())),
  newText: optional(string()),
  /** The line (1-based) at which the texts begin. The host finds it in the file (`diff_located`), because no agent sends it. */
  line: optional(number()),
  /** True for a move or copy whose texts are the same, so that none are sent. */
  sameText: optional(boolean()),
  ...fit,
});
export type FileChange = Infer<typeof fileChange>;

export const toolContent = variant('type', {
  content: object({ content: contentBlock }),
  diff: object({ changes: array(fileChange), patch: optional(string()) }),
  terminal: object({ terminalId: string() }),
  /** A reference to a subagent. */
  session: object({ sessionId: string() }),
  unknown: object({ raw: unknown() }),
});
export type ToolContent = Infer<typeof toolContent>;

/** The line (1-based) of a change, by its index in the entry's content and in that content's changes. */
export const diffLine = object({ content: number(), change: number(), line: number() });
export type DiffLine = Infer<typeof diffLine>;
export const diffFit = object({ content: number(), change: number(), ...fit });
export type DiffFit = Infer<typeof diffFit>;

/** A file that a tool call touches, and optionally a line (1-based) in it. */
export const location = object({ path: string(), line: optional(number()) });
export type Location = Infer<typeof location>;

const planEntry = object({
  content: string(),
  /** One of high, medium and low, or an unknown word. */
  priority: string(),
  /** One of pending, in_progress, completed and cancelled, or an unknown word. */
  status: string(),
});
export type PlanEntry = Infer<typeof planEntry>;

/** The variants of a plan. Version 1 has one plan of the variant `items` without an id; its decoder gives it one. */
export const planBody = variant('type', {
  items: object({ entries: array(planEntry) }),
  /** `path`: absolute path of the plan's file. Only the agent knows whether the file exists. */
  markdown: object({ content: string(), path: optional(string()) }),
  file: object({ uri: string() }),
  unknown: object({ raw: unknown() }),
});
export type PlanBody = Infer<typeof planBody>;

const configChoice = object({ value: string(), name: string(), description: optional(string()) });
export type ConfigChoice = Infer<typeof configChoice>;

/** A group of choices. A flat list is one group without a name. */
const configGroup = object({ name: optional(string()), choices: array(configChoice) });
export type ConfigGroup = Infer<typeof configGroup>;

const configHead = { configId: string(), name: string(), description: optional(string()), category: optional(string()) };

/** A configuration option (protocol page "Session Config Options"). The session modes are one, too, under `MODE_CONFIG_ID`. */
export const configOption = variant('type', {
  /** `recommended`: the value that the agent recommends. */
  select: object({ ...configHead, currentValue: string(), groups: array(configGroup), recommended: optional(string()) }),
  boolean: object({ ...configHead, currentValue: boolean() }),
  unknown: object({ configId: string(), name: string(), raw: unknown() }),
});
export type ConfigOption = Infer<typeof configOption>;

/** A slash command (protocol page "Slash Commands"). */
export const availableCommand = object({
  name: string(),
  description: string(),
  /** Present when the command takes free text after its name. */
  inputHint: optional(string()),
});
export type AvailableCommand = Infer<typeof availableCommand>;

export const usage = object({
  /** Tokens in the context now. */
  used: number(),
  /** Tokens that the context can hold; may be 0. */
  size: number(),
  /** The session's cost so far; an ISO 4217 currency. */
  cost: optional(object({ amount: number(), currency: string() })),
});
export type Usage = Infer<typeof usage>;

/** The usage of a session, whose cost is that of all connections to its agent. */
export interface SessionUsage extends Usage {
  /** The cost before the agent began to count. `mayRestart`: the agent was connected since its last report, so a lower cost is a new count. */
  readonly costBefore?: { readonly amount: number; readonly mayRestart?: true };
}

/**
 * Tokens as an agent reports them with the end of a turn (RFD "End turn token usage"). The agent decides whether they count that turn or all turns.
 */
export const turnUsage = object({
  total: optional(number()),
  input: optional(number()),
  output: optional(number()),
  thought: optional(number()),
  cachedRead: optional(number()),
  cachedWrite: optional(number()),
});
export type TurnUsage = Infer<typeof turnUsage>;

/**
 * One answer that the agent offers. `kind` is allow_once, allow_always, reject_once, reject_always or an unknown word. The answer names the
 * `optionId`.
 */
export const permissionOption = object({ optionId: string(), name: string(), kind: string() });
export type PermissionOption = Infer<typeof permissionOption>;

/** An environment variable that the agent sets for a command. In a journal, the values of secrets are redacted. */
export const environmentVariable = object({ name: string(), value: string() });
export type EnvironmentVariable = Infer<typeof environmentVariable>;

/** The reason for a question by ACP Host itself before it does what the agent requests. */
const askReason = variant('type', {
  /**
   * `rule` is the pattern that protects the file. `path` is the agent's name of it, `target` its real path where that differs. `overwrites` is set
   * for a write over a file that only a rule for reading protects: its text would be lost.
   */
  protected_path: object({
    access: literal('read', 'write'),
    rule: string(),
    path: string(),
    target: optional(string()),
    overwrites: optional(boolean()),
  }),
  /** A command. `unasked`: the agent was given no permission in this turn. `variables`: the names that the agent sets in its environment. */
  command: object({ unasked: boolean(), variables: array(string()) }),
  /** A rule that the user wrote, or the setting for a tool of the editor. `rule` is its text, `path` the agent's name of the file, the address, or the title of the tool. */
  rule: object({ kind: literal('read', 'write', 'command', 'address', 'tool'), rule: string(), path: optional(string()) }),
  /** The same call was made twice in this turn, and a rule or a mode allowed it. */
  repetition: object({ kind: optional(literal('read', 'write', 'command', 'tool')), path: optional(string()) }),
});
export type AskReason = Infer<typeof askReason>;

/** The subject of a permission request, as the request itself described it. The tool call's data never overwrites it. */
export const permissionSubject = object({
  /** Absent when the agent itself asks. */
  reason: optional(askReason),
  toolCallId: optional(string()),
  kind: optional(string()),
  content: optional(array(toolContent)),
  locations: optional(array(location)),
  rawInput: optional(unknown()),
  /** The command of v2's `command` subject. */
  command: optional(string()),
  cwd: optional(string()),
  /** The variables that the agent sets for {@link command}. Variables that decide what runs come first. */
  environment: optional(array(environmentVariable)),
  /** Absolute path of the program, where the command alone does not identify it. */
  program: optional(string()),
  /** The host's advice. It arrives with `permission_advised`, after the question. */
  advice: fallback(advice),
});
export type PermissionSubject = Infer<typeof permissionSubject>;

export const exitStatus = object({ exitCode: optional(number()), signal: optional(string()) });
export type ExitStatus = Infer<typeof exitStatus>;

/** A piece of work that continues beside turns. An unknown type means that something runs. */
export const backgroundItem = object({
  /** One of terminal, tool_call and subagent, or an unknown word. */
  type: string(),
  terminalId: optional(string()),
  toolCallId: optional(string()),
  subagentId: optional(string()),
});
export type BackgroundItem = Infer<typeof backgroundItem>;

/** A value that the `env_var` sign-in of older agents wants in the agent's environment. */
const authVariable = object({
  name: string(),
  label: optional(string()),
  /** True for a value that is typed like a password. */
  secret: boolean(),
  optional: boolean(),
});
export type AuthVariable = Infer<typeof authVariable>;

/** A way to sign in that the agent offers (protocol page "Authentication"). */
export const authMethod = object({
  methodId: string(),
  name: string(),
  description: optional(string()),
  /**
   * The type of the method. An unknown word counts as agent.
   *
   * - `agent`: by `authenticate`.
   * - `terminal`: the agent's own program in a terminal, with `args` appended and `env` added.
   * - `env_var` (older agents, only with `vars`): values in the environment of a new process, then `authenticate`.
   */
  type: string(),
  /** A program that older agents name for the type terminal. With `args` alone it replaces the agent's own program, after the user has agreed. */
  command: optional(string()),
  args: optional(array(string())),
  env: optional(record(string())),
  vars: optional(array(authVariable)),
  /** A web address where the user gets the values of `vars`. */
  link: optional(string()),
  /** The secret that `authenticate` sends for a method of type `agent`: an API key, or the address of a gateway with its headers. */
  asks: optional(literal('key', 'gateway')),
  /** The provider of the key, or the protocol of the gateway. */
  provider: optional(string()),
});
export type AuthMethod = Infer<typeof authMethod>;

/** The optional session methods that an agent has (protocol page "Session Setup" and those of the methods). */
export const sessionCapabilities = object({
  load: boolean(),
  resume: boolean(),
  list: boolean(),
  /** True when the agent says whether it has a session in memory (`session/status`, unstable). Absent when not offered, like the next one. */
  status: optional(boolean()),
  /** True when the agent can forget the end of a conversation (RFD "Session Rewind"). */
  rewind: optional(boolean()),
  close: boolean(),
  delete: boolean(),
  /** Unstable (RFD "Session Fork"). Absent when not offered, like the next ones. */
  fork: optional(boolean()),
  /** True when a fork can end after one of the agent's messages. */
  forkAt: optional(boolean()),
  setTitle: optional(boolean()),
  /** True when the agent archives sessions (`session/archive`, unstable). */
  archive: optional(boolean()),
  /** True when a message can be put into the running turn (`_session/steering`, an extension that several agents share). */
  steer: optional(boolean()),
  /** Texts for the system prompt are taken (RFD "Client-Provided System Prompt"): after the agent's own one, or also in its place. */
  systemPrompt: optional(literal('append', 'override')),
  /** True when the options can be read and set before there is a session (`session/options`, unstable). */
  options: optional(boolean()),
  /** True when the agent's account can be read (`auth/status`, unstable). */
  authStatus: optional(boolean()),
  /** True when the endpoints of the models can be set (RFD "Configurable LLM Providers", unstable). */
  providers: optional(boolean()),
  /** True when the account's limits can be read (RFD "Quotas and Limits"). */
  quota: optional(boolean()),
  additionalDirectories: boolean(),
  logout: boolean(),
  /** True when the agent reports the start and the end of each turn, also of those that it begins itself. */
  reportsTurns: optional(boolean()),
  /** True when this client may only read the sessions, because another user shares them so. */
  readOnly: optional(boolean()),
});
export type SessionCapabilities = Infer<typeof sessionCapabilities>;

export const promptCapabilities = object({ image: boolean(), audio: boolean(), embeddedContext: boolean() });
export type PromptCapabilities = Infer<typeof promptCapabilities>;

export const agentInfo = object({ name: optional(string()), title: optional(string()), version: optional(string()) });
export type AgentInfo = Infer<typeof agentInfo>;

/** The size limit, because a view reserves room for that many characters. */
const characters = integer({ min: 1, max: MAX_TERMINAL_SIZE });

/** The schemas of the events about terminals. @param base the fields of every event */
export function terminalEvents<const B extends Fields>(base: B) {
  return {
    /**
     * Creates or updates a terminal, ours (v1 `terminal/*`) or the agent's own. An omitted field keeps its value, null clears it. `output` replaces the
     * earlier output.
     */
    terminal_update: object({
      ...base,
      terminalId: string(),
      /** True when our own process runs it, so that Stop can be offered. */
      ours: optional(boolean()),
      /** The command for display: the arguments joined, or the shell line. */
      command: optional(nullable(string())),
      cwd: optional(nullable(string())),
      /** The variables that the agent sets for the command. */
      environment: optional(array(environmentVariable)),
      /** The same as in a permission's subject. */
      program: optional(string()),
      /** True when the command runs as a line of the user's shell. */
      shell: optional(boolean()),
      /** True when no pty is available, so that a pipe is used. */
      pipe: optional(boolean()),
      /** Absent while it is `TERMINAL_SIZE`. */
      size: optional(nullable(object({ columns: characters, rows: characters }))),
      /** The command starts or stops waiting for input. */
      waiting: optional(boolean()),
      output: optional(nullable(string())),
      exitStatus: optional(nullable(exitStatus)),
      /** True when the command ended because the window that ran it has ended. */
      lost: optional(boolean()),
      /** The agent released the terminal. Its output stays readable here. */
      released: optional(boolean()),
      /** True when the user can stop the command of an agent's terminal. */
      canCancel: optional(nullable(boolean())),
    }),
    /** More output, decoded, escape sequences included. `skipped` counts earlier bytes that exceeded the limit of the card and were not sent. */
    terminal_output: object({ ...base, terminalId: string(), text: string(), skipped: optional(number()) }),
  };
}
