/** Tools for tests of the editor's server. They do nothing in an editor. */
import { z } from 'zod';
import { pageOf } from '../../../../src/mcp/editor/paging';
import { editorTool, type EditorTool } from '../../../../src/mcp/editor/tool';

export interface DummyTools {
  readonly tools: readonly EditorTool[];
  /** The names of the tools that ran, in order. */
  readonly ran: string[];
  /** Called when the call of `wait` was aborted. */
  aborted: number;
  /** The most calls that ran at once. */
  most: number;
}

export const ITEMS = 250;

export function dummyTools(): DummyTools {
  const ran: string[] = [];
  let running = 0;
  const made = { ran, aborted: 0, most: 0 };
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        made.aborted++;
        resolve();
      });
    });
  const tools = [
    editorTool({
      name: 'references',
      category: 'navigation',
      title: 'Find references',
      description: 'Finds the places that use a symbol.',
      isReadOnly: true,
      input: z.object({
        file: z.string().min(1).max(1000),
        symbol: z.string().max(200).optional(),
        line: z.int().min(1).max(1_000_000).optional(),
        kinds: z
          .array(z.enum(['read', 'write']))
          .max(5)
          .optional(),
      }),
      timeout: 5000,
      run: async ({ file, line }) => {
        ran.push('references');
        return { text: `${file}:${line ?? 1}  const a = 1;` };
      },
    }),
    editorTool({
      name: 'list_items',
      category: 'problems',
      title: 'List items',
      description: 'Lists items in pages.',
      isReadOnly: true,
      input: z.object({ cursor: z.string().max(100).optional() }),
      timeout: 5000,
      run: async ({ cursor }) => {
        const page = pageOf([...Array(ITEMS).keys()], cursor, 100);
        return page
          ? { text: page.items.join('\n'), ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) }
          : { text: 'Unknown cursor.', isError: true };
      },
    }),
    editorTool({
      name: 'wait',
      category: 'information',
      title: 'Wait',
      description: 'Waits, and reports how far it is.',
      isReadOnly: true,
      input: z.object({ ms: z.int().min(0).max(60_000), steps: z.int().min(0).max(10).optional() }),
      timeout: 400,
      run: async ({ ms, steps = 0 }, { signal, progress, ...context }) => {
        running++;
        made.most = Math.max(made.most, running);
        for (let step = 1; step <= steps; step++) {
          progress(step, steps, `Step ${step}`);
        }
        await sleep(ms, signal);
        running--;
        return { text: `waited ${Object.hasOwn(context, 'timedOut')}` };
      },
    }),
    editorTool({
      name: 'never',
      category: 'information',
      title: 'Never answer',
      description: 'Never answers.',
      isReadOnly: true,
      input: z.object({}),
      timeout: 100,
      run: () => new Promise(() => undefined),
    }),
    editorTool({
      name: 'broken',
      category: 'information',
      title: 'Break',
      description: 'Throws.',
      isReadOnly: true,
      input: z.object({}),
      timeout: 1000,
      run: () => {
        throw new Error('The provider is broken');
      },
    }),
    editorTool({
      name: 'long_text',
      category: 'search',
      title: 'Long text',
      description: 'Answers with a long text.',
      isReadOnly: true,
      input: z.object({}),
      timeout: 1000,
      run: async () => ({ text: 'äöü line\n'.repeat(20_000), nextCursor: '100' }),
    }),
    editorTool({
      name: 'rename',
      category: 'edits',
      title: 'Rename symbol',
      description: 'Renames a symbol.',
      isReadOnly: false,
      input: z.object({ file: z.string(), name: z.string() }),
      timeout: 1000,
      run: async ({ name }) => {
        ran.push('rename');
        return { text: `Renamed to ${name}.` };
      },
    }),
  ];
  return Object.assign(made, { tools });
}
