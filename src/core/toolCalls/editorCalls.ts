/**
 * Calls of the editor's tools that arrive twice: at our MCP server, and as a report of the agent. Both are matched by the tool and its arguments, in
 * any order, so that the conversation shows each call once. Pure.
 */

/** The fields of an agent's tool call that may name a tool, as far as the agent has sent them. */
export interface ReportedFields {
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly rawInput?: unknown;
}

/** A pair: our call and the agent's report of it. */
export interface MatchedCall {
  readonly ours: string;
  readonly theirs: string;
  /** True when the agent has reported the call for the first time with this match, so that the conversation has no entry of it. */
  readonly isNew: boolean;
}

interface OwnCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

interface Report {
  readonly id: string;
  fields: ReportedFields;
}

/** The most calls that wait for their other half, on each side. */
const MAX_UNMATCHED = 200;
/** Names of the members in which agents wrap the arguments. */
const WRAPPERS = ['arguments', 'args', 'input', 'params', 'parameters'] as const;

export class EditorCalls {
  private readonly own = new Map<string, OwnCall>();
  private readonly reports = new Map<string, Report>();
  /** Our calls by the agent's reports, and the reports that have a call of ours. */
  private readonly matched = new Map<string, string>();

  /** @param server the name of our server */
  constructor(private readonly server: string) {}

  /** Adds a call that our server has received. Returns the agent's report of it, if there is one already. */
  received(id: string, tool: string, input: unknown): MatchedCall | undefined {
    const call = { id, tool, input };
    const reports = [...this.reports.values()];
    const report =
      reports.find(({ fields }) => this.isSame(fields, call, false)) ?? reports.find(({ fields }) => this.isSame(fields, call, true));
    if (report) {
      return this.match(call, report, false);
    }
    add(this.own, id, call);
    return undefined;
  }

  /** Adds what the agent reports about a call. Returns our call, if this is its report. */
  reported(id: string, fields: ReportedFields): MatchedCall | undefined {
    if (this.matched.has(id)) {
      return undefined;
    }
    const known = this.reports.get(id);
    const report = { id, fields: { ...known?.fields, ...withoutUndefined(fields) } };
    if (!this.namesOurs(report.fields)) {
      // Every call of the agent comes here. Only one that may get its name later is remembered.
      if (known || hasNoName(report.fields)) {
        add(this.reports, id, report);
      }
      return undefined;
    }
    const own = [...this.own.values()];
    const call = own.find((each) => this.isSame(report.fields, each, false)) ?? own.find((each) => this.isSame(report.fields, each, true));
    if (call) {
      return this.match(call, report, known === undefined);
    }
    if (isOver(report.fields)) {
      // The tool has run, or never will: a later call with the same arguments is another one.
      this.reports.delete(id);
    } else {
      add(this.reports, id, report);
    }
    return undefined;
  }

  /**
   * Called when a call without a match is about to be shown. Returns an open report of the same tool, whose arguments the agent may have changed on
   * the way.
   */
  beforeShown(id: string): MatchedCall | undefined {
    const call = this.own.get(id);
    const report = call && [...this.reports.values()].find(({ fields }) => isToolIn(fields, call.tool, this.server) && !isOver(fields));
    return call && report ? this.match(call, report, false) : undefined;
  }

  /** Our call by the agent's report. */
  ownOf(theirs: string): string | undefined {
    return this.matched.get(theirs);
  }

  /** Forgets calls that no report can belong to, because their turn is over. */
  turnEnded(): void {
    this.own.clear();
    this.reports.clear();
  }

  private match(call: OwnCall, report: Report, isNew: boolean): MatchedCall {
    this.own.delete(call.id);
    this.reports.delete(report.id);
    add(this.matched, report.id, call.id);
    return { ours: call.id, theirs: report.id, isNew };
  }

  private isSame(fields: ReportedFields, { tool, input }: OwnCall, isLoose: boolean): boolean {
    if (!isToolIn(fields, tool, this.server)) {
      return false;
    }
    const inputs = argumentsIn(fields.rawInput);
    // Some agents announce a call before its arguments are complete.
    return isLoose ? inputs.length === 0 : inputs.some((each) => isEqual(each, input));
  }

  private namesOurs(fields: ReportedFields): boolean {
    return namesIn(fields).some((name) => toolNamedBy(name, this.server) !== undefined) || serverIn(fields.rawInput) === this.server;
  }
}

/** True when an agent's tool call is one of this tool. */
export function isToolIn(fields: ReportedFields, tool: string, server: string): boolean {
  return (
    namesIn(fields).some((name) => toolNamedBy(name, server) === tool) ||
    (serverIn(fields.rawInput) === server && recordOf(fields.rawInput)['tool'] === tool)
  );
}

/**
 * Returns the tool that a name of an agent means: `mcp__vscode__references`, `mcp.vscode.references`, `vscode_references`, `vscode/references`, or
 * `references (vscode MCP Server)`. Undefined for another server's.
 */
export function toolNamedBy(name: string, server: string): string | undefined {
  const plain = name
    .trim()
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const start = new RegExp(`^(?:mcp_)?${server}_(.+)$`, 'i').exec(plain);
  const end = new RegExp(`^(.+?)_${server}(?:_mcp(?:_server)?)?$`, 'i').exec(plain);
  return (start ?? end)?.[1];
}

/** Returns the readings of an agent's input as arguments. Empty while it has none. */
export function argumentsIn(rawInput: unknown): readonly unknown[] {
  const input = parsed(rawInput);
  const fields = recordOf(input);
  const wrapped = WRAPPERS.flatMap((name) => (fields[name] === undefined ? [] : [parsed(fields[name])]));
  const isWrapper = typeof fields['server'] === 'string' && typeof fields['tool'] === 'string';
  const all = isWrapper && wrapped.length > 0 ? wrapped : [input, ...wrapped];
  return all.filter((each) => Object.keys(recordOf(each)).length > 0);
}

/** True for JSON values with the same content. Members that are null or missing are the same: agents fill in optional ones. */
export function isEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b || ((a === null || a === undefined) && (b === null || b === undefined))) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b) || depth > 64) {
    return false;
  }
  const [first, second] = [recordIn(a), recordIn(b)];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((name) =>
    isEqual(Object.hasOwn(first, name) ? first[name] : undefined, Object.hasOwn(second, name) ? second[name] : undefined, depth + 1),
  );
}

function namesIn({ name, title, rawInput }: ReportedFields): readonly string[] {
  const { server, tool } = recordOf(rawInput);
  const both = typeof server === 'string' && typeof tool === 'string' ? `${server}_${tool}` : undefined;
  return [name, title, both].filter((each) => typeof each === 'string');
}

function serverIn(rawInput: unknown): unknown {
  return recordOf(rawInput)['server'];
}

function hasNoName({ name, title }: ReportedFields): boolean {
  return !name && !title;
}

function isOver({ status }: ReportedFields): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) {
    return value;
  }
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function recordIn(value: object): Readonly<Record<string, unknown>> {
  return value as Record<string, unknown>;
}

function withoutUndefined(fields: ReportedFields): ReportedFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Adds an item at the end, and drops the oldest above the limit. */
function add<T>(map: Map<string, T>, id: string, item: T): void {
  map.delete(id);
  map.set(id, item);
  const [oldest] = map.keys();
  if (map.size > MAX_UNMATCHED && oldest !== undefined) {
    map.delete(oldest);
  }
}
