/**
 * The editor's tools as agents reach them: references over each way against the time of the language server alone, 10,000 problems in pages. Also
 * counts the modules that a session without MCP loads.
 */
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import type { Problem } from '../../src/mcp/editor/language';
import { AfterEdits } from '../../src/mcp/editor/afterEdits';
import { navigationTools } from '../../src/mcp/editor/tools/navigation';
import { problemTools } from '../../src/mcp/editor/tools/problems';
import { systemClock } from '../../src/util/clock';
import { FakeLanguage } from '../unit/mcp/editor/fakeLanguage';
import { scene, WAYS } from '../unit/mcp/support/ways';
import { median } from './median';
import type { BenchLine } from './run';

const ROUNDS = Number(process.env.ACP_HOST_BENCH_ROUNDS ?? 60);
/** ms; a language server that answers at once would leave nothing to compare with. */
const PROVIDER_MS = 20;
const FILES = 50;
/** The files that the references of the symbol are in. */
const USING_FILES = 10;
const PROBLEMS = 10_000;
/** ms that a call may take besides the provider. */
const LIMIT_MS = 10;
/** ms that the event loop may be held. */
const LIMIT_HELD_MS = 50;

export async function run(): Promise<readonly BenchLine[]> {
  const unused = await modulesWithoutMcp();
  const text = Array.from({ length: 40 }, (_, line) => `export const value${line} = run(${line});`).join('\n');
  const language = new FakeLanguage(Object.fromEntries([...Array(FILES).keys()].map((n) => [`app/file${n}.ts`, text])));
  const provider: number[] = [];
  const port = {
    ...language.port,
    places: async () => {
      const started = performance.now();
      await new Promise((resolve) => setTimeout(resolve, PROVIDER_MS));
      const places = [...Array(FILES).keys()].map((n) => ({
        path: path.join(language.app, `file${n % USING_FILES}.ts`),
        range: { start: { line: n % 40, character: 13 }, end: { line: n % 40, character: 19 } },
      }));
      provider.push(performance.now() - started);
      return places;
    },
  };
  const problem = (n: number): Problem => ({
    range: { start: { line: n % 40, character: 0 }, end: { line: n % 40, character: 6 } },
    severity: ((n % 2) + 1) as 1 | 2,
    message: `Type 'string' is not assignable to type 'number' (${n}).`,
    source: 'ts',
    code: 2322,
  });
  for (let file = 0; file < FILES; file++) {
    language.reported.set(
      path.join(language.app, `file${file}.ts`),
      Array.from({ length: PROBLEMS / FILES }, (_, n) => problem(n)),
    );
  }
  const tools = [...navigationTools(port), ...problemTools(port, new AfterEdits(port, systemClock))];
  const all = await scene(tools, { cwd: language.app, additionalDirectories: [language.lib] });
  const lines: BenchLine[] = [];
  try {
    for (const way of WAYS) {
      const client = await all.client(way, await all.declare(way, way));
      const times: number[] = [];
      provider.length = 0;
      // The first rounds compile the code.
      for (let round = -5; round < ROUNDS; round++) {
        const started = performance.now();
        const { isError } = await client.callTool({ name: 'references', arguments: { file: 'file0.ts', line: 1, column: 20 } });
        if (isError) {
          throw new Error(`The call failed over ${way}`);
        }
        if (round >= 0) {
          times.push(performance.now() - started - provider.at(-1)!);
        }
      }
      // Other work of the machine delays half of the calls or more.
      const value = times.sort((a, b) => a - b)[Math.floor(times.length / 4)]!;
      lines.push({
        name: `editor-tools: references over ${way}, besides the provider`,
        value,
        unit: 'ms',
        baseline: median(provider),
        ratio: value / LIMIT_MS,
        limit: 1,
      });
      await client.close();
      all.servers.ended(way);
    }
    lines.push(await problemPages(all));
  } finally {
    await all.end();
    language.dispose();
  }
  return [
    ...lines,
    {
      name: 'editor-tools: modules of the SDK and the tools in a session without MCP',
      value: unused,
      unit: 'modules',
      ratio: unused,
      limit: 0,
    },
  ];
}

/** Reads the first ten pages and the last one, and returns the longest time in which the event loop was held. */
async function problemPages(all: Awaited<ReturnType<typeof scene>>): Promise<BenchLine> {
  const client = await all.client('over ACP', await all.declare('over ACP'));
  let held = 0;
  let last = process.cpuUsage();
  let isDone = false;
  const watch = (): void => {
    // The time of the processor: another process may hold the machine for longer.
    const { user, system } = process.cpuUsage(last);
    held = Math.max(held, (user + system) / 1000);
    last = process.cpuUsage();
    void (isDone || setImmediate(watch));
  };
  const page = async (cursor?: string): Promise<string | undefined> => {
    const result = await client.callTool({ name: 'problems', arguments: cursor === undefined ? {} : { cursor } });
    const { text } = (result.content as { text: string }[])[0]!;
    return /"cursor": "(\d+)"/.exec(text)?.[1];
  };
  await page();
  watch();
  let cursor: string | undefined;
  for (let pages = 0; pages < 10; pages++) {
    cursor = await page(cursor);
    if (cursor === undefined) {
      throw new Error('The problems have too few pages');
    }
  }
  await page(String(PROBLEMS - 10));
  isDone = true;
  return {
    name: `editor-tools: longest hold of the loop by ${PROBLEMS} problems in pages`,
    value: held,
    unit: 'ms',
    ratio: held / LIMIT_HELD_MS,
    limit: 1,
  };
}

/** Returns the number of modules that the code of sessions and the declaration of the server load of the SDK, of zod and of the tools. */
async function modulesWithoutMcp(): Promise<number> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const program = `
    require('./test/support/tsx.cjs');
    require('./src/session/session.ts');
    require('./src/application/mcp/editorServers.ts');
    const loaded = Object.keys(require.cache).filter((file) => /[\\\\/](?:@modelcontextprotocol|zod)[\\\\/]|[\\\\/]mcp[\\\\/]editor[\\\\/](?:tools|server|toolCall)/.test(file));
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: path.resolve(__dirname, '..', '..') });
  return (JSON.parse(stdout) as string[]).length;
}
