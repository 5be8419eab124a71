/** The folded input and output of a tool: as names and values, or as the agent's JSON. A large value is fetched on demand. */
import { type BulkField, isBulk } from '../../../src/core/protocol/view';
import { useDisclosure, useSelect, useView } from '../../state/context';
import { t } from '../../base/l10n';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { CopyButton } from '../../markdown/code/actions';
import { Disclosure } from '../../components/disclosure';
import { Json } from './json';
import { isEmpty, jsonText, parsedBulk } from '../../base/jsonText';
import { firstLines } from '../terminal/firstLines';
import { type NamedValue, namedValues } from './values';

/** Lines of a value, and of all values, shown before the user expands them. */
const SHORT = 20;
const LONG = 200;

interface Props {
  readonly entryId: string;
  readonly field: BulkField;
  readonly label: string;
  readonly value: unknown;
  readonly open?: boolean;
}

/** Renders nothing for a value without content. */
export function Raw({ entryId, field, label, value, open = false }: Props) {
  if (isEmpty(value)) {
    return null;
  }
  return (
    <Disclosure name={`${entryId}/${field}`} label={label} open={open} class="raw">
      {() => <RawValue entryId={entryId} field={field} label={label} value={value} />}
    </Disclosure>
  );
}

function RawValue({ entryId, field, label, value }: Omit<Props, 'open'>) {
  const { mirror } = useView();
  const whole = useSelect((_, from) => from.bulk(entryId, field));
  const [asJson, setAsJson] = useDisclosure(`${entryId}/${field}/json`, false);
  const name = `${entryId}/${field}/value`;
  if (isBulk(value) && whole === undefined) {
    return (
      <>
        <div class="raw-text">
          <pre tabIndex={0} role="group" aria-label={label} dir="ltr">
            {escapeMisleading(value.head)}…
          </pre>
        </div>
        <button type="button" class="text-button" onClick={() => mirror.askForBulk(entryId, field)}>
          {t('Show all {count} characters', { count: value.length })}
        </button>
      </>
    );
  }
  const known = whole === undefined || !isBulk(value) ? value : parsedBulk(whole);
  const values = namedValues(known);
  const text = jsonText(known);
  return (
    <div class="raw-text">
      {values && !asJson ? (
        <Values values={values} name={name} />
      ) : typeof known === 'string' ? (
        <LongText text={text} name={name} label={label} />
      ) : (
        <Json text={text} name={name} lines={LONG} label={label} class="raw-json" />
      )}
      <div class="raw-bar">
        {values && (
          <button type="button" class="text-button" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
            JSON
          </button>
        )}
        <CopyButton text={() => text} />
      </div>
    </div>
  );
}

function Values({ values, name }: { values: readonly NamedValue[]; name: string }) {
  return (
    <dl class="values">
      {values.map((value) => (
        <div key={value.name} class={value.type === 'word' ? 'value' : 'value value-block'}>
          <dt>
            <bdi>{oneLine(value.name, 80) || '""'}</bdi>
          </dt>
          <dd dir="auto">
            {value.type === 'word' ? (
              escapeMisleading(value.text)
            ) : value.type === 'text' ? (
              <LongText text={value.text} name={`${name}.${value.name}`} label={oneLine(value.name, 80)} />
            ) : (
              <Json text={value.text} name={`${name}.${value.name}`} lines={SHORT} label={oneLine(value.name, 80)} class="raw-json" />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function LongText({ text, name, label }: { text: string; name: string; label: string }) {
  const [all, setAll] = useDisclosure(`${name}/all`, false);
  const { text: shown, cut } = all ? { text, cut: false } : firstLines(text, SHORT);
  return (
    <>
      <pre tabIndex={0} role="group" aria-label={label}>
        {escapeMisleading(shown)}
      </pre>
      {cut && (
        <button type="button" class="text-button" onClick={() => setAll(true)}>
          {t('Show all {count} lines', { count: text.split('\n').length })}
        </button>
      )}
    </>
  );
}
