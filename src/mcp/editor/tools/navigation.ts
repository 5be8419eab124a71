/** The tools that follow a symbol: to its definition, its uses, its callers, its types. */
import { z } from 'zod';
import type { CodeSymbol, NavigationPort, Place, PlaceKind } from '../language';
import { counted, cursorField, listAnswer, openFile, Previews, rowText, TIMED_OUT, untilLate } from '../list';
import { locate, positionFields, type Range } from '../position';
import { answeringRetries } from '../retry';
import { symbolKind } from '../symbolKinds';
import { editorTool, type EditorTool, type ToolAnswer, type ToolContext } from '../tool';

const PAGE = 50;
const TIMEOUT = 20_000;

interface PlaceTool {
  readonly name: PlaceKind;
  readonly title: string;
  readonly description: string;
  readonly one: string;
  readonly many: string;
}

const POSITION =
  'Name the position by symbol and lineText, the text of a line that contains it; or by line and column, both 1-based. Answers file:line:column with the line.';

const PLACE_TOOLS: readonly PlaceTool[] = [
  {
    name: 'definition',
    title: 'Go to definition',
    description: `Finds where a symbol is defined, with the editor's language server. ${POSITION}`,
    one: 'definition',
    many: 'definitions',
  },
  {
    name: 'declaration',
    title: 'Go to declaration',
    description: `Finds where a symbol is declared, such as in a header file, with the editor's language server. ${POSITION}`,
    one: 'declaration',
    many: 'declarations',
  },
  {
    name: 'type_definition',
    title: 'Go to type definition',
    description: `Finds where the type of a symbol is defined, with the editor's language server. ${POSITION}`,
    one: 'type definition',
    many: 'type definitions',
  },
  {
    name: 'implementations',
    title: 'Find implementations',
    description: `Finds the implementations of an interface, a class or a method, with the editor's language server. ${POSITION}`,
    one: 'implementation',
    many: 'implementations',
  },
  {
    name: 'references',
    title: 'Find references',
    description: `Finds all uses of a symbol in the workspace, with the editor's language server. More exact than a text search: it knows scopes, imports and types. ${POSITION}`,
    one: 'reference',
    many: 'references',
  },
];

export function navigationTools(port: NavigationPort): readonly EditorTool[] {
  return [...PLACE_TOOLS.map((tool) => placeTool(port, tool)), callHierarchy(port), typeHierarchy(port)];
}

function placeTool(port: NavigationPort, { name, title, description, one, many }: PlaceTool): EditorTool {
  return editorTool({
    name,
    category: 'navigation',
    title,
    description,
    isReadOnly: true,
    input: z.object({ ...positionFields, cursor: cursorField }),
    timeout: TIMEOUT,
    run: answeringRetries(async ({ file: named, cursor, ...input }, context) => {
      const { files, file, text } = await openFile(context, port, named);
      const position = locate(text, input, file.shown);
      const found = await untilLate(context, port.places(name, file.path, position));
      if (!found) {
        return TIMED_OUT;
      }
      const places = distinct(found);
      const symbol = input.symbol ?? 'the symbol';
      const fileCount = new Set(places.map(({ path }) => path)).size;
      const head =
        places.length === 0
          ? `No ${one} of ${symbol} at ${file.shown}:${position.line + 1} is known to the language server. Check the position, or search for the text.`
          : `${counted(places.length, one, many)} of ${symbol} in ${counted(fileCount, 'file')}.`;
      const previews = new Previews(files, port, context.session);
      return listAnswer(context, {
        head,
        items: places,
        cursor,
        size: PAGE,
        render: async (place) => {
          const row = await previews.rowOf(place);
          return { text: rowText(row), data: { ...row } };
        },
      });
    }),
  });
}

function callHierarchy(port: NavigationPort): EditorTool {
  return editorTool({
    name: 'call_hierarchy',
    category: 'navigation',
    title: 'Call hierarchy',
    description: `Finds the functions that call a function (incoming), or that it calls (outgoing), one level deep, with the places of the calls. ${POSITION}`,
    isReadOnly: true,
    input: z.object({
      ...positionFields,
      direction: z.enum(['incoming', 'outgoing']).default('incoming').describe('incoming: who calls it. outgoing: what it calls.'),
      cursor: cursorField,
    }),
    timeout: TIMEOUT,
    run: answeringRetries(async ({ file: named, cursor, direction, ...input }, context) => {
      const { files, file, text } = await openFile(context, port, named);
      const position = locate(text, input, file.shown);
      const found = await untilLate(context, port.calls(file.path, position, direction));
      if (!found) {
        return TIMED_OUT;
      }
      const previews = new Previews(files, port, context.session);
      const rows = found.flatMap(({ symbol, calls }) =>
        calls.flatMap((call) =>
          (call.ranges.length > 0 ? call.ranges : [call.symbol.place.range]).map((range) => ({
            call,
            place: { path: direction === 'incoming' ? call.symbol.place.path : symbol.place.path, range },
          })),
        ),
      );
      const calls = found.reduce((count, each) => count + each.calls.length, 0);
      const name = found[0]?.symbol.name ?? input.symbol ?? 'the symbol';
      const what = direction === 'incoming' ? `${counted(calls, 'caller')} of ${name}` : `${counted(calls, 'function')} called by ${name}`;
      const head =
        found.length === 0
          ? `No function is at ${file.shown}:${position.line + 1} for the language server. Name the function's own name.`
          : `${what}, ${counted(rows.length, 'place')}.`;
      return listAnswer(context, {
        head,
        items: rows,
        cursor,
        size: PAGE,
        render: async ({ call: { symbol }, place }) => {
          const row = await previews.rowOf(place);
          const definition = await previews.rowOf(symbol.place);
          const described = { name: symbol.name, kind: symbolKind(symbol.kind), definedAt: `${definition.file}:${definition.line}` };
          return { text: `${described.kind} ${symbol.name} (${described.definedAt})  ${rowText(row)}`, data: { ...described, ...row } };
        },
      });
    }),
  });
}

function typeHierarchy(port: NavigationPort): EditorTool {
  return editorTool({
    name: 'type_hierarchy',
    category: 'navigation',
    title: 'Type hierarchy',
    description: `Finds the types that a class or interface extends (supertypes), or that extend it (subtypes), one level deep. ${POSITION}`,
    isReadOnly: true,
    input: z.object({
      ...positionFields,
      direction: z.enum(['supertypes', 'subtypes']).default('subtypes'),
      cursor: cursorField,
    }),
    timeout: TIMEOUT,
    run: answeringRetries(async ({ file: named, cursor, direction, ...input }, context) => {
      const { files, file, text } = await openFile(context, port, named);
      const position = locate(text, input, file.shown);
      const found = await untilLate(context, port.types(file.path, position, direction));
      if (!found) {
        return TIMED_OUT;
      }
      const types = found.flatMap(({ types }) => types);
      const name = found[0]?.symbol.name ?? input.symbol ?? 'the symbol';
      const head =
        found.length === 0
          ? `The language server has no type hierarchy at ${file.shown}:${position.line + 1}. Try the tool implementations.`
          : `${counted(types.length, direction.slice(0, -1))} of ${name}.`;
      return symbolRows(context, new Previews(files, port, context.session), head, types, cursor, PAGE);
    }),
  });
}

/** Returns a page of symbols, each with its place. */
export function symbolRows(
  context: ToolContext,
  previews: Previews,
  head: string,
  symbols: readonly CodeSymbol[],
  cursor: string | undefined,
  size: number,
): Promise<ToolAnswer> {
  return listAnswer(context, {
    head,
    items: symbols,
    cursor,
    size,
    render: async ({ name, kind, detail, containerName, place }) => {
      const row = await previews.rowOf(place);
      const within = containerName ? ` in ${containerName}` : '';
      const data = { name, kind: symbolKind(kind), ...(detail && { detail }), ...(containerName && { containerName }), ...row };
      return { text: `${symbolKind(kind)} ${name}${within}  ${rowText(row)}`, data };
    },
  });
}

/** Language servers may name a place twice, and several providers may know it. */
function distinct(places: readonly Place[]): readonly Place[] {
  const seen = new Set<string>();
  const keyOf = ({ path, range: { start, end } }: { path: string; range: Range }): string =>
    [path, start.line, start.character, end.line, end.character].join('\0');
  return places.filter((place) => {
    const key = keyOf(place);
    return !seen.has(key) && seen.add(key);
  });
}
