/** The answer of VS Code's testing commands, as far as it can be read. Pure. */

/** One test of a result. */
export interface TestResult {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'errored' | 'skipped' | 'other';
  readonly messages: readonly string[];
}

/** The results of VS Code by their numbers. */
const STATES: Readonly<Record<number, TestResult['state']>> = { 3: 'passed', 4: 'failed', 5: 'skipped', 6: 'errored' };
const MAX_RESULTS = 5000;

/** Reads what the command happens to answer. It is not documented, so anything that is not understood counts as no answer. */
export function resultsOf(answer: unknown): readonly TestResult[] | undefined {
  const items = member(answer, 'items');
  if (!Array.isArray(items)) {
    return undefined;
  }
  const results: TestResult[] = [];
  for (const item of items.slice(0, MAX_RESULTS) as unknown[]) {
    const tasks = member(item, 'tasks');
    const states = Array.isArray(tasks) ? tasks.map((task: unknown) => member(task, 'state')) : [];
    const state = states.map((each) => (typeof each === 'number' ? STATES[each] : undefined)).find((each) => each !== undefined);
    const name = member(member(item, 'item'), 'label');
    // The nodes above tests have no state of their own.
    if (state !== undefined && typeof name === 'string') {
      results.push({ name, state, messages: Array.isArray(tasks) ? tasks.flatMap(messagesOf) : [] });
    }
  }
  return results;
}

function messagesOf(task: unknown): readonly string[] {
  const messages = member(task, 'messages');
  return (Array.isArray(messages) ? messages : []).flatMap((each: unknown) => {
    const text = member(each, 'message');
    const value = typeof text === 'string' ? text : member(text, 'value');
    return typeof value === 'string' ? [value] : [];
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
