/** Reads the rules of a theme and of the user's `editor.tokenColorCustomizations` from untrusted JSON. Pure. */
import type { CodeRule } from '../../core/model/theme';

const MAX_RULES = 10_000;
const MAX_SCOPES = 1_000;
/** The maximum number of UTF-16 units of one scope selector. */
const MAX_SCOPE = 500;

type Fields = Readonly<Record<string, unknown>>;

/** The scopes for the setting's simple keys. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  comments: ['comment', 'punctuation.definition.comment'],
  strings: ['string', 'meta.embedded.assembly'],
  keywords: ['keyword - keyword.operator', 'keyword.control', 'storage', 'storage.type'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable', 'entity.name.variable'],
};

/** Returns the rules in a list of `tokenColors`. Invalid rules are left out, and rules without scopes, which colour the editor and not the code. */
export function rulesOf(tokenColors: unknown): CodeRule[] {
  const items = Array.isArray(tokenColors) ? tokenColors.slice(0, MAX_RULES) : [];
  return items.flatMap((item: unknown) => (isFields(item) ? (ruleOf(item.scope, item.settings) ?? []) : []));
}

/** Returns the user's changes of the theme with this name. Later rules override earlier ones. */
export function customRules(setting: unknown, themeName: string): CodeRule[] {
  if (!isFields(setting)) {
    return [];
  }
  const own = Object.entries(setting).filter(([key]) => namesTheme(key, themeName));
  return [setting, ...own.map(([, part]) => part)].flatMap(partRules);
}

function partRules(part: unknown): CodeRule[] {
  if (!isFields(part)) {
    return [];
  }
  const groups = Object.entries(GROUPS).flatMap(([group, scope]) => {
    const value = part[group];
    return ruleOf([...scope], typeof value === 'string' ? { foreground: value } : value) ?? [];
  });
  return [...groups, ...rulesOf(part.textMateRules)];
}

/** True for keys such as `[Theme]`, `[One][Another]` or `[*Dark*]` that match the theme's name. */
function namesTheme(key: string, themeName: string): boolean {
  const names = /^\[.+\]$/.test(key) ? (key.match(/\[.+?\]/g) ?? []) : [];
  return names.some((bracketed) => {
    const name = bracketed.slice(1, -1);
    const [open, close] = [name.startsWith('*'), name.length > 1 && name.endsWith('*')];
    const word = name.slice(open ? 1 : 0, close ? -1 : undefined);
    return open ? (close ? themeName.includes(word) : themeName.endsWith(word)) : close ? themeName.startsWith(word) : themeName === word;
  });
}

function ruleOf(scopes: unknown, settings: unknown): CodeRule | undefined {
  if (!isFields(settings)) {
    return undefined;
  }
  const scope = scopesOf(scopes);
  const foreground = isColour(settings.foreground) ? settings.foreground : undefined;
  const fontStyle = fontStyleOf(settings.fontStyle);
  if (scope.length === 0 || (foreground === undefined && fontStyle === undefined)) {
    return undefined;
  }
  return { scope, ...(foreground !== undefined && { foreground }), ...(fontStyle !== undefined && { fontStyle }) };
}

function scopesOf(scopes: unknown): string[] {
  const list = typeof scopes === 'string' ? [scopes] : Array.isArray(scopes) ? scopes.slice(0, MAX_SCOPES) : [];
  return list
    .flatMap((each: unknown) => (typeof each === 'string' ? each.split(',', MAX_SCOPES) : []))
    .map((each) => each.trim())
    .filter((each) => each !== '' && each.length <= MAX_SCOPE);
}

function isColour(value: unknown): value is string {
  return typeof value === 'string' && /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value);
}

function fontStyleOf(value: unknown): string | undefined {
  return typeof value === 'string' ? (value.match(/\b(?:italic|bold|underline|strikethrough)\b/g) ?? []).join(' ') : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
