/** Renders an agent's readme: text, lists, code and tables. Only web addresses become links. Pictures become their words, and HTML its text. */
import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { escapeMisleading, oneLine } from '../../src/text/characters/textSafety';
import { linkKind } from '../../src/text/links/linkKind';
import { blockText, codeOrFormula, inlineText } from '../../src/text/markdown/leafTokens';
import { BlockLexer } from '../../src/text/markdown/parse/blocks';
import type { MathToken } from '../../src/text/markdown/parse/mathLexer';
import { withoutReferences } from '../../src/text/markdown/references';
import { linkTitle } from '../markdown/links';
import { usePost } from './parts';

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

export function Readme({ text }: { text: string }) {
  const lexer = new BlockLexer();
  lexer.update(text, true);
  return <div class="readme">{[...lexer.closed, ...lexer.open].map(blockOf)}</div>;
}

function blockOf(block: Token, index: number): ComponentChildren {
  const { tokens = [] } = block as Tokens.Generic;
  switch (block.type) {
    case 'paragraph':
    case 'part':
      return (
        <p key={index} dir="auto">
          {tokens.map(inlineOf)}
        </p>
      );
    case 'text':
      return tokens.length > 0 ? tokens.map(inlineOf) : blockText(block);
    case 'heading': {
      const Heading = HEADINGS[Math.min(4, (block as Tokens.Heading).depth - 1)]!;
      return (
        <Heading key={index} dir="auto">
          {tokens.map(inlineOf)}
        </Heading>
      );
    }
    case 'code':
    case 'math': {
      const shown = codeOrFormula(block as Tokens.Code | MathToken);
      return (
        <pre key={index} tabIndex={0}>
          <code>{shown.type === 'formula' ? shown.source : shown.text}</code>
        </pre>
      );
    }
    case 'blockquote':
      return <blockquote key={index}>{tokens.map(blockOf)}</blockquote>;
    case 'details':
      return tokens.map(blockOf);
    case 'list': {
      const { ordered, items } = block as Tokens.List;
      const List = ordered ? 'ol' : 'ul';
      return (
        <List key={index}>
          {items.map((item, each) => (
            <li key={each} dir="auto">
              {item.tokens.map(blockOf)}
            </li>
          ))}
        </List>
      );
    }
    case 'table': {
      const { header, rows } = block as Tokens.Table;
      return (
        <div
          key={index}
          class="readme-table"
          tabIndex={0}
          role="region"
          aria-label={oneLine(header.map(({ text }) => text).join(', '), 100)}
        >
          <table>
            <thead>
              <tr>
                {header.map((cell, each) => (
                  <th key={each} scope="col">
                    {cell.tokens.map(inlineOf)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, row) => (
                <tr key={row}>
                  {cells.map((cell, each) => (
                    <td key={each}>{cell.tokens.map(inlineOf)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
    case 'hr':
      return <hr key={index} />;
    case 'html': {
      const text = blockText(block)
        .replace(/<!--[\s\S]*?(?:-->|$)|<[^>]*>/g, '')
        .trim();
      return text === '' ? null : <p key={index}>{text}</p>;
    }
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    default:
      return <p key={index}>{blockText(block)}</p>;
  }
}

function inlineOf(token: Token, index: number): ComponentChildren {
  const nested = (token as Tokens.Generic).tokens?.map(inlineOf);
  switch (token.type) {
    case 'text':
      return nested ?? inlineText(token);
    case 'strong':
      return <strong key={index}>{nested}</strong>;
    case 'em':
      return <em key={index}>{nested}</em>;
    case 'del':
      return <del key={index}>{nested}</del>;
    case 'codespan':
      return <code key={index}>{inlineText(token)}</code>;
    case 'br':
      return <br key={index} />;
    case 'link':
      return (
        <ReadmeLink key={index} href={withoutReferences((token as Tokens.Link).href)}>
          {nested}
        </ReadmeLink>
      );
    case 'tag':
      return nested;
    case 'html':
      return null;
    default:
      return inlineText(token);
  }
}

/** A link without `href`: no key and no button navigates. The host is asked to open the address. */
function ReadmeLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const post = usePost();
  if (linkKind(href) !== 'web') {
    return <span>{children}</span>;
  }
  const open = (): void => post({ type: 'link', href });
  return (
    <a
      class="link"
      role="link"
      tabIndex={0}
      title={escapeMisleading(linkTitle(href))}
      onClick={open}
      onKeyDown={(event) => event.key === 'Enter' && open()}
    >
      {children}
    </a>
  );
}
