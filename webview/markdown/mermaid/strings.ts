/** The texts about a diagram. */
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';
import type { DiagramImage, Refusal } from './messages';

/** The name for screen readers: the diagram's own title and description, otherwise its type. */
export function diagramName({ type, title, description }: DiagramImage): string {
  const said = [title, description].filter((text) => text !== '').join('. ');
  return said ? oneLine(said, 1000) : typeName(type);
}

/** Mermaid's name of the `type`. */
function typeName(type: string): string {
  switch (type) {
    case 'flowchart-v2':
    case 'flowchart':
    case 'graph':
      return t('Diagram: flowchart');
    case 'sequence':
      return t('Diagram: sequence');
    case 'class':
    case 'classDiagram':
      return t('Diagram: classes');
    case 'state':
    case 'stateDiagram':
      return t('Diagram: states');
    case 'er':
      return t('Diagram: entities and relations');
    case 'gantt':
      return t('Diagram: Gantt chart');
    case 'pie':
      return t('Diagram: pie chart');
    case 'gitGraph':
      return t('Diagram: Git graph');
    case 'journey':
      return t('Diagram: journey');
    case 'mindmap':
      return t('Diagram: mind map');
    case 'timeline':
      return t('Diagram: timeline');
    default:
      return t('Diagram: {type}', { type: oneLine(type, 40) });
  }
}

export function refusalText(refusal: Refusal): string {
  switch (refusal.code) {
    case 'long':
      return t("Can't render the diagram: its source is too long.");
    case 'large':
      return t("Can't render the diagram: it is too large.");
    case 'slow':
      return t("Can't render the diagram: it takes too long.");
    default: {
      const [first = ''] = refusal.words.trim().split('\n', 1);
      return t("Can't render the diagram: {reason}", { reason: oneLine(first.replace(/:\s*$/, ''), 200) });
    }
  }
}
