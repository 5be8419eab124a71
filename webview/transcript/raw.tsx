/** JSON as the agent sent it, folded; the bulk of it is fetched when asked for. */
import { type BulkField, isBulk } from '../../src/core/view';
import { useSelect, useView } from '../context';
import { t } from '../l10n';
import { visible } from '../markdown/bidi';
import { CopyButton } from '../markdown/codeActions';
import { Fold } from './fold';

interface Props {
  readonly entryId: string;
  readonly field: BulkField;
  readonly label: string;
  readonly value: unknown;
  readonly open?: boolean;
}

/** Nothing for a value that says nothing. */
export function Raw({ entryId, field, label, value, open = false }: Props) {
  if (isEmpty(value)) return null;
  return (
    <Fold name={`${entryId}/${field}`} label={label} open={open} class="raw">
      {() => <RawText entryId={entryId} field={field} value={value} />}
    </Fold>
  );
}

function RawText({ entryId, field, value }: Pick<Props, 'entryId' | 'field' | 'value'>) {
  const { mirror } = useView();
  const whole = useSelect((_, from) => from.bulk(entryId, field));
  const text = isBulk(value) ? (whole ?? value.head + '…') : jsonText(value);
  return (
    <>
      <div class="raw-text">
        <pre tabIndex={0} dir="ltr">
          {visible(text)}
        </pre>
        <CopyButton text={() => text} />
      </div>
      {isBulk(value) && whole === undefined && (
        <button type="button" class="text-button" onClick={() => mirror.askForBulk(entryId, field)}>
          {t('Show all {count} characters', { count: value.length })}
        </button>
      )}
    </>
  );
}

export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
