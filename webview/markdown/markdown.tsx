/** Agent text as markdown: blocks to elements, never through HTML. */
import { useRef } from 'preact/hooks';
import { memo } from '../memo';
import type { Block } from './blocks';
import { BlockLexer } from './blocks';
import { BlockView } from './block';

/** Closed blocks are handed to Preact in runs, so that a long answer does not compare each of its blocks on every chunk. */
const RUN = 32;

interface Lexed {
  readonly lexer: BlockLexer;
  generation: number;
  runs: (readonly Block[])[];
}

/** `text` grows while `streaming`; what is already closed is not rendered again. */
export const Markdown = memo(function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const kept = useRef<Lexed>();
  const lexed = (kept.current ??= { lexer: new BlockLexer(), generation: 0, runs: [] });
  lexed.lexer.update(text, !streaming);
  layRuns(lexed);
  const { lexer, runs } = lexed;
  return (
    <div class={streaming ? 'md md-streaming' : 'md'} dir="auto">
      {runs.map((blocks, index) => (
        <Run key={`${lexer.generation}.${index}`} blocks={blocks} />
      ))}
      {lexer.open.map((block, index) => (
        <BlockView key={`${lexer.generation}.open.${lexer.closed.length + index}`} block={block} />
      ))}
    </div>
  );
});

const Run = memo(function Run({ blocks }: { blocks: readonly Block[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </>
  );
});

function layRuns(lexed: Lexed): void {
  const { closed, generation } = lexed.lexer;
  if (generation !== lexed.generation) {
    lexed.generation = generation;
    lexed.runs = [];
  }
  for (let index = Math.max(0, lexed.runs.length - 1); index * RUN < closed.length; index++) {
    const length = Math.min(RUN, closed.length - index * RUN);
    if (lexed.runs[index]?.length !== length) lexed.runs[index] = closed.slice(index * RUN, index * RUN + length);
  }
}
