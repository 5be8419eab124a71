/** Claude Code's rules: `permissions.allow`, `ask` and `deny` of the user's settings. Pure. */
import type { RuleBody } from '../../../../core/advice/advice';
import type { Effect } from '../../../../policy/rule';
import { commandRule, type Imported, importedOf, NOTHING, type NotImportedReason, pathPatterns } from './imported';

type Result = RuleBody | NotImportedReason;

const EFFECTS: readonly Effect[] = ['deny', 'ask', 'allow'];
/** The tools that have the same meaning as a kind of the protocol. */
const FILE_TOOLS: Readonly<Record<string, string>> = { Read: 'read', Edit: 'edit', Write: 'edit', MultiEdit: 'edit', NotebookEdit: 'edit' };
const PREFIX = 'mcp__';

/** @param text the text of `~/.claude/settings.json` */
export function claudeRules(text: string): Imported {
  const { permissions } = parsed(text);
  if (typeof permissions !== 'object' || permissions === null) {
    return NOTHING;
  }
  const lists = permissions as Readonly<Record<string, unknown>>;
  return importedOf(
    EFFECTS.flatMap((effect) => {
      const list: readonly unknown[] = Array.isArray(lists[effect]) ? lists[effect] : [];
      return list.flatMap((written) =>
        typeof written === 'string'
          ? rulesOf(effect, written).map((result) => [`${effect}: ${written}`, result] as const)
          : [[`${effect}: ${JSON.stringify(written)}`, 'unreadable'] as const],
      );
    }),
  );
}

function rulesOf(effect: Effect, written: string): readonly Result[] {
  const [, tool = '', argument] = /^([\w-]+(?:\*)?)(?:\((.*)\))?$/s.exec(written.trim()) ?? [];
  if (tool.startsWith(PREFIX)) {
    return [argument === undefined ? mcpRule(effect, tool.slice(PREFIX.length)) : 'pattern'];
  }
  const isAll = argument === undefined || argument === '' || argument === '*';
  if (tool === 'Bash') {
    return [isAll ? { effect, tool: 'execute' } : bashRule(effect, argument)];
  }
  if (Object.hasOwn(FILE_TOOLS, tool)) {
    return isAll ? [{ effect, tool: FILE_TOOLS[tool]! }] : fileRules(effect, FILE_TOOLS[tool]!, argument);
  }
  if (tool === 'WebFetch') {
    const host = /^domain:([\w.*-]+)$/.exec(argument ?? '')?.[1];
    return [isAll ? { effect, tool: 'fetch' } : host === undefined ? 'pattern' : { effect, host }];
  }
  return ['tool'];
}

/** `npm run test:*` and `npm run test *` mean any further arguments. */
function bashRule(effect: Effect, argument: string): Result {
  const [, words, rest] = /^(.*?)(:\*| \*)?$/s.exec(argument) ?? [];
  return commandRule(effect, words ?? '', rest !== undefined);
}

/** A pattern is relative to the folder of the session, unless it begins with `/`, `//` or `~`. */
function fileRules(effect: Effect, tool: string, pattern: string): readonly Result[] {
  if (/^(?:\/|~|[A-Za-z]:)/.test(pattern)) {
    return ['outside'];
  }
  // A name without a folder matches at any depth, like in `.gitignore`.
  const isNarrow = effect === 'allow' && pattern.replace(/\/$/, '').includes('/');
  return pathPatterns(pattern, isNarrow)?.map((path): RuleBody => ({ effect, tool, path })) ?? ['pattern'];
}

function mcpRule(effect: Effect, name: string): Result {
  const parts = name.split('__');
  const [server = '', tool] = parts;
  if (server === '' || parts.length > 2 || /[*]/.test(server)) {
    return 'ambiguous';
  }
  return tool === undefined || tool === '*' ? { effect, mcp: server } : /[*]/.test(tool) ? 'pattern' : { effect, mcp: `${server}/${tool}` };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
