/** The first lines of JSON, with syntax colours. */
import { useDisclosure } from '../../state/context';
import { t } from '../../base/l10n';
import { CodeLines } from '../../markdown/code/lines';
import { firstLines } from '../terminal/firstLines';

interface Props {
  readonly text: string;
  /** Unique in the session. */
  readonly name: string;
  /** Lines shown before the user expands the JSON. */
  readonly lines: number;
  readonly label: string;
  readonly class?: string;
}

export function Json({ text, name, lines, label, class: className = 'content-text' }: Props) {
  const [all, setAll] = useDisclosure(`${name}/all`, false);
  const shown = all ? { text, cut: false } : firstLines(text, lines);
  return (
    <>
      <pre class={className} tabIndex={0} role="group" aria-label={label} dir="ltr">
        <CodeLines text={shown.text} label="json" />
      </pre>
      {shown.cut && (
        <button type="button" class="text-button" onClick={() => setAll(true)}>
          {t('Show all {count} lines', { count: text.split('\n').length })}
        </button>
      )}
    </>
  );
}
