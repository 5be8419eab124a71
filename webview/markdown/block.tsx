/** One block of markdown, with what is inside it. */
import type { ComponentChildren } from 'preact';
import type { Token, Tokens } from 'marked';
import { t } from '../l10n';
import { statusWord } from '../words';
import { memo } from '../memo';
import { visible } from '../../src/text/characters/textSafety';
import { CodeBlock } from './code/code';
import { Inlines } from './inline';
import { linkKind } from '../../src/text/markdown/linkKind';
import { Formula } from './math/math';
import { fencedMath, type MathToken } from '../../src/text/markdown/parse/mathLexer';
import { DiagramBlock } from './mermaid/block';
import { isDiagram } from './mermaid/fence';
import type { PartToken } from '../../src/text/markdown/parse/part';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

export const BlockView = memo(function BlockView({ block }: { block: Token }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines tokens={(block as Tokens.Paragraph).tokens} />
        </p>
      );
    case 'part':
      return (
        <p class={(block as PartToken).plain ? 'md-part md-plain' : 'md-part'} dir="auto">
          <Inlines tokens={(block as PartToken).tokens} />
        </p>
      );
    case 'text': // The text of a tight list's item.
      return <>{block.tokens ? <Inlines tokens={block.tokens} /> : visible((block as Tokens.Text).text)}</>;
    case 'heading': {
      const heading = block as Tokens.Heading;
      // Headings of an answer sit below those of the page, whatever the agent calls them.
      const Heading = HEADINGS[Math.min(5, heading.depth + 1)]!;
      return (
        <Heading class={`md-h${heading.depth}`} dir="auto">
          <Inlines tokens={heading.tokens} />
        </Heading>
      );
    }
    case 'code': {
      const code = block as Tokens.Code;
      const tex = fencedMath(code);
      if (tex !== undefined) {
        return <Formula tex={tex} source={code.raw.trim()} display />;
      }
      const Block = isDiagram(code) ? DiagramBlock : CodeBlock;
      return <Block text={code.text} language={code.lang ?? ''} />;
    }
    case 'math': {
      const math = block as MathToken;
      // What grows is no formula yet, and may become long.
      return math.open ? (
        <CodeBlock text={math.text.replace(/^\n/, '')} language="latex" />
      ) : (
        <Formula tex={math.text} source={math.raw.trim()} display />
      );
    }
    case 'blockquote':
      return <blockquote>{blocks((block as Tokens.Blockquote).tokens)}</blockquote>;
    case 'list':
      return <List list={block as Tokens.List} />;
    case 'table':
      return <Table table={block as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'html':
      return <pre class="md-html">{visible((block as Tokens.HTML).raw.trimEnd())}</pre>;
    case 'def': // Of what leads nowhere the words are all there is: a comment, mostly.
      return linkKind((block as Tokens.Def).href) === 'none' ? (
        <p class="dim" dir="auto">
          {visible(block.raw.trim())}
        </p>
      ) : null;
    case 'checkbox': // A loose task's; the item shows it.
    case 'space':
      return null;
    default:
      return <p dir="auto">{visible(block.raw)}</p>;
  }
});

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, index) => <BlockView key={index} block={token} />);
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => <Item key={index} item={item} />);
  const start = typeof list.start === 'number' && list.start !== 1 ? list.start : undefined;
  return list.ordered ? <ol start={start}>{items}</ol> : <ul>{items}</ul>;
}

/** As the rows of a table: of a long one that still grows most are the same as before. */
const Item = memo(function Item({ item }: { item: Tokens.ListItem }) {
  return (
    <li class={item.task ? 'md-task' : undefined} dir="auto">
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked === true}
          disabled
          aria-label={item.checked ? statusWord('completed') : t('Not done')}
        />
      )}
      {blocks(item.tokens)}
    </li>
  );
});

const Row = memo(function Row({
  cells,
  align,
  of: Cell,
}: {
  cells: readonly Tokens.TableCell[];
  align: Tokens.Table['align'];
  of: 'th' | 'td';
}) {
  return (
    <tr>
      {cells.map((cell, index) => (
        <Cell key={index} class={align[index] ? `md-${align[index]}` : undefined} dir="auto">
          <Inlines tokens={cell.tokens} />
        </Cell>
      ))}
    </tr>
  );
});

function Table({ table }: { table: Tokens.Table }) {
  const { header, align, rows } = table;
  return (
    <div class="md-table" tabIndex={0}>
      <table>
        <thead>
          <Row cells={header} align={align} of="th" />
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} cells={row} align={align} of="td" />
          ))}
        </tbody>
      </table>
    </div>
  );
}
