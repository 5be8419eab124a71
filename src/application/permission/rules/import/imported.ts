/** Rules that were read from another program's settings. */
import type { RuleBody } from '../../../../core/advice/advice';
import type { Effect } from '../../../../policy/rule';

export interface ImportedRule {
  readonly rule: RuleBody;
  /** The entry as it is written there. */
  readonly written: string;
}

/** The reason why an entry has no rule that means the same. */
export type NotImportedReason = 'pattern' | 'wrapper' | 'whole_line' | 'outside' | 'tool' | 'unset' | 'unreadable' | 'ambiguous';

export interface NotImported {
  readonly written: string;
  readonly reason: NotImportedReason;
}

export interface Imported {
  readonly rules: readonly ImportedRule[];
  readonly left: readonly NotImported[];
}

export const NOTHING: Imported = { rules: [], left: [] };

/** Words of a command that need no quotes and mean themselves in a pattern. */
const PLAIN = /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/;
/** Programs that run another command. A permission for one is a permission for everything. */
const WRAPPERS =
  /^(?:sudo|doas|su|env|xargs|timeout|time|nohup|nice|ionice|stdbuf|watch|(?:ba|z|da|k|c|tc|fi)?sh|pwsh|powershell|cmd|find|npx|bunx|pnpx|uvx|eval|exec|command|source|ssh|docker|podman|parallel|script|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|osascript)(?:\.exe)?$/i;

/** Returns the rule for a command and its first arguments. @param rest true when any further arguments are meant */
export function commandRule(effect: Effect, words: string, rest: boolean, message?: string): RuleBody | NotImportedReason {
  const text = words.trim();
  if (!PLAIN.test(text)) {
    return 'pattern';
  }
  const program = text.split(' ')[0]!.split('/').at(-1)!;
  // A narrower command of a wrapper, such as `node build.js`, is one command and no wrapper.
  if (effect === 'allow' && rest && WRAPPERS.test(program)) {
    return 'wrapper';
  }
  return { effect, command: rest ? `${text} *` : text, ...(message && { message }) };
}

/** Sorts the results of single entries. */
export function importedOf(entries: readonly (readonly [written: string, result: RuleBody | NotImportedReason])[]): Imported {
  return {
    rules: entries.flatMap(([written, rule]) => (typeof rule === 'string' ? [] : [{ rule, written }])),
    left: entries.flatMap(([written, reason]) => (typeof reason === 'string' ? [{ written, reason }] : [])),
  };
}

/**
 * Returns the patterns for a glob, with its braces expanded. Undefined for a glob that has no equal.
 * @param isNarrow true for a permission, which must not become wider: a glob without `**` in front then begins at the session's folder
 */
export function pathPatterns(glob: string, isNarrow: boolean): readonly string[] | undefined {
  const expanded = expandBraces(glob.trim().replace(/^\.\//, ''));
  if (!expanded || expanded.some((each) => each === '' || /[[\]!{}\\]/.test(each) || each.split('/').includes('..'))) {
    return undefined;
  }
  return expanded.map((each) => (each.startsWith('**/') || !isNarrow || each === '**' ? each : `/${each}`));
}

/** Expands one level of braces. Undefined for nested ones, and for too many. */
function expandBraces(glob: string): readonly string[] | undefined {
  const found = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(glob);
  if (!found) {
    return /[{}]/.test(glob) ? undefined : [glob];
  }
  const [, before = '', choices = '', after = ''] = found;
  const all = choices.split(',').map((choice) => expandBraces(before + choice + after));
  const flat = all.every((each) => each !== undefined) ? all.flat() : undefined;
  return flat && flat.length <= 50 ? flat : undefined;
}
