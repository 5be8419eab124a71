/**
 * The parts of `vscode.window` that show text, with types that accept only inert text. All text that the extension shows through VS Code passes
 * through here; the linter rejects any other way. A plain `string` in VS Code's API may run a command when it is clicked (`escape.ts`).
 */
import * as vscode from 'vscode';
import { type InertText, own } from '../../application/shared/escape';

/** `T` with inert text in these properties, as far as it has them. */
type Inert<T, Texts extends PropertyKey> = Omit<T, Texts> & { [Name in keyof T as Name extends Texts ? Name : never]: InertIn<T[Name]> };
type InertIn<Value> = Value extends string | vscode.MarkdownString | vscode.InputBoxValidationMessage ? InertText : Value;

export type Button = Inert<vscode.QuickInputButton, 'tooltip'>;
/** A row of a quick pick. */
export interface Item extends Omit<vscode.QuickPickItem, 'label' | 'description' | 'detail' | 'buttons'> {
  readonly label: InertText;
  readonly description?: InertText;
  readonly detail?: InertText;
  readonly buttons?: readonly Button[];
}
export type MessageOptions = Inert<vscode.MessageOptions, 'detail'>;
export type QuickPickOptions = Inert<vscode.QuickPickOptions, 'title' | 'placeHolder'>;
export type QuickPick<T extends Item> = Inert<vscode.QuickPick<T>, 'title' | 'placeholder' | 'buttons'> & { buttons: readonly Button[] };
export type InputBox = Inert<vscode.InputBox, 'title' | 'placeholder' | 'prompt' | 'buttons' | 'validationMessage'> & {
  validationMessage: InertText | undefined;
  buttons: readonly Button[];
};
export type StatusBarItem = Inert<vscode.StatusBarItem, 'name' | 'text' | 'tooltip'>;
export type SaveDialogOptions = Inert<vscode.SaveDialogOptions, 'title' | 'saveLabel'>;
export type TerminalOptions = Inert<vscode.TerminalOptions, 'name' | 'message'>;
export type PseudoterminalOptions = Inert<vscode.ExtensionTerminalOptions, 'name'>;
export type Progress = vscode.Progress<{ readonly message?: InertText; readonly increment?: number }>;

interface ShowMessage {
  <T extends InertText>(message: InertText, ...buttons: T[]): Thenable<T | undefined>;
  <T extends InertText>(message: InertText, options: MessageOptions, ...buttons: T[]): Thenable<T | undefined>;
}

interface Window {
  readonly showInformationMessage: ShowMessage;
  readonly showWarningMessage: ShowMessage;
  readonly showErrorMessage: ShowMessage;
  showQuickPick<T extends Item>(items: readonly T[], options: QuickPickOptions & { canPickMany: true }): Thenable<T[] | undefined>;
  showQuickPick<T extends Item>(items: readonly T[], options: QuickPickOptions): Thenable<T | undefined>;
  createQuickPick<T extends Item>(): QuickPick<T>;
  createInputBox(): InputBox;
  showInputBox(options: Inert<vscode.InputBoxOptions, 'title' | 'placeHolder' | 'prompt'>): Thenable<string | undefined>;
  showOpenDialog(options: Inert<vscode.OpenDialogOptions, 'title' | 'openLabel'>): Thenable<vscode.Uri[] | undefined>;
  showSaveDialog(options: SaveDialogOptions): Thenable<vscode.Uri | undefined>;
  withProgress<T>(
    options: Inert<vscode.ProgressOptions, 'title'>,
    task: (progress: Progress, token: vscode.CancellationToken) => Thenable<T>,
  ): Thenable<T>;
  createTextEditorDecorationType(options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType;
  createStatusBarItem(id: string, alignment: vscode.StatusBarAlignment): StatusBarItem;
  setStatusBarMessage(text: InertText, hideAfterMs: number): vscode.Disposable;
  createOutputChannel(name: InertText, options: { readonly log: true }): vscode.LogOutputChannel;
  createTerminal(options: TerminalOptions | PseudoterminalOptions): vscode.Terminal;
  createWebviewPanel: (
    viewType: string,
    title: InertText,
    showOptions: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus?: boolean },
    options: vscode.WebviewOptions,
  ) => vscode.WebviewPanel;
}

export const window = vscode.window as unknown as Window;

/** Returns a separator between the rows of a quick pick. */
export function separator(label = own('')): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

export function setTitle(panel: vscode.WebviewPanel, title: InertText): void {
  panel.title = title;
}

/** Opens several diffs in one editor. Each has the file that it belongs to, and the texts before and after, as far as they exist. */
export async function openChanges(
  title: InertText,
  resources: readonly (readonly [file: vscode.Uri, before: vscode.Uri | undefined, after: vscode.Uri | undefined])[],
): Promise<void> {
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/**
 * Registers a quick fix for problems of files, which the light bulb of the Problems view also offers. It runs `command` with the file and its
 * problems.
 */
export function offerForProblems(title: InertText, command: string): vscode.Disposable {
  const kind = vscode.CodeActionKind.QuickFix;
  const provideCodeActions: vscode.CodeActionProvider['provideCodeActions'] = ({ uri }, _range, { diagnostics, only }) => {
    if (diagnostics.length === 0 || (only && !only.contains(kind))) {
      return [];
    }
    const action = new vscode.CodeAction(title, kind);
    action.diagnostics = [...diagnostics];
    action.command = { command, title, arguments: [uri, [...diagnostics]] };
    return [action];
  };
  return vscode.languages.registerCodeActionsProvider(
    [{ scheme: 'file' }, { scheme: 'untitled' }],
    { provideCodeActions },
    { providedCodeActionKinds: [kind] },
  );
}

/** True for a problem that such a quick fix passes to its command. */
export function isProblem(value: unknown): value is vscode.Diagnostic {
  return value instanceof vscode.Diagnostic;
}

/** Opens a diff editor. */
export async function openDiff(
  before: vscode.Uri,
  after: vscode.Uri,
  title: InertText,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', before, after, title, options);
}
