// A workspace of two folders whose code belongs together, and the calls of the editor's tools as each agent's model makes them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../harness/lib/temp.mjs';

const lines = (...all) => all.map((line) => `${line}\n`).join('');
const options = { strict: true, target: 'es2022', module: 'preserve', composite: true, emitDeclarationOnly: true };

/** The files by their paths. One has the line ends of Windows, and one has no end of its last line. */
const files = {
  'shop.code-workspace': JSON.stringify({ folders: [{ path: 'app' }, { path: 'lib' }] }),
  'tsconfig.json': JSON.stringify({ files: [], references: [{ path: 'lib' }, { path: 'app' }] }),
  'lib/tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
  'lib/src/total.ts': lines(
    'export function total(prices: number[]): number {',
    '  return prices.reduce((sum, price) => sum + price, 0);',
    '}',
  ),
  'lib/src/average.ts': lines(
    "import { total } from './total';",
    '',
    'export const average = (prices: number[]): number => total(prices) / prices.length;',
  ).trimEnd(),
  'app/tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'], references: [{ path: '../lib' }] }),
  'app/src/till.ts': lines(
    "import { total } from '../../lib/src/total';",
    '',
    'export function pay(): string {',
    '  return `to pay: ${total([38, 4])}`;',
    '}',
  ).replaceAll('\n', '\r\n'),
  'app/src/greet.ts': lines('export function greet(name: string): string {', '  return `Hello ${name}`;', '}'),
  'app/src/main.mjs': lines(
    'function priceOf(items) {',
    '  const sum = items.reduce((all, { price, count }) => all + price * count, 0);',
    '  return sum;',
    '}',
    '',
    "console.log('to pay', priceOf([{ price: 19, count: 2 }, { price: 2, count: 2 }]));",
  ),
};

/** Creates the workspace in a temporary folder, and returns the path of its `.code-workspace` file. */
export function createProject() {
  const base = join(tempDir('workspace'), 'shop');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  return join(base, 'shop.code-workspace');
}

/** The bytes of the project's files, by their paths, as latin1 texts. */
export function bytesOf(base) {
  return Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(join(base, path), 'latin1')]));
}

/** The step in which a model looks the tools up, where its agent does not show them at once. */
export function looksUp(...names) {
  return {
    text: 'I look for the tools.',
    tools: [
      { kind: 'ToolSearch', args: { query: `select:${names.map((name) => `mcp__vscode__${name}`).join(',')}`, max_results: 10 } },
      { kind: 'tool_search', args: { query: names.join(' '), limit: 10 } },
    ],
  };
}

/** The step in which a model calls a tool, under the name that its agent gives it. Codex calls it from a small program. */
export function calls(name, input) {
  return {
    text: `I call ${name}.`,
    tools: [
      ...[`mcp__vscode__${name}`, `vscode_${name}`, name].map((kind) => ({ kind, args: input })),
      { kind: 'exec', args: { input: `text(await tools.mcp__vscode__${name}(${JSON.stringify(input)}))` } },
    ],
  };
}

/**
 * The answers to the model's calls of a tool, in order: the texts that are in its next request, and not in the one before.
 * @param log the model's log since the prompt.
 */
export function answersTo(name, log) {
  const isCall = ({ calls: made }) => made?.some((call) => call.name.endsWith(name) || JSON.stringify(call.args).includes(`__${name}(`));
  return log.flatMap((entry, at) => {
    if (!isCall(entry)) return [];
    const next = log.findIndex(({ index }, later) => later > at && index === entry.index + 1);
    const fresh = textsOf(requestBefore(log, next));
    for (const known of textsOf(requestBefore(log, at))) {
      const index = fresh.indexOf(known);
      if (index >= 0) fresh.splice(index, 1);
    }
    return [fresh.join('\n')];
  });
}

/** The body of the request that the log's entry at this index answers. */
function requestBefore(log, at) {
  const { text } = log.slice(0, Math.max(at, 0)).findLast(({ url }) => url) ?? {};
  return text ? JSON.parse(text) : {};
}

/** All texts in a JSON value, also of JSON in a text. */
function textsOf(value) {
  if (typeof value === 'string') {
    const json = value.startsWith('{') ? parsed(value) : undefined;
    return json ? textsOf(json) : [value];
  }
  return typeof value === 'object' && value ? Object.values(value).flatMap(textsOf) : [];
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
