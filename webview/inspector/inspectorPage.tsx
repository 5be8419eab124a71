/** The inspector: the messages of one agent, their filters, and the message that is open. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { NO_FILTER, type RowFilter } from '../../src/core/inspector/filterRows';
import type { FromInspectorPage, InspectorAgent, OpenedFrame, ToInspectorPage } from '../../src/core/inspector/inspectorPage';
import { RowStore } from '../../src/core/inspector/rowStore';
import { t } from '../base/l10n';
import { Detail } from './detail';
import { Filters } from './filters';
import { MessageList } from './messageList';

export interface InspectorPageProps {
  post(message: FromInspectorPage): void;
  readonly saved: unknown;
  save(state: unknown): void;
}

interface Saved {
  readonly isFollowing: boolean;
  readonly filter: RowFilter;
}

/** ms after the last key before a search is sent, and after a move of the selection before the message is requested. */
const SEARCH_MS = 200;
const OPEN_MS = 60;

export function InspectorPage({ post, saved, save }: InspectorPageProps) {
  const initial = useMemo(() => savedState(saved), []);
  const store = useMemo(() => new RowStore(), []);
  const [version, setVersion] = useState(0);
  const [agents, setAgents] = useState<readonly InspectorAgent[]>();
  const [selectedAgent, setSelectedAgent] = useState<string>();
  const [limit, setLimit] = useState('');
  const [filter, setFilter] = useState<RowFilter>(initial.filter);
  const [isFollowing, setFollowing] = useState(initial.isFollowing);
  const [selected, setSelected] = useState<number>();
  const [frame, setFrame] = useState<OpenedFrame>();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLElement>(null);
  const query = useRef(initial.filter.query);

  useLayoutEffect(() => {
    const listen = ({ data }: MessageEvent<ToInspectorPage>): void => {
      switch (data.type) {
        case 'agents':
          setAgents(data.agents);
          setSelectedAgent(data.selected);
          break;
        case 'reset':
          store.reset();
          setLimit(data.limit);
          setSelected(undefined);
          setFrame(undefined);
          setVersion((count) => count + 1);
          if (query.current !== '') {
            post({ type: 'search', query: query.current });
          }
          break;
        case 'rows':
          store.add(data.rows, data.dropped);
          setVersion((count) => count + 1);
          // The next rows come when these are on the screen.
          requestAnimationFrame(() => post({ type: 'drawn' }));
          break;
        case 'matches':
          if (data.query === query.current) {
            store.setMatches(data.ids);
            setVersion((count) => count + 1);
          }
          break;
        case 'frame':
          setFrame(data);
          break;
        case 'say':
          setSaid(data.text);
          break;
      }
    };
    window.addEventListener('message', listen);
    post({ type: 'ready' });
    return () => window.removeEventListener('message', listen);
  }, []);
  useEffect(() => save({ filter, isFollowing }), [filter, isFollowing]);
  useEffect(() => {
    query.current = filter.query;
    const timer = setTimeout(() => post({ type: 'search', query: filter.query }), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [filter.query]);
  useEffect(() => {
    const timer = selected === undefined ? undefined : setTimeout(() => post({ type: 'open', id: selected }), OPEN_MS);
    return () => clearTimeout(timer);
  }, [selected]);

  const rows = useMemo(() => store.visible(filter), [version, filter]);
  const agent = agents?.find(({ key }) => key === selectedAgent);
  const row = selected === undefined ? undefined : store.find(selected);

  const select = (id: number): void => {
    setSelected(id);
    setFollowing(false);
  };
  /** Selects a row, also when the filters hide it. */
  const reveal = (id: number): void => {
    if (!rows.some((each) => each.id === id)) {
      setFilter(NO_FILTER);
    }
    select(id);
  };

  return (
    <main class="inspector">
      <header class="inspector-head">
        <h1>{t('Inspector')}</h1>
        {agents && agents.length > 0 && (
          <label class="inspector-field">
            <span class="inspector-hidden">{t('Agent')}</span>
            <select
              class="inspector-select"
              value={selectedAgent}
              onChange={(event) => post({ type: 'select', key: event.currentTarget.value })}
            >
              {agents.map(({ key, name, status }) => (
                <option key={key} value={key}>
                  {`${name} (${status})`}
                </option>
              ))}
            </select>
          </label>
        )}
        {agent && (
          <>
            <button
              type="button"
              class="button button-secondary inspector-toggle"
              aria-pressed={isFollowing}
              onClick={() => setFollowing(!isFollowing)}
            >
              {t('Follow')}
            </button>
            <button type="button" class="button button-secondary" onClick={() => post({ type: 'replay' })}>
              {t('Replay')}
            </button>
            <button type="button" class="button button-secondary" onClick={() => post({ type: 'export' })}>
              {t('Export…')}
            </button>
          </>
        )}
      </header>
      {agents && agents.length === 0 && <p class="dim">{t('No agent has run in this window yet.')}</p>}
      {agent && (
        <>
          <Filters filter={filter} change={setFilter} hops={agent.hops} methods={store.methods} sessions={store.sessions} />
          <div class="inspector-count dim">
            <span>{countText(rows.length, store.all.length)}</span> {store.dropped > 0 && <span>{droppedText(store.dropped)}</span>}{' '}
            <span>{limit}</span>
          </div>
          {rows.length === 0 && store.all.length > 0 && <p class="inspector-none">{t('No messages match the filters.')}</p>}
          <div class={row ? 'inspector-body inspector-open' : 'inspector-body'}>
            <MessageList
              list={list}
              rows={rows}
              store={store}
              hops={agent.hops}
              selected={selected}
              isFollowing={isFollowing}
              select={select}
              enter={() => detail.current?.focus()}
              follow={setFollowing}
            />
            {row && (
              <Detail
                panel={detail}
                row={row}
                frame={frame?.id === row.id ? frame : undefined}
                hops={agent.hops}
                answer={store.answerTo(row.id)}
                query={filter.query}
                reveal={reveal}
                copy={() => post({ type: 'copy', id: row.id })}
                close={() => {
                  setSelected(undefined);
                  list.current?.focus();
                }}
                leave={() => list.current?.focus()}
              />
            )}
          </div>
        </>
      )}
      <div class="inspector-hidden" role="status">
        {said}
      </div>
    </main>
  );
}

function countText(shown: number, all: number): string {
  if (shown !== all) {
    return t('{shown} of {count} messages.', { shown, count: all });
  }
  return all === 1 ? t('1 message.') : t('{count} messages.', { count: all });
}

function droppedText(count: number): string {
  return count === 1 ? t('1 older message was dropped.') : t('{count} older messages were dropped.', { count });
}

/** The choices of the user that outlive the document: VS Code deletes the document of a hidden panel. */
function savedState(value: unknown): Saved {
  const { isFollowing, filter } = (typeof value === 'object' && value !== null ? value : {}) as { isFollowing?: unknown; filter?: unknown };
  const given = (typeof filter === 'object' && filter !== null ? filter : {}) as Partial<Record<keyof RowFilter, unknown>>;
  const text = (name: 'hop' | 'method' | 'sessionId' | 'query'): string => (typeof given[name] === 'string' ? given[name] : '');
  return {
    isFollowing: isFollowing !== false,
    filter: {
      hop: text('hop'),
      method: text('method'),
      sessionId: text('sessionId'),
      query: text('query').slice(0, 200),
      direction: given.direction === 'sent' || given.direction === 'received' ? given.direction : '',
      onlyErrors: given.onlyErrors === true,
    },
  };
}
