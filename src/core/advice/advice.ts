/** The host's advice on a question: why it is asked, what the operation does, and the rules that would answer it in future. Computed, never guessed. */
import { array, boolean, type Infer, integer, literal, object, optional, record, string } from '../schema/schema';

/** The maximum number of UTF-16 units of a member of a rule. */
const MAX_TEXT = 10_000;
/** The maximum number of examples of a rule. */
const MAX_EXAMPLES = 100;

const text = string({ max: MAX_TEXT });

/** The members of a rule besides its id. Members that are left out match everything. */
export const ruleBody = object({
  effect: literal('allow', 'ask', 'deny'),
  /** The id or the name of an agent. */
  agent: optional(text),
  /** The kind of a tool in the protocol: edit, delete, move, execute, fetch, read, search, other, … */
  tool: optional(text),
  /** A pattern like those of `acpHost.protectedPaths`, for files in the session's folders. */
  path: optional(text),
  /** A pattern of a command line: `npm test`, `npm test *`, or `readsOnly`. */
  command: optional(text),
  /** An MCP server, or `server/tool`. */
  mcp: optional(text),
  /** The host name of an address: `example.com`, or `*.example.com` for every name below it. */
  host: optional(text),
  /** The absolute path of the repository or folder that the rule is for. Absent: everywhere. */
  folder: optional(text),
  /** A text for the agent when the rule denies. */
  message: optional(text),
  /** Examples that the rule must match, and others that it must not match. */
  match: optional(array(text, { max: MAX_EXAMPLES })),
  notMatch: optional(array(text, { max: MAX_EXAMPLES })),
});
export type RuleBody = Infer<typeof ruleBody>;

const ruleScope = literal('session', 'folder', 'always');
export type RuleScope = Infer<typeof ruleScope>;

/** A rule that the user can make with one click. The page sends back only the id, and the host derives the rule again. */
export const ruleSuggestion = object({ id: string({ max: 100 }), rule: ruleBody, scope: ruleScope });
export type RuleSuggestion = Infer<typeof ruleSuggestion>;

/** An effect of the operation that the user should know of. */
export type Risk =
  | 'outside_folders'
  | 'deletes'
  | 'network'
  | 'installs_packages'
  | 'writes_protected'
  | 'administrator'
  | 'runs_code'
  | 'hidden_text';

/** A part of the command line, by its offsets in UTF-16 units. `asks`: no rule allows it. */
const adviceSegment = object({ start: integer(), end: integer(), asks: boolean() });
export type AdviceSegment = Infer<typeof adviceSegment>;

export const advice = object({
  /** The reason for the question, from which `text/messages` makes the sentence. */
  why: optional(object({ code: string({ max: 400 }), params: optional(record(text, { max: 16 })) })),
  /** Words of {@link Risk}. A journal of a newer version may have others. */
  risks: array(string({ max: 100 }), { max: 20 }),
  segments: optional(array(adviceSegment, { max: 1000 })),
  suggestions: optional(array(ruleSuggestion, { max: 20 })),
});
export type Advice = Infer<typeof advice>;
