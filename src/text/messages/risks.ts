/** The risks of a request in words, for the card and the quick pick. Pure. */
import type { Risk } from '../../core/advice/advice';
import type { TranslateVerbatim } from './translate';

/** Returns the words of one risk. Undefined for a risk that a newer version knows. */
export function riskText(risk: string, t: TranslateVerbatim): string | undefined {
  switch (risk as Risk) {
    case 'outside_folders':
      return t("Reaches outside the session's folders");
    case 'deletes':
      return t('Deletes');
    case 'network':
      return t('Uses the network');
    case 'installs_packages':
      return t('Installs packages');
    case 'writes_protected':
      return t('Writes protected files');
    case 'administrator':
      return t('Runs as administrator');
    case 'runs_code':
      return t('Runs code that the command contains');
    case 'hidden_text':
      return t('Contains hidden characters');
    default:
      return undefined;
  }
}
