/**
 * Removes secrets from frames and lines before they are shown or saved; the ring contains the original. A frame's source text is rewritten string by
 * string, and never parsed and serialized. It stays valid JSON, and ids and numbers keep every digit.
 */
import { isSecretName, isSecretVariable } from './secretNames';
import { redactText } from './secrets';
import { REDACTED, withoutCutValue } from './secretValues';

/** The properties of a frame that affect its redaction. */
export interface FrameOptions {
  /** True for a frame of the client, or of a proxy that passes it on: it may contain the user's answers to the agent's questions. */
  readonly fromClient: boolean;
  /** `text` is only the beginning of the frame. */
  readonly cut?: boolean;
}

// Flags of a container while the scan is inside it.
const OBJECT = 1;
/** The container has a secret's name, so every string in it is a secret. */
const SECRET = 2;
/** `env` or `headers`, in any of the usual forms. */
const VARIABLES = 4;
/** The `result` of the client's response. */
const RESULT = 8;
/** The user's input in a form (RFD "Elicitation"). */
const ANSWER = 16;

/** Names of strings that describe a secret but do not contain it. */
const ABOUT = /^(?:type|kind|name|title|label|description|format|provider|mode)$/;
/** The protocol's own members at the root of a frame. */
const ROOT = /^(?:jsonrpc|id|method)$/;
const STRUCTURE = /["{}[\]]/g;
const IN_STRING = /["\\]/g;

/** Redacts the texts of one agent. */
export class Redaction {
  /**
   * @param values of the agent's environment; see `secretValues`. A function, when values are added while the agent runs.
   * @param also redacts more than secrets; `member` is the name of the JSON member that contains the text
   */
  constructor(
    private readonly values: readonly string[] | (() => readonly string[]) = [],
    private readonly also: (text: string, member?: string) => string = (text) => text,
  ) {}

  private get known(): readonly string[] {
    return typeof this.values === 'function' ? this.values() : this.values;
  }

  /** Redacts a line that is not a frame, or the text of a JSON member. */
  text(text: string, member?: string): string {
    return this.also(redactText(text, this.known), member);
  }

  /** Redacts a frame's JSON, or its beginning. */
  frame(text: string, options: FrameOptions): string {
    const redact = (value: string, member?: string): string => this.text(value, member);
    const redacted = new Scan(text, options, redact, (value) => redactText(value, this.known)).run();
    return options.cut ? withoutCutValue(redacted, this.known) : redacted;
  }
}

type Span = readonly [start: number, end: number];

interface Pair {
  isSecret: boolean;
  isNamed: boolean;
  /** The position of the literal of its `value`. */
  value?: Span;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  /** The text before it is encoded as JSON. */
  readonly text: string;
}

/** One pass over a frame's source text. */
class Scan {
  /** Flags of the containers around the current position. */
  private readonly around: number[] = [];
  /** Objects that look like `{name, value}`, by depth. Sparse. */
  private readonly pairs: (Pair | undefined)[] = [];
  /** The name of the member whose value comes next. */
  private key: string | undefined;
  private readonly edits: Edit[] = [];
  private ordered = true;

  constructor(
    private readonly source: string,
    private readonly options: FrameOptions,
    private readonly redact: (text: string, member?: string) => string,
    /** Removes secrets alone. */
    private readonly withoutSecrets: (text: string) => string,
  ) {}

  run(): string {
    const { source } = this;
    let next = 0;
    for (;;) {
      STRUCTURE.lastIndex = next;
      const found = STRUCTURE.exec(source);
      if (!found) {
        break;
      }
      const at = found.index;
      next = at + 1;
      switch (found[0]) {
        case '"':
          next = this.string(at);
          break;
        case '{':
          this.enter(OBJECT);
          break;
        case '[':
          this.enter(0);
          break;
        default:
          this.leave();
      }
    }
    while (this.options.cut && this.around.length > 0) {
      this.leave();
    }
    return this.edited();
  }

  /** Returns the index after the string at `start`. */
  private string(start: number): number {
    const end = stringEnd(this.source, start);
    const next = afterBlank(this.source, end);
    if (this.source[next] !== ':') {
      this.value(start, end);
      return end;
    }
    const name = this.read(start, end);
    this.change(start, end, name, this.redact(name)); // A member's name can itself be a secret.
    this.key = name;
    return next + 1;
  }

  private value(start: number, end: number): void {
    const depth = this.around.length;
    const flags = this.around[depth - 1] ?? 0;
    const { key } = this;
    this.key = undefined;
    if (end - start <= 2) {
      return;
    }
    if ((depth === 1 && key !== undefined && ROOT.test(key)) || (depth === 2 && key === 'requestId')) {
      if (key === 'method') {
        const name = this.read(start, end);
        this.change(start, end, name, this.withoutSecrets(name)); // The sender can choose any.
      }
      return;
    }
    if (this.isSecret(flags, key)) {
      this.edit(start, end, REDACTED);
      return;
    }
    const text = this.read(start, end);
    const isVariable = (flags & (VARIABLES | OBJECT)) === VARIABLES; // `["NAME=value"]`
    const isChanged = this.change(start, end, text, this.redact(isVariable ? text.replace(/=[^]*$/, `=${REDACTED}`) : text, key));
    // A name counts although a part of it was a secret.
    if ((!isChanged || isNameKey(key)) && flags & OBJECT) {
      this.pair(depth, key, text, [start, end]);
    }
  }

  private isSecret(flags: number, key: string | undefined): boolean {
    return (
      (flags & ANSWER) > 0 ||
      (key !== undefined && isSecretName(key)) ||
      ((flags & SECRET) > 0 && (key === undefined || !ABOUT.test(key))) ||
      ((flags & VARIABLES) > 0 && key !== undefined && this.isVariable(key))
    );
  }

  /** True in an object inside of `env` or `headers`: for any member of `{"NAME": "value"}`, or a member of `[{"name": "NAME", "value": "…"}]`. */
  private isVariable(key: string): boolean {
    const isListed = this.around.length > 1 && !(this.around[this.around.length - 2]! & OBJECT);
    return !isListed || key === 'value';
  }

  /** Handles `{"name": "Authorization", "value": "…"}` in any order. A text with spaces is prose and not a header's name. */
  private pair(depth: number, key: string | undefined, text: string, span: Span): void {
    if (isNameKey(key)) {
      const pair = (this.pairs[depth] ??= { isSecret: false, isNamed: false });
      pair.isNamed = true;
      pair.isSecret ||= text.length <= 200 && !/\s/.test(text) && isSecretVariable(text);
    } else if (key === 'value') {
      (this.pairs[depth] ??= { isSecret: false, isNamed: false }).value = span;
    }
  }

  private enter(kind: number): void {
    const depth = this.around.length;
    const outside = this.around[depth - 1] ?? 0;
    this.around.push(kind | (outside & (SECRET | ANSWER)) | this.flagsOf(this.key, outside, depth, kind));
    this.key = undefined;
  }

  private flagsOf(key: string | undefined, outside: number, depth: number, kind: number): number {
    if (key === undefined) {
      return outside & VARIABLES;
    }
    if (isSecretName(key) || (outside & VARIABLES && this.isVariable(key))) {
      return SECRET;
    }
    if (key === 'env' || key === 'headers') {
      return VARIABLES;
    }
    if (this.options.fromClient && depth === 1 && key === 'result') {
      return RESULT;
    }
    return outside & RESULT && key === 'content' && kind === OBJECT ? ANSWER : 0;
  }

  private leave(): void {
    const depth = this.around.length;
    const pair = this.pairs[depth];
    if (pair) {
      this.pairs[depth] = undefined;
      // When the frame is cut before the name, the value may be a secret.
      if (pair.value && (pair.isSecret || (this.options.cut && !pair.isNamed))) {
        this.ordered = false;
        this.edit(...pair.value, REDACTED);
      }
    }
    this.around.pop();
    this.key = undefined;
  }

  private read(start: number, end: number): string {
    const literal = this.source.slice(start, end);
    if (!literal.includes('\\')) {
      return literal.slice(1, literal.length > 1 && literal.endsWith('"') ? -1 : undefined);
    }
    try {
      return JSON.parse(literal) as string;
    } catch {
      return literal.slice(1); // The literal is cut off.
    }
  }

  private change(start: number, end: number, text: string, redacted: string): boolean {
    if (redacted === text) {
      return false;
    }
    this.edit(start, end, redacted);
    return true;
  }

  private edit(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text });
  }

  private edited(): string {
    const { source, edits } = this;
    if (!this.ordered) {
      edits.sort((a, b) => a.start - b.start);
    }
    const parts: string[] = [];
    let copied = 0;
    for (const { start, end, text } of edits) {
      parts.push(source.slice(copied, start), JSON.stringify(text));
      copied = end;
    }
    return parts.length === 0 ? source : parts.join('') + source.slice(copied);
  }
}

/** The index after the closing quote of the string at `start`, or the end of the text. */
function stringEnd(source: string, start: number): number {
  let next = start + 1;
  for (;;) {
    IN_STRING.lastIndex = next;
    const found = IN_STRING.exec(source);
    if (!found) {
      return source.length;
    }
    if (found[0] === '"') {
      return found.index + 1;
    }
    next = found.index + 2;
  }
}

function afterBlank(source: string, at: number): number {
  let next = at;
  while (source.charCodeAt(next) <= 32) {
    next++;
  }
  return next;
}

/** True for the member that has the name in `{"name": "Authorization", "value": "…"}`. */
function isNameKey(key: string | undefined): boolean {
  return key === 'name' || key === 'key' || key === 'header';
}
