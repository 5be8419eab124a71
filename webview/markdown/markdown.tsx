/** Renders agent text as Markdown: blocks become elements, never through HTML. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { memo } from '../base/memo';
import type { Block } from '../../src/text/markdown/parse/blocks';
import { BlockLexer } from '../../src/text/markdown/parse/blocks';
import { plainText } from '../../src/text/markdown/reader';
import { BlockView } from './block';
import { setReadableText } from '../base/readableText';

/** Preact gets the blocks in runs, so that a long answer does not compare each of its blocks on every chunk. */
const RUN = 64;

interface Lexed {
  readonly lexer: BlockLexer;
  generation: number;
  /** All blocks, in order. A block keeps its position when it is closed. */
  runs: (readonly Block[])[];
  /** The number of full runs that contain only closed blocks. */
  frozen: number;
}

/** Renders `text`, which grows while `streaming`. Closed blocks are not rendered again. */
export const Markdown = memo(function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const kept = useRef<Lexed>();
  const lexed = (kept.current ??= { lexer: new BlockLexer(), generation: 0, runs: [], frozen: 0 });
  lexed.lexer.update(text, !streaming);
  layRuns(lexed);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => setReadableText(element.current!, () => plainText([...lexed.lexer.closed, ...lexed.lexer.open])), []);
  return (
    <div class={streaming ? 'md md-streaming' : 'md'} ref={element}>
      {lexed.runs.map((blocks, index) => (
        <Run key={index} blocks={blocks} frozen={index < lexed.frozen} closed={streaming ? closedIn(lexed, index) : blocks.length} />
      ))}
    </div>
  );
});

/** The number of a run's blocks that can no longer change. */
function closedIn({ lexer, runs }: Lexed, index: number): number {
  return Math.max(0, Math.min(runs[index]!.length, lexer.closed.length - index * RUN));
}

/** A frozen run is laid out only near the screen, so that earlier parts cost nothing while the answer grows. */
const Run = memo(function Run({ blocks, frozen, closed }: { blocks: readonly Block[]; frozen: boolean; closed: number }) {
  return (
    <div class={frozen ? 'md-run md-frozen' : 'md-run'}>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} growing={index >= closed} />
      ))}
    </div>
  );
});

function layRuns(lexed: Lexed): void {
  const { closed, open, generation } = lexed.lexer;
  if (generation !== lexed.generation) {
    lexed.generation = generation;
    lexed.frozen = 0;
  }
  lexed.runs.length = Math.min(lexed.runs.length, lexed.frozen);
  const rest = [...closed.slice(lexed.frozen * RUN), ...open];
  for (let start = 0; start < rest.length; start += RUN) {
    lexed.runs.push(rest.slice(start, start + RUN));
  }
  lexed.frozen = Math.floor(closed.length / RUN);
}
