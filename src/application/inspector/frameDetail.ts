/** One message for the inspector: indented, without secrets, and with what is wrong against the schema. Pure. */
import { indentJson } from '../../acp/json/indent';
import type { Redaction } from '../../acp/redaction/redact';
import { checkFrame, type ProtocolSchema } from '../../acp/inspector/frameSchema';
import type { SchemaProblem } from '../../acp/inspector/jsonSchema';
import { frameOptionsOf } from '../../acp/trace/frameOptions';
import type { TraceEntry } from '../../acp/trace/trace';
import type { FrameMark, FrameRow, OpenedFrame } from '../../core/inspector/inspectorPage';
import { escapeMisleading } from '../../text/characters/textSafety';
import type { TranslateVerbatim } from '../shared/translate';

/** The most lines and UTF-16 units that a page shows of one message. */
const MAX_LINES = 4000;
const MAX_SHOWN = 400_000;
const MAX_PATH = 200;

export interface FrameDetailOptions {
  readonly row: FrameRow;
  readonly redaction: Redaction;
  /** Undefined when it could not be read. */
  readonly schema: ProtocolSchema | undefined;
  readonly version: 1 | 2;
}

export function frameDetail(entry: TraceEntry, options: FrameDetailOptions, t: TranslateVerbatim): OpenedFrame {
  const { row, redaction, schema, version } = options;
  const { kind, text, length, order: id } = entry;
  const isCut = length !== text.length;
  const isOfChain = row.hop !== undefined;
  if (kind !== 'a2c' && kind !== 'c2a') {
    const shown = kind === 'skipped' ? redaction.frame(text, { fromClient: isOfChain, cut: true }) : redaction.text(text);
    const verdict = kind === 'stderr' || kind === 'note' ? '' : t('This is not a message of the protocol.');
    return { type: 'frame', id, text: escapeMisleading(shown.slice(0, MAX_SHOWN)), marks: [], verdict, ...cutNote(isCut, t) };
  }
  const shown = redaction.frame(text, frameOptionsOf(entry, isOfChain));
  const { lines, places } = indentJson(shown, MAX_LINES);
  const whole = lines.join('\n');
  const isLong = lines.length >= MAX_LINES || whole.length > MAX_SHOWN;
  const common = { type: 'frame' as const, id, text: escapeMisleading(whole.slice(0, MAX_SHOWN)), ...cutNote(isCut || isLong, t) };
  const message = isCut ? undefined : parsed(text);
  if (message === undefined || !schema) {
    return { ...common, marks: [], verdict: t("The message can't be compared with the schema.") };
  }
  // Values that were removed as secrets are compared as they were.
  const { method, problems } = checkFrame(message, schema, { isSent: kind === 'c2a', method: row.method });
  const marks = problems
    .map((problem): FrameMark => ({ line: lineOf(problem.path, places), text: problemText(problem, redaction, t), ...hintOf(problem) }))
    .filter(({ line }) => line < MAX_LINES);
  return { ...common, marks, verdict: verdictOf(method, version, problems, t) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function cutNote(isCut: boolean, t: TranslateVerbatim): { readonly note?: string } {
  return isCut ? { note: t('Only the beginning is shown.') } : {};
}

/** The line of a value, or of the nearest one around it. */
function lineOf(path: string, places: ReadonlyMap<string, number>): number {
  for (let at = path; at !== ''; at = at.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '')) {
    const line = places.get(at);
    if (line !== undefined) {
      return line;
    }
    if (!/[.[]/.test(at)) {
      break;
    }
  }
  return 0;
}

function hintOf({ kind }: SchemaProblem): { readonly isHint?: true } {
  return kind === 'unknown' ? { isHint: true } : {};
}

function verdictOf(method: string | undefined, version: 1 | 2, problems: readonly SchemaProblem[], t: TranslateVerbatim): string {
  const count = problems.filter(({ kind }) => kind !== 'unknown').length;
  if (count === 0 && method === undefined) {
    return t("The schema doesn't have this message.");
  }
  if (count === 0) {
    return t('Fits the schema of version {version}.', { version });
  }
  return count === 1
    ? t('1 difference from the schema of version {version}.', { version })
    : t('{count} differences from the schema of version {version}.', { count, version });
}

function problemText({ path, kind, expected = '' }: SchemaProblem, redaction: Redaction, t: TranslateVerbatim): string {
  const place = escapeMisleading(redaction.text(path).slice(0, MAX_PATH));
  switch (kind) {
    case 'missing':
      return t('{path} is missing.', { path: place });
    case 'type':
      return t('{path} has another type than {expected}.', { path: place, expected });
    case 'value':
      return t('{path} has another value than {expected}.', { path: place, expected });
    case 'range':
      return t('{path} is out of range.', { path: place });
    case 'variant':
      return expected === ''
        ? t('{path} fits no form that the schema has.', { path: place })
        : t('{path} has none of these values: {expected}.', { path: place, expected });
    case 'unknown':
      return t("The schema doesn't have {path}.", { path: place });
  }
}
