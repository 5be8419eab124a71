/**
 * Prints the worst texts found for each reader, as JSON lines: `npx tsx --tsconfig test/support/tsconfig.run.json test/bench/fuzz.ts
 * [seconds] [seed]`.
 */
import { sanitizeMarkdown } from '../../src/text/markdown/sanitize';
import { PlainReader } from '../../src/text/markdown/plainReader';
import { BlockLexer } from '../../src/text/markdown/parse/blocks';
import { type Finding, measure, proseCost, randomOf, randomRecipe, type Reader } from './markdownFuzz';

/** Reads the text in chunks of this many UTF-16 units, as it streams. */
const streamed =
  (piece: number): Reader =>
  (text) => {
    const lexer = new BlockLexer();
    for (let end = piece; end < text.length; end += piece) {
      lexer.update(text.slice(0, end));
    }
    lexer.update(text, true);
  };

const READERS: Readonly<Record<string, Reader>> = {
  lexed: (text) => new BlockLexer().update(text, true),
  streamed: streamed(200),
  contained: sanitizeMarkdown,
  found: (text) => [...new PlainReader().update(text)],
};

const [seconds = '10', seed = '1'] = process.argv.slice(2);
for (const [name, read] of Object.entries(READERS)) {
  const prose = proseCost(read);
  const random = randomOf(Number(seed));
  const end = performance.now() + Number(seconds) * 1000;
  const findings: Finding[] = [];
  while (performance.now() < end) {
    findings.push(measure(randomRecipe(random), name, read, prose));
  }
  for (const finding of findings.sort((a, b) => b.cost - a.cost).slice(0, 10)) {
    console.log(JSON.stringify(finding));
  }
}
