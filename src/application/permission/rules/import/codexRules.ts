/** Codex's rules: calls of `prefix_rule` in `~/.codex/rules/*.rules`. The files are programs, of which only plain calls are read. Pure. */
import type { RuleBody } from '../../../../core/advice/advice';
import type { Effect } from '../../../../policy/rule';
import { commandRule, type Imported, importedOf, type NotImportedReason } from './imported';

const DECISIONS: Readonly<Record<string, Effect>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' };
/** A rule with more combinations of alternatives is left out. */
const MAX_COMBINATIONS = 50;

type Value = string | readonly Value[];

/** @param text the text of one file */
export function codexRules(text: string): Imported {
  return importedOf(
    statements(text).flatMap((statement) => rulesOf(statement).map((result) => [statement.replaceAll(/\s+/g, ' '), result] as const)),
  );
}

function rulesOf(statement: string): readonly (RuleBody | NotImportedReason)[] {
  const inside = /^prefix_rule\s*\(([^]*)\)$/.exec(statement)?.[1];
  const members = inside === undefined ? undefined : new Reader(inside).members();
  if (!members) {
    return ['unreadable'];
  }
  const { pattern, decision = 'allow', justification } = members;
  const effect = typeof decision === 'string' && Object.hasOwn(DECISIONS, decision) ? DECISIONS[decision] : undefined;
  const lines = Array.isArray(pattern) ? combinations(pattern as readonly Value[]) : undefined;
  if (effect === undefined || !lines) {
    return ['unreadable'];
  }
  const message = effect === 'deny' && typeof justification === 'string' ? justification : undefined;
  return lines.map((words) => (words.some((word) => /\s/.test(word)) ? 'pattern' : commandRule(effect, words.join(' '), true, message)));
}

/** Returns all lines of words. A list in the pattern has alternatives for one word. */
function combinations(pattern: readonly Value[]): readonly (readonly string[])[] | undefined {
  let lines: readonly (readonly string[])[] = [[]];
  for (const word of pattern) {
    const choices = typeof word === 'string' ? [word] : word;
    if (choices.length === 0 || !choices.every((choice) => typeof choice === 'string')) {
      return undefined;
    }
    lines = lines.flatMap((line) => (choices as readonly string[]).map((choice) => [...line, choice]));
    if (lines.length > MAX_COMBINATIONS) {
      return undefined;
    }
  }
  return pattern.length === 0 ? undefined : lines;
}

/** Splits a file into its calls and other statements. Comments are dropped. */
function statements(text: string): readonly string[] {
  const found: string[] = [];
  let [depth, current] = [0, ''];
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== '') {
      current += character;
      if (character === '\\') {
        current += text[++at] ?? '';
      } else if (character === quote) {
        quote = '';
      }
      continue;
    }
    if (character === '#') {
      at = (text.indexOf('\n', at) + 1 || text.length + 1) - 2;
      continue;
    }
    if (character === '"' || character === "'") {
      quote = character;
    }
    depth += /[([{]/.test(character) ? 1 : /[)\]}]/.test(character) ? -1 : 0;
    if (character === '\n' && depth <= 0) {
      found.push(current);
      [depth, current] = [0, ''];
    } else {
      current += character;
    }
  }
  return [...found, current].map((each) => each.trim()).filter((each) => each !== '');
}

/** Reads the named arguments of a call: texts, and lists of them. */
class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Undefined for arguments of any other form. */
  members(): Readonly<Record<string, Value>> | undefined {
    const members: Record<string, Value> = {};
    while (this.next() !== undefined) {
      const name = /^[a-z_]+/.exec(this.text.slice(this.at))?.[0];
      this.at += name?.length ?? 0;
      const value = name !== undefined && this.take('=') ? this.value() : undefined;
      if (name === undefined || value === undefined || Object.hasOwn(members, name)) {
        return undefined;
      }
      members[name] = value;
      if (!this.take(',') && this.next() !== undefined) {
        return undefined;
      }
    }
    return members;
  }

  private value(): Value | undefined {
    if (!this.take('[')) {
      return this.string();
    }
    const values: Value[] = [];
    while (!this.take(']')) {
      const value = this.value();
      if (value === undefined) {
        return undefined;
      }
      values.push(value);
      if (!this.take(',') && this.next() !== ']') {
        return undefined;
      }
    }
    return values;
  }

  /** Escapes other than those of quotes and backslashes are not read. */
  private string(): string | undefined {
    this.next();
    const found = /^(?:"((?:[^"\\\n]|\\["'\\])*)"|'((?:[^'\\\n]|\\["'\\])*)')/.exec(this.text.slice(this.at));
    this.at += found?.[0].length ?? 0;
    return (found?.[1] ?? found?.[2])?.replaceAll(/\\(.)/g, '$1');
  }

  private take(character: string): boolean {
    const isThere = this.next() === character;
    this.at += isThere ? 1 : 0;
    return isThere;
  }

  /** The next character that is not a blank. */
  private next(): string | undefined {
    while (this.at < this.text.length && /\s/.test(this.text[this.at]!)) {
      this.at++;
    }
    return this.text[this.at];
  }
}
