/** The symbols of VS Code's language extensions, as rows of mentions. Does not wait for a slow language server. */
import * as vscode from 'vscode';
import type { MentionRow } from '../../core/protocol/view';
import { rankOf } from '../../application/editor/fileGlobs';
import type { MentionedFile } from '../../application/mentions/mentionOf';
import { symbolMention } from '../../application/mentions/mentionOf';

const MAX_WAIT_MS = 3000;
const MAX_NAME = 200;
/** Symbols of the workspace that are looked at: language servers give a few hundred, and some of them all they have. */
const MAX_FOUND = 2000;

type MentionedFileOf = (uri: vscode.Uri) => MentionedFile | undefined;

/** Returns symbols of the whole workspace. Never rejects. @param fileOf returns undefined for a file outside of the session's folders */
export async function workspaceSymbols(text: string, fileOf: MentionedFileOf): Promise<MentionRow[]> {
  const found = await soon(vscode.commands.executeCommand<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', text));
  return (found ?? [])
    .slice(0, MAX_FOUND)
    .flatMap(({ name, containerName, location }) => rowOf(name, containerName, location.uri, location.range, fileOf));
}

/** Returns symbols of this document. Never rejects. */
export async function documentSymbols(
  document: vscode.TextDocument,
  text: string,
  limit: number,
  fileOf: MentionedFileOf,
): Promise<MentionRow[]> {
  return (await symbolsOf(document.uri))
    .map((symbol) => ({ symbol, rank: text === '' ? 1 : rankOf(symbol.name, text) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .flatMap(({ symbol: { name, container, range } }) => rowOf(name, container, document.uri, range, fileOf));
}

/** Returns all lines of the symbol with this name at this line, because a workspace symbol has only the position of its name. */
export async function symbolLines(
  uri: vscode.Uri,
  name: string,
  line: number,
): Promise<{ readonly line: number; readonly endLine: number } | undefined> {
  const found = (await symbolsOf(uri)).find(
    (symbol) => symbol.name.startsWith(name) && symbol.range.start.line <= line - 1 && symbol.range.end.line >= line - 1,
  );
  return found && { line: found.range.start.line + 1, endLine: found.range.end.line + 1 };
}

interface FlatSymbol {
  readonly name: string;
  readonly container: string;
  readonly range: vscode.Range;
}

async function symbolsOf(uri: vscode.Uri): Promise<FlatSymbol[]> {
  const found = await soon(
    vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>('vscode.executeDocumentSymbolProvider', uri),
  );
  const flat: FlatSymbol[] = [];
  const add = (symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[], container: string): void => {
    for (const symbol of symbols) {
      if ('location' in symbol && symbol.location) {
        flat.push({ name: symbol.name, container: symbol.containerName, range: symbol.location.range });
      } else if ('range' in symbol) {
        flat.push({ name: symbol.name, container, range: symbol.range });
        add(symbol.children, symbol.name);
      }
    }
  };
  add(found ?? [], '');
  return flat;
}

function rowOf(name: string, container: string, uri: vscode.Uri, range: vscode.Range, fileOf: MentionedFileOf): MentionRow[] {
  const file = fileOf(uri);
  if (!file) {
    return [];
  }
  const lines = {
    line: range.start.line + 1,
    endLine:
      Math.max(range.start.line, range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line) + 1,
  };
  const mention = symbolMention(file, name, lines);
  return [
    {
      kind: 'symbol',
      label: name.slice(0, MAX_NAME),
      detail: [container, mention.about ?? '']
        .filter(Boolean)
        .join(' · ')
        .slice(0, MAX_NAME * 2),
      mention,
    },
  ];
}

async function soon<T>(result: Thenable<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), MAX_WAIT_MS)));
  return Promise.race([Promise.resolve(result).catch(() => undefined), timeout]).finally(() => clearTimeout(timer));
}
