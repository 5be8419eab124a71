/** The rules of other programs as rows, so that the user sees each one before it is imported. Pure. */
import type { RuleBody } from '../../../../core/advice/advice';
import { readRule } from '../../../../policy/rules/parseRules';
import { ruleIdOf } from '../../../../policy/rules/ruleId';
import { userRuleText } from '../../../../text/messages/userRules';
import { type InertText, inertLine } from '../../../shared/escape';
import type { Translate } from '../../../shared/translate';
import type { Imported, NotImported } from './imported';

/** The entries of one program's settings. */
export interface ImportSource extends Imported {
  /** The name of the program, and the setting or file. */
  readonly name: string;
}

export interface ImportRow {
  readonly label: InertText;
  readonly description: InertText;
  readonly detail: InertText;
  readonly rule: RuleBody;
}

const MAX_TEXT = 300;

/** @param known the ids of the rules that exist already */
export function importRows(sources: readonly ImportSource[], known: ReadonlySet<string>, t: Translate): readonly ImportRow[] {
  const seen = new Set(known);
  return sources.flatMap(({ name, rules }) =>
    rules.flatMap(({ rule, written }) => {
      const id = ruleIdOf(rule);
      if (seen.has(id) || !('rule' in readRule(rule))) {
        return [];
      }
      seen.add(id);
      return [
        {
          label: inertLine(userRuleText(rule, t), MAX_TEXT),
          description: inertLine(name, MAX_TEXT),
          detail: inertLine(written, MAX_TEXT),
          rule,
        },
      ];
    }),
  );
}

/** Returns the entries that have no equal rule, as a text with one line each. */
export function leftText(sources: readonly ImportSource[], t: Translate): string {
  return sources
    .flatMap(({ name, left }) =>
      left.map(({ written, reason }) => `${name}\n    ${inertLine(written, MAX_TEXT)}\n    ${reasonText(reason, t)}\n`),
    )
    .join('\n');
}

function reasonText(reason: NotImported['reason'], t: Translate): InertText {
  switch (reason) {
    case 'pattern':
      return t('Its pattern has no equal here.');
    case 'wrapper':
      return t('The program runs any other command.');
    case 'whole_line':
      return t('It is about whole lines, and rules here are about the commands of a line.');
    case 'outside':
      return t('It is about absolute paths, and rules here are about files in the folders of a session.');
    case 'tool':
      return t('The tool has no equal here.');
    case 'unset':
      return t('It has no value.');
    case 'ambiguous':
      return t('The name can be read in several ways.');
    case 'unreadable':
      return t("It can't be read.");
  }
}
