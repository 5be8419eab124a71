/** VS Code's own rules for its chat: `chat.tools.terminal.autoApprove` and `chat.tools.edits.autoApprove`. Pure. */
import type { RuleBody } from '../../../../core/advice/advice';
import { commandRule, type Imported, importedOf, NOTHING, type NotImportedReason, pathPatterns } from './imported';

type Result = RuleBody | NotImportedReason;

/** @param setting the user's value, unchecked */
export function vscodeTerminalRules(setting: unknown): Imported {
  return isFields(setting)
    ? importedOf(Object.entries(setting).map(([key, value]) => [`${key}: ${JSON.stringify(value)}`, terminalRule(key, value)]))
    : NOTHING;
}

function terminalRule(key: string, value: unknown): Result {
  if (value === null) {
    return 'unset';
  }
  const { approve, matchCommandLine } = isFields(value) ? value : { approve: value, matchCommandLine: false };
  if (typeof approve !== 'boolean') {
    return 'unreadable';
  }
  // A rule of ours is about the single commands of a line.
  if (matchCommandLine === true) {
    return 'whole_line';
  }
  // `false` means that VS Code asks.
  const effect = approve ? 'allow' : 'ask';
  const expression = /^\/(.*)\/(\w*)$/s.exec(key);
  if (!expression) {
    return commandRule(effect, key, true);
  }
  const [, source = '', flags = ''] = expression;
  const literal = /^\^((?:[\w@%+=:, -]|\\[./-])+)(\$|\\b)$/.exec(source);
  return literal && flags === '' ? commandRule(effect, literal[1]!.replaceAll('\\', ''), literal[2] !== '$') : 'pattern';
}

/** @param setting the user's value, unchecked */
export function vscodeEditRules(setting: unknown): Imported {
  return isFields(setting)
    ? importedOf(
        Object.entries(setting).flatMap(([glob, value]) =>
          editRules(glob, value).map((result) => [`${glob}: ${JSON.stringify(value)}`, result] as const),
        ),
      )
    : NOTHING;
}

function editRules(glob: string, value: unknown): readonly Result[] {
  if (typeof value !== 'boolean') {
    return ['unreadable'];
  }
  // The pattern of an absolute path is for files outside of the session's folders, too.
  if (/^(?:\/|~|[A-Za-z]:|\w+:\/\/)/.test(glob)) {
    return ['outside'];
  }
  return pathPatterns(glob, value)?.map((path): RuleBody => ({ effect: value ? 'allow' : 'ask', tool: 'edit', path })) ?? ['pattern'];
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
