/** The searchable list of agents. Arrow keys move between the rows, and Tab moves to the buttons of the current row. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AgentRow, BrowseState } from '../../src/core/agents/agentsPage';
import { filterAgents } from '../../src/core/agents/filterAgents';
import { Spinner } from '../base/icons';
import { t } from '../base/l10n';
import { Actions, Logo, Problem, Progress, States, usePost } from './parts';

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
  PageDown: (index) => index + 10,
  PageUp: (index) => index - 10,
};

/** @param initial the search of the page's document before */
export function Browse({ state, initial, changed }: { state: BrowseState; initial: string; changed(query: string): void }) {
  const post = usePost();
  const [query, setQuery] = useState(initial);
  const [chosen, setChosen] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => search.current?.focus(), []);
  useLayoutEffect(() => changed(query), [query]);
  const rows = filterAgents(state.agents, query);
  const current = rows.some(({ key }) => key === chosen) ? chosen : rows[0]?.key;
  const focusRow = (index: number): void => {
    const row = list.current?.querySelectorAll<HTMLElement>('[role=row]')[index];
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const index = rows.findIndex(({ key }) => key === current);
    if (event.key === 'ArrowUp' && index === 0) {
      event.preventDefault();
      search.current?.focus();
    } else if (step) {
      event.preventDefault();
      focusRow(Math.min(rows.length - 1, Math.max(0, step(index, rows.length))));
    } else if (event.key === 'Escape') {
      search.current?.focus();
    }
  };
  return (
    <main class="agents">
      <h1 class="agents-title">{t('Agents')}</h1>
      <div class="agents-search">
        <input
          ref={search}
          type="search"
          class="agents-input"
          placeholder={t('Search agents by name, maker or description')}
          aria-label={t('Search agents')}
          aria-controls="agents-list"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' && rows.length > 0) {
              event.preventDefault();
              focusRow(rows.findIndex(({ key }) => key === current));
            } else if (event.key === 'Escape' && query !== '') {
              setQuery('');
            }
          }}
        />
        <Filter text="@installed" label={t('Installed')} query={query} set={setQuery} />
        <Filter text="@updates" label={t('Updates')} query={query} set={setQuery} />
        <button
          type="button"
          class="button button-secondary"
          aria-disabled={state.isRefreshing}
          onClick={() => state.isRefreshing || post({ type: 'refresh' })}
        >
          {t('Refresh')}
        </button>
      </div>
      <div class="agents-count dim" role="status">
        {state.isLoading || (state.isRefreshing && state.agents.length === 0) ? (
          <>
            <Spinner /> {t('Loading agents…')}
          </>
        ) : (
          countText(rows.length)
        )}
      </div>
      {state.notes.map((note) => (
        <Problem key={note.text} problem={note} quiet />
      ))}
      {rows.length > 0 && (
        <div id="agents-list" class="agents-list" role="grid" aria-label={t('Agents')} ref={list} onKeyDown={move}>
          {rows.map((row) => (
            <Row key={row.key} row={row} isCurrent={row.key === current} choose={() => setChosen(row.key)} />
          ))}
        </div>
      )}
    </main>
  );
}

function countText(count: number): string {
  return count === 0 ? t('No agents found.') : count === 1 ? t('1 agent') : t('{count} agents', { count });
}

/** A button that adds a filter to the search, or removes it. */
function Filter({ text, label, query, set }: { text: string; label: string; query: string; set(query: string): void }) {
  const words = query.split(/\s+/).filter(Boolean);
  const isOn = words.includes(text);
  return (
    <button
      type="button"
      class="button button-secondary agents-filter"
      aria-pressed={isOn}
      onClick={() => set(isOn ? words.filter((word) => word !== text).join(' ') : [text, ...words].join(' '))}
    >
      {label}
    </button>
  );
}

function Row({ row, isCurrent, choose }: { row: AgentRow; isCurrent: boolean; choose(): void }) {
  const post = usePost();
  const element = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  // A button with the focus may be gone after its action.
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) {
      element.current?.focus();
    }
  });
  const open = (): void => post({ type: 'open', key: row.key });
  const { name, maker, version, license, runs } = row;
  const facts = [version, license, runs].filter((fact) => fact !== undefined && fact !== '');
  return (
    <div
      class="agent-row"
      role="row"
      ref={element}
      tabIndex={isCurrent ? 0 : -1}
      onFocusIn={() => {
        hasFocus.current = true;
        choose();
      }}
      onFocusOut={(event) => {
        // Without a target the button was removed, or the window has lost the focus.
        if (event.relatedTarget !== null) {
          hasFocus.current = element.current?.contains(event.relatedTarget as Node) === true;
        }
      }}
      onClick={open}
      onKeyDown={(event) => {
        const buttons = [element.current!, ...element.current!.querySelectorAll<HTMLElement>('button')];
        const index = buttons.indexOf(event.target as HTMLElement);
        if (event.key === 'Enter' && event.target === element.current) {
          open();
        } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
          event.preventDefault();
          buttons[index + (event.key === 'ArrowRight' ? 1 : -1)]?.focus();
        }
      }}
    >
      <div class="agent-row-main" role="gridcell">
        <Logo icon={row.icon} />
        <div class="agent-row-text">
          <div class="agent-row-head">
            <span class="agent-name">{name}</span>
            {maker !== undefined && <span class="dim">{maker}</span>}
            <States states={row.states} />
          </div>
          <div class="agent-description">{row.description}</div>
          <div class="agent-meta dim">{facts.join(' · ')}</div>
          {row.problem && <Problem problem={row.problem} tabIndex={isCurrent ? 0 : -1} />}
        </div>
      </div>
      <div class="agent-row-actions" role="gridcell">
        {row.progress && <Progress progress={row.progress} name={name} />}
        <Actions of={row.key} name={name} actions={row.actions} earlier={row.earlier} tabIndex={isCurrent ? 0 : -1} />
      </div>
    </div>
  );
}
