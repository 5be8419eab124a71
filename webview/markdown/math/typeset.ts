/** Converts TeX to plain elements with KaTeX. Runs in a worker, where it may take long. */
import { ParseError, render } from 'katex';
import type { MathElement, MathResult } from './messages';
import { fontsOf } from './fonts';
import { RecordingDocument, TooLarge } from './recordingDocument';

/** em; the limit of sizes in a formula, such as the height of a rule or the width of a space. */
const MAX_SIZE = 30;
/** Expansions of macros, including KaTeX's own. */
const MAX_EXPANSIONS = 1000;
/** Uses of parameters in the macros that a formula defines. With many uses, few expansions produce very long results. */
const MAX_PARAMETERS = 32;

/** The limit for all tokens that a formula's own macros expand to: KaTeX counts expansions, but not their results. */
const MAX_EXPANDED = 20_000;

/** Typesets a formula. No macro of one formula affects the next one. */
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
    // Too deep a nesting overflows the stack, and too long an argument list fails a call.
    if (error instanceof TooLarge || error instanceof RangeError) {
      return { reason: 'size' };
    }
    return { reason: 'syntax', detail: String((error as Error | undefined)?.message ?? error) };
  } finally {
    Object.assign(globalThis, { document: before });
  }
}

type Macro = string | { readonly tokens?: readonly unknown[] };

/** A store for the macros of a formula, which throws when their expansions become too long. */
function countedMacros(): Record<string, Macro> {
  let left = MAX_EXPANDED;
  return new Proxy<Record<string, Macro>>(
    // KaTeX may already know the new command. `\newcommand` would then fail.
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
