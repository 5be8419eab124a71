/** A fake editor for the language tools: files on the disk in two folders, with language features that a test sets. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { AppliedEdit, EditPlan, LanguagePort, Place, Problem, RangeEdit, Severity } from '../../../../src/mcp/editor/language';
import { applyRangeEdits } from '../../../../src/mcp/editor/rangeEdits';
import type { EditorTool, ToolAnswer, ToolContext } from '../../../../src/mcp/editor/tool';

export class FakeLanguage {
  readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), 'acp-language-')));
  readonly app = path.join(this.base, 'app');
  readonly lib = path.join(this.base, 'lib');
  readonly outside = path.join(this.base, 'outside');
  readonly reported = new Map<string, readonly Problem[]>();
  readonly opened = new Set<string>();
  readonly hidden = new Set<string>();
  readonly applied: { readonly plan: EditPlan; readonly label: string }[] = [];
  unsaved: readonly string[] = [];
  /** True while the editor has not read a written file again. */
  behind = false;
  private readonly listeners = new Set<(paths: readonly string[]) => void>();

  /** The port. A test replaces single features. */
  readonly port: LanguagePort = {
    open: async (file) => {
      this.opened.add(file);
      return { text: readFileSync(file, 'utf8'), isDirty: false, isBehind: this.behind };
    },
    peek: async (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    isHidden: async (_, file) => this.hidden.has(file),
    all: () => [...this.reported].map(([file, problems]) => ({ path: file, problems })),
    of: (file) => this.reported.get(file) ?? [],
    check: async () => false,
    analysedPaths: () => new Set(this.opened),
    onDidChange: (listener) => {
      this.listeners.add(listener);
      return { dispose: () => void this.listeners.delete(listener) };
    },
    textChangedAt: () => undefined,
    documentSymbols: async () => [],
    workspaceSymbols: async () => [],
    places: async () => [],
    calls: async () => [],
    types: async () => [],
    hover: async () => [],
    signatures: async () => undefined,
    rename: async () => ({ files: [], others: [] }),
    actions: async () => [],
    organizeImports: async () => undefined,
    format: async () => undefined,
    apply: async (_session, plan, label): Promise<AppliedEdit> => {
      for (const { path: file, edits } of plan.files) {
        writeFileSync(file, applyRangeEdits(readFileSync(file, 'utf8'), edits));
      }
      this.applied.push({ plan, label });
      return { unsaved: this.unsaved };
    },
  };

  constructor(files: Readonly<Record<string, string>> = {}) {
    [this.app, this.lib, this.outside].forEach((folder) => mkdirSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(this.at(name)), { recursive: true });
      writeFileSync(this.at(name), text);
    }
  }

  /** The path of a file by its name from the folder of all folders, such as `a.ts` in `app`. */
  at(name: string): string {
    return path.join(this.base, name);
  }

  place(name: string, line: number, character: number, length = 1): Place {
    return { path: this.at(name), range: rangeAt(line, character, length) };
  }

  /** Replaces the problems of a file and notifies of it. */
  report(name: string, ...problems: readonly Problem[]): void {
    this.reported.set(this.at(name), problems);
    [...this.listeners].forEach((listener) => listener([this.at(name)]));
  }

  context(more: Partial<ToolContext> = {}): ToolContext {
    return {
      session: { key: 's', agentId: 'a', agentName: 'A', roots: { cwd: this.app, additionalDirectories: [this.lib] } },
      signal: new AbortController().signal,
      timedOut: false,
      progress: () => undefined,
      ...more,
    };
  }

  /** Calls a tool as the server does: with a checked input. */
  async call(tools: readonly EditorTool[], name: string, input: object, context = this.context()): Promise<ToolAnswer> {
    const tool = tools.find((each) => each.name === name)!;
    return tool.run(z.strictObject(tool.input.shape).parse(input), context);
  }

  dispose(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

export function rangeAt(line: number, character: number, length = 1) {
  return { start: { line, character }, end: { line, character: character + length } };
}

export function problem(line: number, message: string, severity: Severity = 1): Problem {
  return { range: rangeAt(line, 2), severity, message, source: 'ts', code: 2322 };
}

export function edit(line: number, from: number, to: number, newText: string): RangeEdit {
  return { range: { start: { line, character: from }, end: { line, character: to } }, newText };
}
