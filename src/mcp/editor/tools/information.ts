/** The tools that describe a symbol. */
import { z } from 'zod';
import type { InformationPort, Signatures } from '../language';
import { openFile, TIMED_OUT, untilLate } from '../list';
import { locate, positionFields } from '../position';
import { answeringRetries } from '../retry';
import { editorTool, type EditorTool } from '../tool';

const TIMEOUT = 15_000;
/** UTF-16 units. */
const MAX_TEXT = 12_000;
const MAX_SIGNATURES = 20;
const MAX_DOCUMENTATION = 1000;

export function informationTools(port: InformationPort): readonly EditorTool[] {
  return [
    editorTool({
      name: 'hover',
      category: 'information',
      title: 'Type and documentation',
      description:
        'Returns what the editor shows when the mouse is over a symbol: its type, signature and documentation, from the language server. Name the position by symbol and lineText, the text of a line that contains it; or by line and column, both 1-based.',
      isReadOnly: true,
      input: z.object(positionFields),
      timeout: TIMEOUT,
      run: answeringRetries(async ({ file: named, ...input }, context) => {
        const { file, text } = await openFile(context, port, named);
        const position = locate(text, input, file.shown);
        const contents = await untilLate(context, port.hover(file.path, position));
        if (!contents) {
          return TIMED_OUT;
        }
        const place = `${file.shown}:${position.line + 1}`;
        const shown = clipped(
          contents
            .map((each) => each.trim())
            .filter(Boolean)
            .join('\n\n---\n\n'),
          MAX_TEXT,
        );
        return shown === ''
          ? { text: `The editor has no information on this position, ${place}.`, data: { contents: '' } }
          : { text: `${place}\n\n${shown}`, data: { file: file.shown, line: position.line + 1, contents: shown } };
      }),
    }),
    editorTool({
      name: 'signature_help',
      category: 'information',
      title: 'Signatures of a call',
      description:
        'Returns the signatures of the function that is called at a position, with its overloads and parameters. Name the position by the name of the function and lineText, the text of a line with the call; or by line and column (1-based) inside the parentheses of the call.',
      isReadOnly: true,
      input: z.object(positionFields),
      timeout: TIMEOUT,
      run: answeringRetries(async ({ file: named, ...input }, context) => {
        const { file, text } = await openFile(context, port, named);
        const position = locate(text, input, file.shown);
        const found = await untilLate(context, port.signatures(file.path, insideCall(text, position, input.symbol)));
        if (!found || found.signatures.length === 0) {
          return found === undefined && context.timedOut
            ? TIMED_OUT
            : {
                text: `No call is at ${file.shown}:${position.line + 1}. Name the function in a line that calls it.`,
                data: { signatures: [] },
              };
        }
        return { text: `${file.shown}:${position.line + 1}\n\n${signatureText(found)}`, data: { ...found } };
      }),
    }),
  ];
}

/** Returns the position behind the parenthesis that follows the symbol, because providers answer only inside a call. */
function insideCall(
  text: string,
  position: { readonly line: number; readonly character: number },
  symbol: string | undefined,
): { readonly line: number; readonly character: number } {
  const line = text.split(/\r\n|\n|\r/)[position.line] ?? '';
  const open = symbol === undefined ? -1 : line.indexOf('(', position.character + symbol.length);
  return open < 0 ? position : { line: position.line, character: open + 1 };
}

function signatureText({ active, activeParameter, signatures }: Signatures): string {
  const rows = signatures.slice(0, MAX_SIGNATURES).map(({ label, documentation, parameters }, index) => {
    const isActive = index === active && signatures.length > 1;
    const described = parameters.flatMap(({ label: name, documentation: text }, at) => {
      const isAt = index === active && at === activeParameter;
      return text || isAt ? [`  ${isAt ? '→' : '-'} ${name}${text ? `: ${clipped(text, MAX_DOCUMENTATION)}` : ''}`] : [];
    });
    return [
      `${isActive ? '→ ' : ''}${clipped(label, MAX_DOCUMENTATION)}`,
      ...(documentation ? [`  ${clipped(documentation, MAX_DOCUMENTATION)}`] : []),
      ...described,
    ].join('\n');
  });
  const left = signatures.length - rows.length;
  return [...rows, ...(left > 0 ? [`… and ${left} more overloads`] : [])].join('\n\n');
}

function clipped(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
