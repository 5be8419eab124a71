/** The tools that list symbols. */
import { z } from 'zod';
import { fileField, SessionFiles } from '../files';
import type { CodeSymbol, SymbolsPort } from '../language';
import { counted, cursorField, listAnswer, openFile, Previews, rowText, TIMED_OUT, untilLate } from '../list';
import { answeringRetries } from '../retry';
import { symbolKind } from '../symbolKinds';
import { editorTool, type EditorTool } from '../tool';
import { symbolRows } from './navigation';

const PAGE = 100;
const TIMEOUT = 20_000;
/** The maximum number of symbols that are read from one answer of a language server. */
const MAX_SYMBOLS = 20_000;

export function symbolTools(port: SymbolsPort): readonly EditorTool[] {
  return [
    editorTool({
      name: 'document_symbols',
      category: 'symbols',
      title: 'Symbols of a file',
      description:
        'Lists the symbols of a file as an outline: classes, functions, variables, with the line of each. Use it to find your way in a long file.',
      isReadOnly: true,
      input: z.object({
        file: fileField,
        depth: z.int().min(1).max(20).default(3).describe('Levels of nested symbols.'),
        cursor: cursorField,
      }),
      timeout: TIMEOUT,
      run: answeringRetries(async ({ file: named, depth, cursor }, context) => {
        const { files, file } = await openFile(context, port, named);
        const symbols = await untilLate(context, port.documentSymbols(file.path));
        if (!symbols) {
          return TIMED_OUT;
        }
        const rows = outline(symbols, depth);
        const head =
          rows.length === 0
            ? `No symbols of ${file.shown} are known to the editor. Its language may have no extension.`
            : `${counted(rows.length, 'symbol')} of ${file.shown}.`;
        const previews = new Previews(files, port, context.session);
        return listAnswer(context, {
          head,
          items: rows,
          cursor,
          size: PAGE,
          render: async ({ symbol, level }) => {
            const row = await previews.rowOf(symbol.place);
            const kind = symbolKind(symbol.kind);
            const data = { name: symbol.name, kind, level, endLine: symbol.place.range.end.line + 1, ...row };
            return { text: `${'  '.repeat(level)}${kind} ${symbol.name}  ${rowText(row)}`, data };
          },
        });
      }),
    }),
    editorTool({
      name: 'workspace_symbols',
      category: 'symbols',
      title: 'Symbols of the workspace',
      description:
        "Finds classes, functions and other symbols of the whole workspace by a part of their name, with the editor's language servers. Only symbols in the session's folders are listed.",
      isReadOnly: true,
      input: z.object({
        query: z.string().trim().min(1).max(200).describe('A part of the name, such as parseConf.'),
        cursor: cursorField,
      }),
      timeout: TIMEOUT,
      run: answeringRetries(async ({ query, cursor }, context) => {
        const files = await SessionFiles.of(context.session.roots);
        const found = await untilLate(context, port.workspaceSymbols(query));
        if (!found) {
          return TIMED_OUT;
        }
        const symbols = found.slice(0, MAX_SYMBOLS).filter(({ place }) => files.isInside(place.path));
        const head =
          symbols.length === 0
            ? `No symbol like ${query} in the session's folders. A language server may need an open file first: call document_symbols for one, or search for the text.`
            : `${counted(symbols.length, 'symbol')} like ${query}.`;
        return symbolRows(context, new Previews(files, port, context.session), head, symbols, cursor, PAGE);
      }),
    }),
  ];
}

/** Returns the symbols with their levels, parents first. Not recursive: a server may nest them without end. */
function outline(symbols: readonly CodeSymbol[], depth: number): { readonly symbol: CodeSymbol; readonly level: number }[] {
  const rows: { symbol: CodeSymbol; level: number }[] = [];
  const waiting = symbols.map((symbol) => ({ symbol, level: 0 })).reverse();
  for (let next = waiting.pop(); next && rows.length < MAX_SYMBOLS; next = waiting.pop()) {
    rows.push(next);
    const { level } = next;
    if (level + 1 < depth) {
      waiting.push(...(next.symbol.children ?? []).map((symbol) => ({ symbol, level: level + 1 })).reverse());
    }
  }
  return rows;
}
