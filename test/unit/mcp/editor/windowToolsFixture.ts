/** A session's folder and calls for the tests of the window tools. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EditorTool, ToolAnswer, ToolContext } from '../../../../src/mcp/editor/tool';
import { runTool } from '../../../../src/mcp/editor/toolCall';

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timedOut?: boolean;
}

export class WindowToolsFixture {
  base = '';
  cwd = '';

  /** Must be called inside a `describe`. */
  constructor(files: Readonly<Record<string, string>> = {}) {
    before(() => {
      this.base = realpathSync(mkdtempSync(path.join(tmpdir(), 'acp-window-tools-')));
      this.cwd = path.join(this.base, 'app');
      for (const [name, text] of Object.entries({ 'app/a.txt': 'one\ntwo\nthree\n', 'outside/b.txt': 'b\n', ...files })) {
        mkdirSync(path.dirname(path.join(this.base, name)), { recursive: true });
        writeFileSync(path.join(this.base, name), text);
      }
    });
    after(() => rmSync(this.base, { recursive: true, force: true }));
  }

  path(name: string): string {
    return path.join(this.cwd, name);
  }

  /** Runs a tool whose input is correct, with this state of the call. */
  run(
    tools: readonly EditorTool[],
    name: string,
    input: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<ToolAnswer> {
    const context: ToolContext = {
      session: { key: 's', agentId: 'a', agentName: 'A', roots: { cwd: this.cwd, additionalDirectories: [] } },
      signal: options.signal ?? new AbortController().signal,
      progress: () => undefined,
      timedOut: options.timedOut ?? false,
    };
    return tool(tools, name).run(input, context);
  }

  /** Runs a tool as the server does: any input, checked first. */
  async call(tools: readonly EditorTool[], name: string, input: unknown): Promise<ToolAnswer> {
    const { answer } = await runTool({
      tool: tool(tools, name),
      session: { key: 's', agentId: 'a', agentName: 'A', roots: { cwd: this.cwd, additionalDirectories: [] } },
      observer: { begin: () => ({ allowed: () => Promise.resolve(undefined), ended: () => undefined }) },
      input: input as Record<string, unknown>,
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    return answer;
  }
}

export function tool(tools: readonly EditorTool[], name: string): EditorTool {
  const found = tools.find((each) => each.name === name);
  if (!found) {
    throw new Error(`no tool ${name}`);
  }
  return found;
}
