/** TeX to plain elements, with KaTeX. Runs where it may take as long as it likes. */
import { ParseError, render } from 'katex';
import type { MathElement, MathResult } from './messages';
import { fontsOf } from './fonts';
import { RecordingDocument, TooLarge } from './recordingDocument';

/** em; what a formula asks for, as the height of a rule or the width of a space. */
const MAX_SIZE = 30;
/** Expansions of macros, KaTeX's own included. */
const MAX_EXPANSIONS = 1000;
/** Uses of parameters in macros that a formula defines: with many, few expansions make very much of little. */
const MAX_PARAMETERS = 32;

/** Tokens that macros of a formula's own may become, all told: KaTeX counts expansions, not what comes of them. */
const MAX_EXPANDED = 20_000;

/** Nothing of one formula is known to the next. */
export function typeset(tex: string, display: boolean): MathResult {
  if ((tex.match(/(?<!\\)#/g)?.length ?? 0) > MAX_PARAMETERS) {
    return { reason: 'size' };
  }
  const notes = new RecordingDocument();
  const target = notes.createElement('span');
  const before = globalThis.document;
  try {
    Object.assign(globalThis, { document: notes });
    render(tex, target as unknown as HTMLElement, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxSize: MAX_SIZE,
      maxExpand: MAX_EXPANSIONS,
      macros: countedMacros(),
    });
    const root: MathElement = { ...target.plain(), classes: 'math-body' };
    return { root, fonts: fontsOf(root) };
  } catch (error) {
    if (error instanceof ParseError) {
      return { reason: 'syntax', detail: (error as ParseError & { rawMessage: string }).rawMessage };
    }
    // Too deep a nesting ends the stack, too long a list of arguments a call.
    if (error instanceof TooLarge || error instanceof RangeError) {
      return { reason: 'size' };
    }
    return { reason: 'syntax', detail: String((error as Error | undefined)?.message ?? error) };
  } finally {
    Object.assign(globalThis, { document: before });
  }
}

type Macro = string | { readonly tokens?: readonly unknown[] };

/** A place for the macros that a formula defines, which ends it when they become too much. */
function countedMacros(): Record<string, Macro> {
  let left = MAX_EXPANDED;
  return new Proxy<Record<string, Macro>>(
    // What is meant as new may be known to KaTeX.
    { '\\newcommand': '\\providecommand' },
    {
      get(macros, name, receiver) {
        const macro = Reflect.get(macros, name, receiver) as Macro | undefined;
        left -= typeof macro === 'object' ? (macro.tokens?.length ?? 0) : 0;
        if (left < 0) {
          throw new TooLarge();
        }
        return macro;
      },
    },
  );
}
