/** Renders one block of Markdown and its content. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Token, Tokens } from 'marked';
import { t } from '../base/l10n';
import { statusLabel } from '../base/strings';
import { memo } from '../base/memo';
import { blockText, codeOrFormula } from '../../src/text/markdown/leafTokens';
import { CodeBlock } from './code/code';
import { Inlines } from './inline';
import { Formula } from './math/math';
import type { MathToken } from '../../src/text/markdown/parse/mathLexer';
import { DiagramBlock } from './mermaid/block';
import { isDiagram } from './mermaid/fence';
import { isNote } from '../../src/text/markdown/parse/notes';
import type { SplitParagraphToken } from '../../src/text/markdown/parse/splitParagraph';
import type { DetailsToken } from '../../src/text/markdown/parse/tags';
import { escapeMisleading } from '../../src/text/characters/textSafety';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

/** @param growing the block is still being written */
export const BlockView = memo(function BlockView({ block, growing = false }: { block: Token; growing?: boolean }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines tokens={(block as Tokens.Paragraph).tokens} growing={growing} />
        </p>
      );
    case 'part':
      return (
        <p class={(block as SplitParagraphToken).plain ? 'md-part md-plain' : 'md-part'} dir="auto">
          <Inlines tokens={(block as SplitParagraphToken).tokens} growing={growing} />
        </p>
      );
    case 'text': // The text of a tight list's item.
      return <>{block.tokens ? <Inlines tokens={block.tokens} growing={growing} /> : blockText(block)}</>;
    case 'heading': {
      const heading = block as Tokens.Heading;
      // Headings of an answer are below those of the page, whatever level the agent uses.
      const Heading = HEADINGS[Math.min(5, heading.depth + 1)]!;
      return (
        <Heading class={`md-h${heading.depth}`} dir="auto">
          <Inlines tokens={heading.tokens} growing={growing} />
        </Heading>
      );
    }
    case 'code':
    case 'math': {
      const shown = codeOrFormula(block as Tokens.Code | MathToken);
      if (shown.type === 'formula') {
        return <Formula tex={shown.tex} source={shown.source} display />;
      }
      const Block = block.type === 'code' && isDiagram(block as Tokens.Code) ? DiagramBlock : CodeBlock;
      return <Block text={shown.text} language={shown.language} />;
    }
    case 'details':
      return <Details block={block as unknown as DetailsToken} growing={growing} />;
    case 'blockquote':
      return <blockquote>{blocks((block as Tokens.Blockquote).tokens, growing)}</blockquote>;
    case 'list':
      return <List list={block as Tokens.List} growing={growing} />;
    case 'table':
      return <Table table={block as Tokens.Table} growing={growing} />;
    case 'hr':
      return <hr />;
    case 'html':
      return <pre class="md-html">{blockText(block)}</pre>;
    case 'def': {
      if (isNote(block)) {
        return (
          <p class="md-note" dir="auto">
            <sup>{escapeMisleading(block.note)}</sup> <Inlines tokens={block.tokens} growing={growing} />
          </p>
        );
      }
      const text = blockText(block);
      return text === '' ? null : (
        <p class="dim" dir="auto">
          {text}
        </p>
      );
    }
    case 'checkbox':
    case 'space':
      return null;
    default:
      return <p dir="auto">{blockText(block)}</p>;
  }
});

/** A card that waits for the user's answer. */
const QUESTION = '.permission-waiting, .tool-asked';

function Details({ block, growing }: { block: DetailsToken; growing: boolean }) {
  // Only the first value counts: an end tag that arrives later must not close the text that the user reads.
  const [open] = useState(block.open);
  const element = useRef<HTMLDetailsElement>(null);
  // A question opens the part, because the user must not approve folded text.
  useLayoutEffect(() => {
    if (element.current!.closest(QUESTION)) {
      element.current!.open = true;
    }
  }, []);
  return (
    <details class="md-details" open={open} ref={element}>
      <summary dir="auto">
        {block.summary ? <Inlines tokens={block.summary} growing={growing} /> : <span class="unsearched">{t('Details')}</span>}
      </summary>
      {blocks(block.tokens, growing)}
    </details>
  );
}

function blocks(tokens: readonly Token[], growing: boolean): ComponentChildren {
  return tokens.map((token, index) => <BlockView key={index} block={token} growing={growing} />);
}

function List({ list, growing }: { list: Tokens.List; growing: boolean }) {
  const items = list.items.map((item, index) => <Item key={index} item={item} growing={growing} />);
  const start = typeof list.start === 'number' && list.start !== 1 ? list.start : undefined;
  return list.ordered ? <ol start={start}>{items}</ol> : <ul>{items}</ul>;
}

/** Memoized like table rows, because most items of a long growing list do not change. */
const Item = memo(function Item({ item, growing }: { item: Tokens.ListItem; growing: boolean }) {
  return (
    <li class={item.task ? 'md-task' : undefined} dir="auto">
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked === true}
          disabled
          aria-label={item.checked ? statusLabel('completed') : t('Not done')}
        />
      )}
      {blocks(item.tokens, growing)}
    </li>
  );
});

const Row = memo(function Row({
  cells,
  align,
  growing,
  of: Cell,
}: {
  cells: readonly Tokens.TableCell[];
  growing: boolean;
  align: Tokens.Table['align'];
  of: 'th' | 'td';
}) {
  return (
    <tr>
      {cells.map((cell, index) => (
        <Cell key={index} class={align[index] ? `md-${align[index]}` : undefined} dir="auto">
          <Inlines tokens={cell.tokens} growing={growing} />
        </Cell>
      ))}
    </tr>
  );
});

function Table({ table, growing }: { table: Tokens.Table; growing: boolean }) {
  const { header, align, rows } = table;
  return (
    <div class="md-table" tabIndex={0}>
      <table>
        <thead>
          <Row cells={header} align={align} growing={growing} of="th" />
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} cells={row} align={align} growing={growing} of="td" />
          ))}
        </tbody>
      </table>
    </div>
  );
}
