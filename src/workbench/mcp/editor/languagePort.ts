/** The language features of VS Code for the tools of agents, by its `vscode.execute…` commands. */
import * as vscode from 'vscode';
import type { LspConverter } from '../../../application/editor/lspConverter';
import type { Disposable } from '../../../core/platform/disposable';
import type {
  Call,
  CallDirection,
  CodeSymbol,
  EditorText,
  FileProblems,
  InformationPort,
  NavigationPort,
  Place,
  PlaceKind,
  Problem,
  ProblemsPort,
  Signatures,
  SymbolsPort,
  TypeDirection,
} from '../../../mcp/editor/language';
import type { Position, Range } from '../../../mcp/editor/position';
import type { ToolSession } from '../../../mcp/editor/tool';
import { maySendText } from '../../../policy/readAccess';
import type { Consents } from '../../../policy/consents';
import { diskBytes } from '../../../util/checkedBytes';
import { realPathOf } from '../../../util/realPath';
import type { EditorBuffers } from '../../editor/editorBuffers';
import { readProtectedPaths } from '../../settings/agentSettings';
import { TypeScriptProblems } from './typescriptProblems';

/** Bytes. Larger files have no preview. */
const MAX_PREVIEWED = 4 * 1024 * 1024;

const COMMANDS: Readonly<Record<PlaceKind, string>> = {
  definition: 'vscode.executeDefinitionProvider',
  declaration: 'vscode.executeDeclarationProvider',
  type_definition: 'vscode.executeTypeDefinitionProvider',
  implementations: 'vscode.executeImplementationProvider',
  references: 'vscode.executeReferenceProvider',
};

export interface LanguagePortDependencies {
  readonly buffers: Pick<EditorBuffers, 'find'>;
  readonly converter: LspConverter;
  /** Undefined for a session that has ended. */
  session(key: string): { readonly consents: Pick<Consents, 'mayRead'> } | undefined;
}

/** The features that change nothing. */
export class LanguageQueries implements ProblemsPort, SymbolsPort, NavigationPort, InformationPort, Disposable {
  protected readonly typescript = new TypeScriptProblems();
  /** ms since the epoch of the last change of each open document. */
  private readonly changedAt = new Map<string, number>();
  private readonly subscriptions = [
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.scheme === 'file') {
        this.changedAt.set(document.uri.fsPath, Date.now());
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.changedAt.delete(uri.fsPath)),
  ];

  constructor(private readonly deps: LanguagePortDependencies) {}

  dispose(): void {
    this.subscriptions.forEach((subscription) => void subscription.dispose());
  }

  textChangedAt(path: string): number | undefined {
    return this.changedAt.get(path);
  }

  async open(path: string): Promise<EditorText> {
    const wasOpen = openFiles().some(({ uri }) => uri.fsPath === path);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    if (!wasOpen) {
      // TypeScript answers from the file alone until it has loaded the file's project. The check waits for the project.
      await this.typescript.check(document).catch(() => false);
    }
    // A file that the agent has just written must be read again first.
    const buffer = await this.deps.buffers.find(await realPathOf(path));
    const isBehind = buffer !== undefined && !buffer.dirty && (await buffer.isStale());
    return { text: buffer?.text ?? document.getText(), isDirty: buffer?.dirty ?? document.isDirty, isBehind };
  }

  async peek(path: string): Promise<string | undefined> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === path);
    if (document) {
      return document.getText();
    }
    try {
      const bytes = await diskBytes.read(await realPathOf(path), MAX_PREVIEWED);
      return await vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) });
    } catch {
      return undefined;
    }
  }

  async isHidden({ key, roots }: ToolSession, path: string): Promise<boolean> {
    const consents = this.deps.session(key)?.consents;
    return !consents || !(await maySendText(path, { roots, consents, setting: readProtectedPaths }));
  }

  all(): readonly FileProblems[] {
    const { converter } = this.deps;
    const reported = new Map(
      vscode.languages.getDiagnostics().map(([uri, diagnostics]) => [uri.scheme === 'file' ? uri.fsPath : '', diagnostics]),
    );
    reported.delete('');
    const checked = new Map(
      openFiles().flatMap((document) => (this.typescript.of(document)?.length ? [[document.uri.fsPath, document] as const] : [])),
    );
    return [...new Set([...reported.keys(), ...checked.keys()])].map((path) => {
      const diagnostics = reported.get(path) ?? [];
      const own = checked.has(path) ? (this.typescript.of(checked.get(path)!) ?? []) : [];
      return {
        path,
        get problems() {
          return [...problemsOf(converter, diagnostics), ...own];
        },
      };
    });
  }

  of(path: string): readonly Problem[] {
    const document = openFiles().find(({ uri }) => uri.fsPath === path);
    const own = document && this.typescript.of(document);
    return [...problemsOf(this.deps.converter, vscode.languages.getDiagnostics(vscode.Uri.file(path))), ...(own ?? [])];
  }

  async check(path: string): Promise<boolean> {
    const document = openFiles().find(({ uri }) => uri.fsPath === path);
    return document !== undefined && this.typescript.check(document).catch(() => false);
  }

  analysedPaths(): ReadonlySet<string> {
    return new Set(openFiles().flatMap((document) => (this.typescript.isUnknown(document) ? [] : document.uri.fsPath)));
  }

  onDidChange(listener: (paths: readonly string[]) => void): Disposable {
    return vscode.languages.onDidChangeDiagnostics(({ uris }) =>
      listener(uris.flatMap((uri) => (uri.scheme === 'file' ? uri.fsPath : []))),
    );
  }

  async documentSymbols(path: string): Promise<readonly CodeSymbol[]> {
    const found = await ask<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>('vscode.executeDocumentSymbolProvider', uriOf(path));
    return (found ?? []).map((symbol) => ('selectionRange' in symbol ? this.symbol(path, symbol) : this.information(symbol)));
  }

  async workspaceSymbols(query: string): Promise<readonly CodeSymbol[]> {
    const found = await ask<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', query);
    return (found ?? []).map((symbol) => this.information(symbol));
  }

  async places(kind: PlaceKind, path: string, position: Position): Promise<readonly Place[]> {
    const found = await ask<(vscode.Location | vscode.LocationLink)[]>(COMMANDS[kind], uriOf(path), positionIn(position));
    return (found ?? []).map((each) =>
      'targetUri' in each ? this.place(each.targetUri, each.targetSelectionRange ?? each.targetRange) : this.place(each.uri, each.range),
    );
  }

  async calls(
    path: string,
    position: Position,
    direction: CallDirection,
  ): Promise<readonly { readonly symbol: CodeSymbol; readonly calls: readonly Call[] }[]> {
    const items = await ask<vscode.CallHierarchyItem[]>('vscode.prepareCallHierarchy', uriOf(path), positionIn(position));
    return Promise.all(
      (items ?? []).map(async (item) => {
        const found =
          direction === 'incoming'
            ? ((await ask<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', item)) ?? []).map((call) => ({
                item: call.from,
                ranges: call.fromRanges,
              }))
            : ((await ask<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', item)) ?? []).map((call) => ({
                item: call.to,
                ranges: call.fromRanges,
              }));
        const calls = found.map((call) => ({ symbol: this.item(call.item), ranges: call.ranges.map((range) => this.range(range)) }));
        return { symbol: this.item(item), calls };
      }),
    );
  }

  async types(
    path: string,
    position: Position,
    direction: TypeDirection,
  ): Promise<readonly { readonly symbol: CodeSymbol; readonly types: readonly CodeSymbol[] }[]> {
    const items = await ask<vscode.TypeHierarchyItem[]>('vscode.prepareTypeHierarchy', uriOf(path), positionIn(position));
    const command = direction === 'supertypes' ? 'vscode.provideSupertypes' : 'vscode.provideSubtypes';
    return Promise.all(
      (items ?? []).map(async (item) => {
        const found = await ask<vscode.TypeHierarchyItem[]>(command, item);
        return { symbol: this.item(item), types: (found ?? []).map((each) => this.item(each)) };
      }),
    );
  }

  async hover(path: string, position: Position): Promise<readonly string[]> {
    const found = await ask<vscode.Hover[]>('vscode.executeHoverProvider', uriOf(path), positionIn(position));
    return (found ?? []).flatMap(({ contents }) =>
      contents.map((content) =>
        typeof content === 'string' || !('language' in content)
          ? markdownOf(content)
          : `\`\`\`${content.language}\n${content.value}\n\`\`\``,
      ),
    );
  }

  async signatures(path: string, position: Position): Promise<Signatures | undefined> {
    const found = await ask<vscode.SignatureHelp>('vscode.executeSignatureHelpProvider', uriOf(path), positionIn(position));
    return (
      found && {
        active: found.activeSignature,
        activeParameter: found.activeParameter,
        signatures: found.signatures.map(({ label, documentation, parameters }) => ({
          label,
          ...(documentation && { documentation: markdownOf(documentation) }),
          parameters: parameters.map((parameter) => ({
            label: typeof parameter.label === 'string' ? parameter.label : label.slice(...parameter.label),
            ...(parameter.documentation && { documentation: markdownOf(parameter.documentation) }),
          })),
        })),
      }
    );
  }

  private range(range: vscode.Range): Range {
    return this.deps.converter.asRange(range);
  }

  private place(uri: vscode.Uri, range: vscode.Range): Place {
    return { path: uri.scheme === 'file' ? uri.fsPath : this.deps.converter.asUri(uri), range: this.range(range) };
  }

  /** The place of a symbol begins at its name and ends with its whole range. */
  private symbol(path: string, { name, detail, kind, range, selectionRange, children }: vscode.DocumentSymbol): CodeSymbol {
    return {
      name,
      kind: this.deps.converter.asSymbolKind(kind),
      ...(detail && { detail }),
      place: { path, range: this.range(new vscode.Range(selectionRange.start, range.end)) },
      children: children.map((child) => this.symbol(path, child)),
    };
  }

  private information({ name, kind, containerName, location }: vscode.SymbolInformation): CodeSymbol {
    const place = this.place(location.uri, location.range);
    return { name, kind: this.deps.converter.asSymbolKind(kind), ...(containerName && { containerName }), place };
  }

  private item({ name, kind, detail, uri, range, selectionRange }: vscode.CallHierarchyItem | vscode.TypeHierarchyItem): CodeSymbol {
    const place = this.place(uri, new vscode.Range(selectionRange.start, range.end));
    return { name, kind: this.deps.converter.asSymbolKind(kind), ...(detail && { detail }), place };
  }
}

function openFiles(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
}

export function uriOf(path: string): vscode.Uri {
  return vscode.Uri.file(path);
}

export function positionIn({ line, character }: Position): vscode.Position {
  return new vscode.Position(line, character);
}

export function rangeIn({ start, end }: Range): vscode.Range {
  return new vscode.Range(positionIn(start), positionIn(end));
}

/** @returns undefined when no extension provides the feature for the file */
export async function ask<T>(command: string, ...args: readonly unknown[]): Promise<T | undefined> {
  return vscode.commands.executeCommand<T | undefined>(command, ...args);
}

function problemsOf(converter: LspConverter, diagnostics: readonly vscode.Diagnostic[]): readonly Problem[] {
  return converter.asDiagnosticsSync([...diagnostics]).map(({ range, severity, message, source, code }) => ({
    range,
    severity: severity ?? 1,
    message: typeof message === 'string' ? message : message.value,
    ...(source && { source }),
    ...(code !== undefined && { code }),
  }));
}

function markdownOf(content: string | vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === 'string' ? content : content.value;
}
