/** The tools of the editor's MCP server: their shape, their context and their answers. A tool knows neither the transport nor VS Code. */
import type { ZodObject, output } from 'zod';
import type { Roots } from '../../core/model/roots';

/** The groups that the user can switch off (`acpHost.editorToolCategories`). */
export const CATEGORIES = [
  'problems',
  'symbols',
  'navigation',
  'information',
  'edits',
  'search',
  'editors',
  'tasks',
  'terminals',
  'debugging',
  'tests',
  'notebooks',
  'user',
  'extensions',
] as const;

export type ToolCategory = (typeof CATEGORIES)[number];

/** The session that a call belongs to. */
export interface ToolSession {
  /** The session's key in this window. */
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: Roots;
}

export interface ToolContext {
  readonly session: ToolSession;
  /** Aborts when the agent cancels the call, when its time has expired, and when the session ends. */
  readonly signal: AbortSignal;
  /** Reports to the agent how far the call is. @param done of `total` steps, from 0 */
  progress(done: number, total: number | undefined, message: string): void;
  /** True when the call ended because its time had expired; then a tool answers with what it has. */
  readonly timedOut: boolean;
}

/** The result of a call. */
export interface ToolAnswer {
  /** The text for the model: places as `file:line`, each with a preview. */
  readonly text: string;
  /** The same as data. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** True for a call that failed in a way that the model can correct, such as an unknown symbol. The text says how. */
  readonly isError?: boolean;
  /** The value for `cursor` that continues the list. */
  readonly nextCursor?: string;
}

export interface EditorTool<Input extends ZodObject = ZodObject> {
  /** Lower case with underscores, stable over versions: prompts and rules name it. */
  readonly name: string;
  readonly category: ToolCategory;
  /** For people, in English: an agent shows it. */
  readonly title: string;
  /** For models. The same bytes on every machine and in every call, because prompts are cached. */
  readonly description: string;
  /** True for a tool that changes nothing and runs nothing. All others ask the policy before they run. */
  readonly isReadOnly: boolean;
  readonly input: Input;
  /** The JSON schema to publish instead of that of `input`, for a tool whose input is checked elsewhere. Then `input` accepts any object. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Milliseconds until the call answers `timedOut`. */
  readonly timeout: number;
  run(input: output<Input>, context: ToolContext): Promise<ToolAnswer>;
}

/** Keeps the type of the input for `run`. */
export function editorTool<Input extends ZodObject>(tool: EditorTool<Input>): EditorTool {
  return tool as unknown as EditorTool;
}
