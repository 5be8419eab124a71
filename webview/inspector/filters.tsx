/** The filters of the inspector: search, program, direction, method, session, errors. */
import { NO_FILTER, type RowFilter } from '../../src/core/inspector/filterRows';
import { MAX_QUERY } from '../../src/core/inspector/inspectorPage';
import { t } from '../base/l10n';

interface FiltersProps {
  readonly filter: RowFilter;
  change(filter: RowFilter): void;
  readonly hops: readonly string[];
  readonly methods: readonly string[];
  readonly sessions: readonly string[];
}

type Choice = readonly [value: string, label: string];

export function Filters({ filter, change, hops, methods, sessions }: FiltersProps) {
  const choose = (more: Partial<RowFilter>): void => change({ ...filter, ...more });
  const isFiltered = (Object.keys(NO_FILTER) as (keyof RowFilter)[]).some((name) => filter[name] !== NO_FILTER[name]);
  return (
    <div class="inspector-filters" role="search" aria-label={t('Filter the messages')}>
      <input
        type="search"
        class="inspector-input"
        aria-label={t('Search in messages')}
        placeholder={t('Search in messages')}
        maxLength={MAX_QUERY}
        value={filter.query}
        onInput={(event) => choose({ query: event.currentTarget.value })}
      />
      {hops.length > 0 && (
        <Select
          label={t('Program')}
          value={filter.hop}
          choices={[['', t('All programs')], ['own', 'ACP Host'], ...hops.map((hop, index): Choice => [String(index), hop])]}
          choose={(hop) => choose({ hop })}
        />
      )}
      <Select
        label={t('Direction')}
        value={filter.direction}
        choices={[
          ['', t('Both directions')],
          ['sent', t('To the agent')],
          ['received', t('From the agent')],
        ]}
        choose={(direction) => choose({ direction: direction as RowFilter['direction'] })}
      />
      <Select
        label={t('Method')}
        value={filter.method}
        choices={[['', t('All methods')], ...known(filter.method, methods)]}
        choose={(method) => choose({ method })}
      />
      {(sessions.length > 1 || filter.sessionId !== '') && (
        <Select
          label={t('Session')}
          value={filter.sessionId}
          choices={[['', t('All sessions')], ...known(filter.sessionId, sessions)]}
          choose={(sessionId) => choose({ sessionId })}
        />
      )}
      <button
        type="button"
        class="button button-secondary inspector-toggle"
        aria-pressed={filter.onlyErrors}
        onClick={() => choose({ onlyErrors: !filter.onlyErrors })}
      >
        {t('Errors Only')}
      </button>
      {isFiltered && (
        <button type="button" class="text-button" onClick={() => change(NO_FILTER)}>
          {t('Clear Filters')}
        </button>
      )}
    </div>
  );
}

/** The choices, with the chosen one also when no message has it yet. */
function known(chosen: string, choices: readonly string[]): readonly Choice[] {
  const all = chosen === '' || choices.includes(chosen) ? choices : [chosen, ...choices];
  return all.map((choice) => [choice, choice]);
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  choose(value: string): void;
}

function Select({ label, value, choices, choose }: SelectProps) {
  return (
    <select class="inspector-select" aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}
