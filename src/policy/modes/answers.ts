/** Answers for always that the user has given to an agent's own requests. They hold for the session, so that an agent that forgets one asks no more. */
import type { PermissionOption, PermissionSubject } from '../../core/model/content';
import { partsOf } from '../agentRequests';
import type { ToolNames } from '../mcpTool';
import type { RequestPart, Rule } from '../rule';

/** The most answers of a session. The oldest is dropped. */
const MAX_ANSWERS = 1000;

interface GivenAnswer {
  readonly effect: 'allow' | 'deny';
  /** The name of the option that the user chose. */
  readonly option: string;
  readonly optionId: string;
}

/** Kinds of tools whose call is known only by its input when the agent names neither a command nor a file. */
const BY_INPUT: ReadonlySet<string> = new Set(['edit', 'delete', 'move', 'execute', 'read', 'fetch', 'search']);

export class GivenAnswers {
  private readonly answers = new Map<string, GivenAnswer>();

  /** Remembers the answer when it is one for always. */
  remember(subject: PermissionSubject, title: string, option: PermissionOption | undefined, names: ToolNames = {}): void {
    const effect = option?.kind === 'allow_always' ? 'allow' : option?.kind === 'reject_always' ? 'deny' : undefined;
    if (!option || !effect) {
      return;
    }
    const key = keyOf(subject, title, names);
    this.answers.delete(key);
    this.answers.set(key, { effect, option: option.name, optionId: option.optionId });
    const [oldest] = this.answers.keys();
    if (this.answers.size > MAX_ANSWERS && oldest !== undefined) {
      this.answers.delete(oldest);
    }
  }

  /** Returns the rule of the user's earlier answer to the same call. */
  rulesFor(subject: PermissionSubject, title: string, names: ToolNames = {}): readonly Rule[] {
    const answer = this.answerTo(subject, title, names);
    if (!answer) {
      return [];
    }
    const { effect, option } = answer;
    const reason = { code: 'answered_before', params: { text: option } } as const;
    return [{ id: 'answer', effect, match: {}, reason, origin: 'answer', ...(effect === 'allow' && { answers: ['agent'] as const }) }];
  }

  /** Returns the option that the user chose for the same call, when the agent offers it again. Its kind must be the same, too. */
  optionIn(options: readonly PermissionOption[], subject: PermissionSubject, title: string, names: ToolNames = {}): string | undefined {
    const given = this.answerTo(subject, title, names);
    const kind = given?.effect === 'allow' ? 'allow_always' : 'reject_always';
    return options.find((option) => option.optionId === given?.optionId && option.kind === kind)?.optionId;
  }

  private answerTo(subject: PermissionSubject, title: string, names: ToolNames): GivenAnswer | undefined {
    return this.answers.size > 0 ? this.answers.get(keyOf(subject, title, names)) : undefined;
  }
}

/**
 * Identifies a call as narrowly as the agent describes it: the tool with its command line, folder and variables, its files or its address. A tool of an
 * MCP server is identified by its name and its server, and a tool without any of these by its kind and title. The agent's own answer may be wider, but
 * ACP Host cannot know how wide.
 */
function keyOf(subject: PermissionSubject, title: string, names: ToolNames): string {
  const all = partsOf(subject, title, names);
  const { kind = '', rawInput, content } = subject;
  // A part without a command, a file, an address or an MCP tool is known by its title, and by the input of a tool whose titles repeat.
  const isVague = all.some((part) => part.kind === 'tool');
  const details = isVague ? [title, BY_INPUT.has(kind) ? [rawInput, content] : null] : null;
  return JSON.stringify([all.map(partKeyOf), details]);
}

function partKeyOf(part: RequestPart): readonly unknown[] {
  switch (part.kind) {
    case 'command':
      return [part.kind, part.tool, part.command.trim(), part.cwd, part.environment];
    case 'mcp':
      return [part.kind, part.server, part.mcpTool];
    case 'address':
      return [part.kind, part.tool, part.url];
    case 'tool':
      return [part.kind, part.tool];
    default:
      return [part.kind, part.tool, part.path];
  }
}
