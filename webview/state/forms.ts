/**
 * The user's input in forms so far, by request. The host stores it, because components are unmounted as the user scrolls, and VS Code destroys the
 * page of a hidden panel.
 */
import type { ElicitationContent, ElicitationValue } from '../../src/core/elicitation/answer';
import type { ElicitationField, ElicitationProblem } from '../../src/core/elicitation/elicitation';
import { type CheckedContent, checkContent, problemOf } from '../../src/core/elicitation/rules';
import { entryIdOf, type SessionState } from '../../src/core/model/state';
import type { ViewHost } from '../base/host';
import { Saver } from '../typing/saver';

/** The value of a control: text as typed, also for numbers; a choice or null for none; chosen values; a tick. */
export type Filled = string | boolean | readonly string[] | null;

export interface Form {
  readonly filled: ReadonlyMap<string, Filled>;
  readonly problems: ReadonlyMap<string, ElicitationProblem>;
  /** The answer was sent and the host has not replied yet. */
  readonly sent: boolean;
  /** The invalid field to focus. */
  readonly wrong?: string;
}

const EMPTY: Form = { filled: new Map(), problems: new Map(), sent: false };

export class Forms {
  private readonly forms = new Map<string, Form>();
  private readonly listeners = new Set<() => void>();
  private readonly saver = new Saver(() => this.flush());
  private pending: readonly string[] = [];

  constructor(private readonly host: Pick<ViewHost, 'load' | 'save'>) {
    for (const [requestKey, filled] of formsIn(host.load())) {
      this.forms.set(requestKey, { ...EMPTY, filled });
    }
  }

  /** The view's stored state was replaced. Its input overrides the input here. */
  adopt(): void {
    formsIn(this.host.load()).forEach(([requestKey, filled]) => this.set(requestKey, { ...this.get(requestKey), filled }));
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  get(requestKey: string): Form {
    return this.forms.get(requestKey) ?? EMPTY;
  }

  /** Takes a control's new value, and checks the field again if it had a problem. */
  fill(requestKey: string, field: ElicitationField, value: Filled): void {
    const form = this.get(requestKey);
    const filled = new Map(form.filled).set(field.name, value);
    this.set(requestKey, { ...form, filled, problems: form.problems.has(field.name) ? problemsWith(form, field, value) : form.problems });
    this.saver.soon();
  }

  /** The user leaves the control: shows its problem, unless it was only left empty. Adds the time zone to a date and time. */
  left(requestKey: string, field: ElicitationField): void {
    const form = this.get(requestKey);
    const filled = filledOf(form, field);
    const value = valueOf(field, filled);
    // A problem that the host has found stays until the value changes.
    if (value === undefined || form.problems.has(field.name)) {
      return;
    }
    if (typeof value === 'string' && value !== filled && field.type === 'string') {
      this.fill(requestKey, field, value);
    } else {
      this.set(requestKey, { ...form, problems: problemsWith(form, field, filled) });
    }
  }

  /** Marks the form as sent when it is valid. */
  submit(requestKey: string, fields: readonly ElicitationField[]): CheckedContent {
    const checked = checkContent(fields, contentOf(fields, this.get(requestKey)));
    if (checked.problems.length > 0) {
      this.found(requestKey, checked.problems);
    } else {
      this.sent(requestKey, true);
    }
    return checked;
  }

  sent(requestKey: string, sent: boolean): void {
    const { wrong: _, ...form } = this.get(requestKey);
    this.set(requestKey, { ...form, sent });
  }

  /** Shows problems that the host, or the page itself, has found. The answer was not sent. */
  found(requestKey: string, problems: readonly ElicitationProblem[]): void {
    const { filled } = this.get(requestKey);
    const [first] = problems;
    this.set(requestKey, {
      filled,
      sent: false,
      problems: new Map(problems.map((problem) => [problem.name, problem])),
      ...(first && { wrong: first.name }),
    });
  }

  /** The invalid field has received the focus. */
  arrived(requestKey: string): void {
    const { wrong, ...form } = this.get(requestKey);
    if (wrong !== undefined) {
      this.forms.set(requestKey, form);
    }
  }

  /** Drops the input of forms that were answered. */
  keep({ pendingElicitations, entries }: SessionState): void {
    if (pendingElicitations === this.pending) {
      return;
    }
    this.pending = pendingElicitations;
    const gone = [...this.forms.keys()].filter(
      (requestKey) => !pendingElicitations.includes(requestKey) && entries.get(entryIdOf.elicitation(requestKey)),
    );
    for (const requestKey of gone) {
      this.forms.delete(requestKey);
    }
    if (gone.length > 0) {
      this.flush();
    }
  }

  /** Stores the input now. */
  flush(): void {
    this.saver.done();
    // Stored as pairs, because a field may be called `__proto__`.
    this.host.save({ forms: [...this.forms].map(([requestKey, { filled }]) => [requestKey, [...filled]]) });
  }

  private set(requestKey: string, form: Form): void {
    this.forms.set(requestKey, form);
    for (const listener of [...this.listeners]) {
      listener();
    }
  }
}

/** The value of this field's control: the user's input, otherwise the default. */
export function filledOf(form: Form, field: ElicitationField): Filled {
  const filled = form.filled.get(field.name);
  return filled !== undefined && fits(field, filled) ? filled : defaultOf(field);
}

/** The answer with the current values. */
export function contentOf(fields: readonly ElicitationField[], form: Form): ElicitationContent {
  const values = fields.flatMap((field): [string, ElicitationValue][] => {
    const value = valueOf(field, filledOf(form, field));
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(values);
}

/** Returns undefined for an empty field. Text that is not a number is returned unchanged, so that the rules reject it. */
export function valueOf(field: ElicitationField, filled: Filled): ElicitationValue | undefined {
  if (filled === null) {
    return undefined;
  }
  if (field.type === 'string') {
    return filled === '' ? undefined : field.format === 'date-time' ? withZone(String(filled)) : filled;
  }
  if (field.type !== 'number' && field.type !== 'integer') {
    return filled;
  }
  const text = String(filled).trim();
  if (text === '') {
    return undefined;
  }
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) && exact(field.type, text) ? Number(text) : text;
}

/** Converts a date and time as users type it, `2026-01-31 14:30`, to the format's form: with seconds and this computer's time zone. */
function withZone(text: string): string {
  const match = /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?\s*$/i.exec(text);
  if (!match) {
    return text;
  }
  const local = `${match[1]}T${match[2]}${match[3] ?? ':00'}`;
  const minutes = -new Date(local).getTimezoneOffset();
  if (Number.isNaN(minutes)) {
    return text;
  }
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** False for digits that a number cannot represent, because a different number would be sent. */
function exact(type: 'number' | 'integer', text: string): boolean {
  return type === 'number' || !/^[-+]?\d+$/.test(text) || Number.isSafeInteger(Number(text));
}

function defaultOf(field: ElicitationField): Filled {
  switch (field.type) {
    case 'string':
      return field.defaultValue ?? '';
    case 'number':
    case 'integer':
      return field.defaultValue === undefined ? '' : String(field.defaultValue);
    case 'boolean':
      return field.defaultValue ?? false;
    case 'choice':
      return field.choices.some(({ value }) => value === field.defaultValue) ? field.defaultValue! : null;
    case 'choices':
      return field.choices.map(({ value }) => value).filter((value) => field.defaultValue?.includes(value));
  }
}

/** Checks a value from storage, which is not trusted. */
function fits(field: ElicitationField, filled: Filled): boolean {
  switch (field.type) {
    case 'boolean':
      return typeof filled === 'boolean';
    case 'choices':
      return Array.isArray(filled);
    case 'choice':
      return filled === null || typeof filled === 'string';
    default:
      return typeof filled === 'string';
  }
}

function problemsWith(form: Form, field: ElicitationField, filled: Filled): ReadonlyMap<string, ElicitationProblem> {
  const problems = new Map(form.problems);
  const problem = problemOf(field, valueOf(field, filled));
  if (problem) {
    problems.set(field.name, problem);
  } else {
    problems.delete(field.name);
  }
  return problems;
}

function formsIn(state: unknown): [string, Map<string, Filled>][] {
  const kept = typeof state === 'object' && state !== null ? (state as { forms?: unknown }).forms : undefined;
  return pairsIn(kept).map(([requestKey, filled]) => [
    requestKey,
    new Map(pairsIn(filled).filter((pair): pair is [string, Filled] => isFilled(pair[1]))),
  ]);
}

function pairsIn(value: unknown): [string, unknown][] {
  return Array.isArray(value) ? value.filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string') : [];
}

function isFilled(value: unknown): value is Filled {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}
