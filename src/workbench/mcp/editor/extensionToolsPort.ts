/** The tools that other extensions register with `vscode.lm`, as the user has chosen them. */
import * as vscode from 'vscode';
import { Listeners } from '../../../core/platform/listeners';
import type { Disposable } from '../../../core/platform/disposable';
import type { ExtensionTool, ExtensionToolsPort } from '../../../mcp/editor/tools/extensions';
import { settings } from '../../../application/shared/ids';
import { DisposableStore } from '../../../util/disposable';
import { affectsSetting, userValue } from '../../settings/userValue';

/** The time in ms in which several extensions come or go at once. */
const SETTLE_MS = 300;

export class ToolsOfExtensions implements ExtensionToolsPort, Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = new Listeners<[]>();
  private timer: NodeJS.Timeout | undefined;
  private shown = '';

  constructor() {
    this.shown = this.state();
    const check = (): void => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.check(), SETTLE_MS);
    };
    this.store.add(vscode.extensions.onDidChange(check));
    this.store.add(vscode.workspace.onDidChangeConfiguration((event) => affectsSetting(event, settings.extensionTools) && check()));
  }

  chosen(): readonly ExtensionTool[] {
    const all = new Map(vscode.lm.tools.map((tool) => [tool.name, tool]));
    return chosenTools().flatMap((name) => all.get(name) ?? []);
  }

  async invoke(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<readonly string[]> {
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
      return content.map(partText);
    } finally {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    }
  }

  /** Calls `listener` when the chosen tools have changed: an extension came or went, or the user chose others. */
  onDidChange(listener: () => void): Disposable {
    return this.changes.add(listener);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
    this.changes.clear();
  }

  private check(): void {
    const now = this.state();
    if (now !== this.shown) {
      this.shown = now;
      this.changes.call();
    }
  }

  private state(): string {
    return JSON.stringify(this.chosen());
  }
}

/** Returns the names in the user's setting. A workspace cannot choose tools. */
export function chosenTools(): readonly string[] {
  const value: unknown = userValue(settings.extensionTools);
  return Array.isArray(value) ? [...new Set(value.filter((name): name is string => typeof name === 'string'))] : [];
}

function partText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) {
    return part.value;
  }
  return part instanceof vscode.LanguageModelPromptTsxPart ? JSON.stringify(part.value) : '[content that is not text]';
}
