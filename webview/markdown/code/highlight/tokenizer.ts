/**
 * TextMate's tokenizer with JavaScript's regular expressions, so without WebAssembly. Runs in a worker, but uses neither the page's nor the worker's
 * API.
 */
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import { EncodedTokenMetadata, type IGrammar, INITIAL, type IRawGrammar, Registry, type StateStack } from '@shikijs/vscode-textmate';
import { COLOUR_BITS, type FromWorker, type LineTokens, type StyleRule, type ToWorker } from './messages';

/** UTF-16 units; a longer line stays plain. */
const MAX_LINE = 5_000;
/**
 * The time in `ms` and the number of `tries` before the rest of a line stays plain. The first lines of a language compile its expressions, which a
 * busy machine cannot do in one try; compiled expressions are reused. The limit does not cover a single endless match: the page terminates the
 * worker.
 */
const LINE_LIMITS = { ms: 500, tries: 2 };

interface Block {
  readonly grammar: IGrammar;
  state: StateStack;
  /** The number of finished lines. */
  closed: number;
  /** The text of the unfinished line. */
  open: string;
}

export class Tokenizer {
  private readonly registry: Registry;
  /** The grammars by scope. */
  private readonly grammars = new Map<string, IGrammar>();
  private readonly languages = new Map<string, IGrammar>();
  private readonly blocks = new Map<number, Block>();
  /** Maps the registry's colour index to the page's. */
  private colours: number[] = [];

  constructor(private readonly limits = LINE_LIMITS) {
    const engine = createJavaScriptRegexEngine({ forgiving: true });
    const onigLib = {
      createOnigScanner: (patterns: (string | RegExp)[]) => engine.createScanner(patterns),
      createOnigString: (text: string) => engine.createString(text),
    };
    this.registry = new Registry({ onigLib, loadGrammar: () => null });
  }

  /** Handles `message` and returns the answer, if it has one. */
  receive(message: ToWorker): FromWorker | undefined {
    switch (message.type) {
      case 'theme':
        return this.setTheme(message.rules);
      case 'language':
        return this.addLanguage(message);
      case 'text':
        return this.tokenise(message.block, message.language, message.text);
      case 'close':
        return void this.blocks.delete(message.block);
    }
  }

  private setTheme(rules: readonly StyleRule[]): undefined {
    this.blocks.clear();
    const settings = rules.map(({ scope, colour, fontStyle }) => ({
      ...(scope && { scope: [...scope] }),
      // The tokenizer takes CSS colours; the page's colours are only numbers.
      settings: { ...(colour && { foreground: hex(colour) }), ...(fontStyle !== undefined && { fontStyle }) },
    }));
    this.registry.setTheme({ settings: [{ settings: { foreground: hex(0), background: hex(0) } }, ...settings] });
    this.colours = this.registry.getColorMap().map((colour) => Number.parseInt(colour?.slice(1) ?? '0', 16));
  }

  private addLanguage({ language, grammars, injected }: Extract<ToWorker, { type: 'language' }>): undefined {
    const [own, ...others] = grammars.map((text) => JSON.parse(text) as IRawGrammar);
    if (!own || this.languages.has(language)) {
      return;
    }
    for (const grammar of others) {
      this.add(grammar, []);
    }
    const scopes = injected > 0 ? others.slice(-injected).map(({ scopeName }) => scopeName) : [];
    this.languages.set(language, this.add(own, scopes));
  }

  private add(raw: IRawGrammar, injected: string[]): IGrammar {
    const grammar = this.grammars.get(raw.scopeName) ?? this.registry.addGrammar(raw, injected);
    this.grammars.set(raw.scopeName, grammar);
    return grammar;
  }

  private tokenise(id: number, language: string, text: string): FromWorker {
    const block = this.blocks.get(id) ?? this.open(id, language);
    if (!block) {
      return { block: id, from: 0, lines: [] };
    }
    const from = block.closed;
    const lines: LineTokens[] = [];
    const pieces = (block.open + text).split('\n');
    const open = pieces.pop()!;
    for (const line of pieces) {
      const { tokens, state } = this.line(block, line);
      lines.push(tokens);
      block.state = state;
    }
    block.closed += pieces.length;
    block.open = open;
    lines.push(open === '' ? [] : this.line(block, open).tokens);
    return { block: id, from, lines };
  }

  private open(id: number, language: string): Block | undefined {
    const grammar = this.languages.get(language);
    if (!grammar) {
      return undefined;
    }
    const block: Block = { grammar, state: INITIAL, closed: 0, open: '' };
    this.blocks.set(id, block);
    return block;
  }

  private line({ grammar, state }: Block, line: string): { tokens: LineTokens; state: StateStack } {
    if (line.length > MAX_LINE) {
      return { tokens: [], state };
    }
    let result = grammar.tokenizeLine2(line, state, this.limits.ms);
    for (let tries = 1; result.stoppedEarly && tries < this.limits.tries; tries++) {
      result = grammar.tokenizeLine2(line, state, this.limits.ms);
    }
    return { tokens: this.styles(result.tokens), state: result.ruleStack };
  }

  /** @param packed a start offset and its attributes, in turn */
  private styles(packed: Uint32Array): LineTokens {
    const tokens: number[] = [];
    let last = 0;
    for (let at = 0; at + 1 < packed.length; at += 2) {
      const attributes = packed[at + 1]!;
      const colour = this.colours[EncodedTokenMetadata.getForeground(attributes)] ?? 0;
      const style = colour | (EncodedTokenMetadata.getFontStyle(attributes) << COLOUR_BITS);
      if (style !== last) {
        tokens.push(packed[at]!, style);
      }
      last = style;
    }
    return tokens;
  }
}

function hex(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}
