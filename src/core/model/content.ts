/**
 * What messages and tool calls are made of, already checked: everything here was decoded from `unknown` at the protocol's door (`acp/`).
 * Shapes follow ACP's content blocks (protocol page "Content") and tool call content ("Tool Calls"), in v2's form where v1 and v2 differ.
 * A kind we do not know is kept whole under `type: 'unknown'`, so that it can be journaled and shown.
 */
import { array, boolean, type Infer, literal, nullable, number, object, optional, record, string, unknown, variant } from './schema';

/** Audience and priority hints that an agent may put on a block. Kept, never acted on without a reason. */
const annotations = record(unknown());
export type Annotations = Infer<typeof annotations>;

const annotated = { annotations: optional(annotations) };

export const contentBlock = variant('type', {
  text: object({ text: string(), ...annotated }),
  image: object({
    /** base64 */
    data: string(),
    mimeType: string(),
    uri: optional(string()),
    ...annotated,
  }),
  audio: object({
    /** base64 */
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
    /** bytes */
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
  /** A block whose type we do not know, or whose known type holds a malformed body. */
  unknown: object({ raw: unknown() }),
});
export type ContentBlock = Infer<typeof contentBlock>;
export type TextBlock = Extract<ContentBlock, { readonly type: 'text' }>;
export type ImageBlock = Extract<ContentBlock, { readonly type: 'image' }>;
export type AudioBlock = Extract<ContentBlock, { readonly type: 'audio' }>;
export type ResourceLinkBlock = Extract<ContentBlock, { readonly type: 'resource_link' }>;
export type ResourceBlock = Extract<ContentBlock, { readonly type: 'resource' }>;
export type UnknownBlock = Extract<ContentBlock, { readonly type: 'unknown' }>;

/** One file of a diff. v1's `{path, oldText, newText}` becomes one change that keeps both texts for the diff editor. */
const fileChange = object({
  /** add, delete, modify, move, copy, or a word we do not know. */
  operation: string(),
  /** Absolute. */
  path: string(),
  oldPath: optional(string()),
  /** `null`: the agent said there was none; absent: the agent did not say. */
  oldText: optional(nullable(string())),
  newText: optional(string()),
  /** 1-based: where in the file the texts begin. Looked up in the file by us (`diff_located`); no agent says it. */
  line: optional(number()),
});
export type FileChange = Infer<typeof fileChange>;

export const toolContent = variant('type', {
  content: object({ content: contentBlock }),
  diff: object({ changes: array(fileChange), patch: optional(string()) }),
  terminal: object({ terminalId: string() }),
  unknown: object({ raw: unknown() }),
});
export type ToolContent = Infer<typeof toolContent>;

/** A place in a file that a tool call touches; `line` is 1-based. */
export const location = object({ path: string(), line: optional(number()) });
export type Location = Infer<typeof location>;

const planEntry = object({
  content: string(),
  /** high, medium, low, or a word we do not know. */
  priority: string(),
  /** pending, in_progress, completed, cancelled, or a word we do not know. */
  status: string(),
});
export type PlanEntry = Infer<typeof planEntry>;

/** v2's plan variants; v1's `plan` update is `items` under `V1_PLAN_ID`. */
export const planBody = variant('type', {
  items: object({ entries: array(planEntry) }),
  markdown: object({ content: string() }),
  file: object({ uri: string() }),
  unknown: object({ raw: unknown() }),
});
export type PlanBody = Infer<typeof planBody>;

const configChoice = object({ value: string(), name: string(), description: optional(string()) });
export type ConfigChoice = Infer<typeof configChoice>;

/** A run of choices; flat lists are one group without a name. */
const configGroup = object({ name: optional(string()), choices: array(configChoice) });
export type ConfigGroup = Infer<typeof configGroup>;

const configHead = { configId: string(), name: string(), description: optional(string()), category: optional(string()) };

/** Protocol page "Session Config Options". Modes are one too, under `MODE_CONFIG_ID`. */
export const configOption = variant('type', {
  select: object({ ...configHead, currentValue: string(), groups: array(configGroup) }),
  boolean: object({ ...configHead, currentValue: boolean() }),
  unknown: object({ configId: string(), name: string(), raw: unknown() }),
});
export type ConfigOption = Infer<typeof configOption>;

/** Protocol page "Slash Commands". */
export const availableCommand = object({
  name: string(),
  description: string(),
  /** Present when the command takes free text after its name. */
  inputHint: optional(string()),
});
export type AvailableCommand = Infer<typeof availableCommand>;

export const usage = object({
  /** tokens in the context now */
  used: number(),
  /** tokens the context can hold; may be 0 */
  size: number(),
  /** cumulative cost of the session; ISO 4217 currency */
  cost: optional(object({ amount: number(), currency: string() })),
});
export type Usage = Infer<typeof usage>;

/** Tokens as an agent reports them with the end of a turn; whether they are of that turn or of all of them, it decides (RFD "End turn token usage"). */
export const turnUsage = object({
  total: optional(number()),
  input: optional(number()),
  output: optional(number()),
  thought: optional(number()),
  cachedRead: optional(number()),
  cachedWrite: optional(number()),
});
export type TurnUsage = Infer<typeof turnUsage>;

/** One answer the agent offers. `kind` is allow_once, allow_always, reject_once, reject_always or a word we do not know; answer by `optionId`. */
export const permissionOption = object({ optionId: string(), name: string(), kind: string() });
export type PermissionOption = Infer<typeof permissionOption>;

/** An environment variable that the agent sets for a command. In a journal, the values of secrets are redacted. */
export const environmentVariable = object({ name: string(), value: string() });
export type EnvironmentVariable = Infer<typeof environmentVariable>;

/** Why ACP Host itself asks before it does what the agent wants. */
const askReason = variant('type', {
  /**
   * `rule` is the pattern that protects the file. `path` is the agent's name of it, `target` its real path where that differs. `overwrites` is set for a
   * write over a file that only a rule for reading protects: its text would be lost.
   */
  protected_path: object({
    access: literal('read', 'write'),
    rule: string(),
    path: string(),
    target: optional(string()),
    overwrites: optional(boolean()),
  }),
  /** A command. `unasked`: because the agent was given no permission in this turn. `variables`: names that the agent sets in its environment. */
  command: object({ unasked: boolean(), variables: array(string()) }),
});
export type AskReason = Infer<typeof askReason>;

/** What the permission is about, as the request itself described it; never folded over the tool call. */
export const permissionSubject = object({
  /** Absent where it is the agent that asks. */
  reason: optional(askReason),
  toolCallId: optional(string()),
  kind: optional(string()),
  content: optional(array(toolContent)),
  locations: optional(array(location)),
  rawInput: optional(unknown()),
  /** v2 `command` subject. */
  command: optional(string()),
  cwd: optional(string()),
  /** What the agent sets in the environment of {@link command}, the variables first that decide what runs. */
  environment: optional(array(environmentVariable)),
  /** Absolute path of the file that runs, where the command alone does not say which one it is. */
  program: optional(string()),
});
export type PermissionSubject = Infer<typeof permissionSubject>;

export const exitStatus = object({ exitCode: optional(number()), signal: optional(string()) });
export type ExitStatus = Infer<typeof exitStatus>;

/** A value that the `env_var` sign-in of older agents wants in the agent's environment. */
const authVariable = object({
  name: string(),
  label: optional(string()),
  /** Typed like a password. */
  secret: boolean(),
  optional: boolean(),
});
export type AuthVariable = Infer<typeof authVariable>;

/** How an agent says who can sign in; protocol page "Authentication". */
export const authMethod = object({
  methodId: string(),
  name: string(),
  description: optional(string()),
  /**
   * agent: by `authenticate`. terminal: the agent's own program in a terminal, with `args` appended and `env` laid over. env_var (older agents, only
   * with `vars`): values in the environment of a new process, then `authenticate`. A word we do not know: as agent.
   */
  type: string(),
  /** Of type terminal, by older agents only: runs instead of the agent's own, with `args` alone, once the user has agreed to it. */
  command: optional(string()),
  args: optional(array(string())),
  env: optional(record(string())),
  vars: optional(array(authVariable)),
  /** Where the values of `vars` are to be had; a web address. */
  link: optional(string()),
});
export type AuthMethod = Infer<typeof authMethod>;

/** Which optional session methods an agent has; protocol page "Session Setup" and those of the methods. */
export const sessionOffers = object({
  load: boolean(),
  resume: boolean(),
  list: boolean(),
  close: boolean(),
  delete: boolean(),
  /** Unstable (RFD "Session Fork"), and absent where it is not offered, as the next one. */
  fork: optional(boolean()),
  setTitle: optional(boolean()),
  /** A message can be put into the running turn (`_session/steering`, an extension that agents share). */
  steer: optional(boolean()),
  additionalDirectories: boolean(),
  logout: boolean(),
});
export type SessionOffers = Infer<typeof sessionOffers>;

export const promptCapabilities = object({ image: boolean(), audio: boolean(), embeddedContext: boolean() });
export type PromptCapabilities = Infer<typeof promptCapabilities>;

export const agentInfo = object({ name: optional(string()), title: optional(string()), version: optional(string()) });
export type AgentInfo = Infer<typeof agentInfo>;
