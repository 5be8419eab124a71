/** The details of what the session and its turns have used, and a button that compacts the context if the agent has a command for it. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Usage } from '../../src/core/model/content';
import { meterLevel } from '../../src/core/account/meters';
import type { Quantity, QuotaMeter } from '../../src/core/account/quota';
import { isAbsent, type SessionState, type TurnUse } from '../../src/core/model/state';
import { useSelect, useView } from '../state/context';
import { t } from '../base/l10n';
import { WarningIcon } from '../base/icons';
import { clockTime } from '../../src/text/messages/clockTime';
import { compactNumber } from '../base/strings';
import { oneLine } from '../../src/text/characters/textSafety';
import { compactCommand, typedCommand } from './suggestions/commands';
import { meterName } from './limitStrings';
import { fullness, price, summary, wholeNumber } from './usageStrings';

/** The newest turns that are listed. */
const MAX_TURNS = 20;

type Row = readonly [label: string, value: string] | false | undefined;

export function UsageDetails({ usage, close }: { usage: Usage | undefined; close(): void }) {
  return (
    <div class="usage-details" role="group" aria-label={t('Usage')}>
      {usage && <Context usage={usage} close={close} />}
      <Limits />
      <Turns />
    </div>
  );
}

/** The limits of the account: the part that is used, and the time of the reset. */
function Limits() {
  const { mirror } = useView();
  const quota = useSelect((state) => state.quota);
  const pools = (quota?.pools ?? []).filter(({ meters, state }) => meters.length > 0 || state !== undefined);
  if (pools.length === 0) {
    return null;
  }
  return (
    <div>
      <div class="usage-heading">{t('Account Limits')}</div>
      {pools.map((pool) => (
        <div key={pool.id} role="group" aria-label={meterName(pool)}>
          {(pools.length > 1 || pool.meters.length === 0) && (
            <div>
              {[meterName(pool), pool.state === undefined || pool.state === 'available' ? '' : poolState(pool.state)]
                .filter(Boolean)
                .join(' · ')}
            </div>
          )}
          {pool.meters.map((meter) => (
            <Meter key={meter.id} meter={meter} now={mirror.now()} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Meter({ meter, now }: { meter: QuotaMeter; now: number }) {
  const { usedPercent, used, limit, remaining, resetsAt } = meter;
  const name = meterName(meter);
  const level = meterLevel(meter);
  const amounts = [
    usedPercent !== undefined && `${Math.round(usedPercent)}%`,
    used && (limit ? t('{used} of {limit}', { used: quantity(used), limit: quantity(limit) }) : quantity(used)),
    !used && remaining && t('{amount} left', { amount: quantity(remaining) }),
    usedPercent === undefined && level === 'exceeded' && t('Limit reached'),
  ].filter((each): each is string => typeof each === 'string');
  return (
    <div class="usage-rows">
      <div>
        <span class={level === 'exceeded' ? 'usage-full' : 'usage-high'}>
          {level !== 'ok' && <WarningIcon />} {name}
        </span>
        <span>{amounts.join(' · ')}</span>
      </div>
      {usedPercent !== undefined && <Bar name={name} percent={Math.min(100, Math.max(0, Math.round(usedPercent)))} />}
      {resetsAt !== undefined && resetsAt > now && <span class="dim">{t('Resets at {time}', { time: clockTime(resetsAt, now) })}</span>}
    </div>
  );
}

function Bar({ name, percent }: { name: string; percent: number }) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => bar.current!.style.setProperty('--percent', `${percent}%`), [percent]);
  return (
    <div ref={bar} class="limit-bar" role="progressbar" aria-label={name} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} />
  );
}

function poolState(state: string): string {
  return state === 'exhausted' ? t('Used up') : t('Not available');
}

function quantity({ value, unit }: Quantity): string {
  const amount = Number(value);
  if (unit !== undefined && /^[A-Z]{3}$/.test(unit) && Number.isFinite(amount)) {
    return price({ amount, currency: unit });
  }
  return oneLine(unit === undefined ? value : `${value} ${unit}`, 40);
}

function Context({ usage, close }: { usage: Usage; close(): void }) {
  const { used, size, cost } = usage;
  const percent = fullness(usage);
  const turn = useSelect((state) => state.turnUsage);
  const rows: Row[] = [
    [t('Used'), wholeNumber(used)],
    size > 0 && [t('Size'), wholeNumber(size)],
    cost && [t('Session Cost'), price(cost)],
  ];
  const turnRows: Row[] = [
    turn?.input !== undefined && [t('Input'), wholeNumber(turn.input)],
    turn?.output !== undefined && [t('Output'), wholeNumber(turn.output)],
    turn?.thought !== undefined && [t('Thinking'), wholeNumber(turn.thought)],
    turn?.cachedRead !== undefined && [t('Cache Read'), wholeNumber(turn.cachedRead)],
    turn?.cachedWrite !== undefined && [t('Cache Write'), wholeNumber(turn.cachedWrite)],
    turn?.total !== undefined && [t('Total'), wholeNumber(turn.total)],
  ];
  return (
    <>
      <div class="usage-heading">{summary({ used, size })}</div>
      <Rows rows={rows} />
      {percent !== undefined && percent >= 90 && (
        <div class="usage-advice">{t('Context is almost full. Earlier messages may be dropped.')}</div>
      )}
      <Compact close={close} />
      {turnRows.some(Boolean) && (
        <>
          <div class="usage-heading">{t('Last Response')}</div>
          <Rows rows={turnRows} />
        </>
      )}
    </>
  );
}

/** The button for the agent's own command. */
function Compact({ close }: { close(): void }) {
  const { post } = useView();
  const command = useSelect(({ commands }) => compactCommand(commands));
  const isThere = useSelect(({ status }) => status === 'ready');
  if (!command || !isThere) {
    return null;
  }
  const text = typedCommand(command);
  return (
    <button
      type="button"
      class="button button-secondary usage-compact"
      title={text}
      onClick={() => {
        close();
        post({ type: 'prompt', content: [{ type: 'text', text: text }] });
      }}
    >
      {t('Compact Conversation')}
    </button>
  );
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl class="usage-rows">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface ListedTurn {
  /** The turn's number in the conversation, from 1. */
  readonly number: number;
  /** Undefined while the turn is not loaded. */
  readonly use: TurnUse | undefined;
}

function Turns() {
  const { mirror } = useView();
  const entries = useSelect((state) => state.entries);
  const { turns, missing } = turnsOf(entries);
  useLayoutEffect(() => {
    if (missing.length > 0) {
      mirror.want(missing);
    }
  }, [missing.join()]);
  const has = (what: keyof TurnUse): boolean => turns.some(({ use }) => use?.[what] !== undefined);
  const columns = [
    has('context') && { name: t('Context'), of: ({ context }: TurnUse) => context !== undefined && compactNumber(context) },
    has('tokens') && { name: t('Tokens'), of: ({ tokens }: TurnUse) => tokens && tokensOf(tokens) },
    has('cost') && { name: t('Cost'), of: ({ cost }: TurnUse) => cost && price(cost) },
  ].filter((column) => column !== false);
  if (columns.length === 0) {
    return null;
  }
  return (
    <table class="usage-turns">
      <caption class="usage-heading">{t('By Turn')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Turn')}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {turns.map(({ number, use }) => (
          <tr key={number}>
            <th scope="row">{number}</th>
            {columns.map(({ name, of }) => (
              <td key={name}>{(use && of(use)) || '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The counts as reported: the page does not add up counts that the agent does not add up. */
function tokensOf({ total, input, output }: NonNullable<TurnUse['tokens']>): string {
  return total !== undefined
    ? compactNumber(total)
    : t('{input} in, {output} out', {
        input: input === undefined ? '–' : compactNumber(input),
        output: output === undefined ? '–' : compactNumber(output),
      });
}

/** The newest turns, the newest first. */
function turnsOf(entries: SessionState['entries']): { readonly turns: readonly ListedTurn[]; readonly missing: readonly string[] } {
  const found: string[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries.at(index)!;
    if (entry.kind === 'turn') {
      found.push(entry.entryId);
    }
  }
  const missing: string[] = [];
  const turns = found.slice(-MAX_TURNS).map((entryId, index) => {
    const entry = entries.get(entryId)!;
    if (isAbsent(entry)) {
      missing.push(entryId);
    }
    const use = !isAbsent(entry) && entry.kind === 'turn' ? entry.use : undefined;
    return { number: Math.max(0, found.length - MAX_TURNS) + index + 1, use };
  });
  return { turns: turns.toReversed(), missing };
}
