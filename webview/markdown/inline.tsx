/** What is inside a block: emphasis, code, links, images. HTML is text here too. */
import type { ComponentChildren } from 'preact';
import type { Token, Tokens } from 'marked';
import { withoutReferences } from '../../src/text/markdown/references';
import { useView } from '../context';
import { inlineText } from '../../src/text/markdown/leaves';
import { t } from '../l10n';
import { fitting, imageSize } from '../transcript/entries/imageSize';
import { oneLine, visible } from '../../src/text/characters/textSafety';
import { isInlineImage, linkKind } from '../../src/text/markdown/linkKind';
import { isFilePath, linkTitle } from './links';
import { Formula } from './math/math';
import type { MathToken } from '../../src/text/markdown/parse/mathLexer';

export function Inlines({ tokens, inLink = false }: { tokens: readonly Token[]; inLink?: boolean }) {
  return <>{tokens.map((token, index) => inline(token, index, inLink))}</>;
}

function inline(token: Token, index: number, inLink: boolean): ComponentChildren {
  const nested = (token as Tokens.Generic).tokens;
  const inside = nested ? <Inlines tokens={nested} inLink={inLink || token.type === 'link'} /> : undefined;
  switch (token.type) {
    case 'text':
      return inside ?? inlineText(token);
    case 'strong':
      return <strong key={index}>{inside}</strong>;
    case 'em':
      return <em key={index}>{inside}</em>;
    case 'del':
      return <del key={index}>{inside}</del>;
    case 'codespan':
      return <Code key={index} token={token as Tokens.Codespan} inLink={inLink} />;
    case 'math': {
      const { text, raw, display } = token as MathToken;
      return <Formula key={index} tex={text} source={raw} display={display} />;
    }
    case 'br':
      return <br key={index} />;
    case 'link':
      return (
        <Link
          key={index}
          href={withoutReferences((token as Tokens.Link).href)}
          words={withoutReferences((token as Tokens.Link).title ?? '')}
        >
          {inside}
        </Link>
      );
    case 'image':
      return <Image key={index} href={withoutReferences((token as Tokens.Image).href)} text={inlineText(token)} />;
    default:
      return inlineText(token);
  }
}

/**
 * An `a` without `href`: nothing can navigate, whichever button or key is used. The host is asked to open it.
 * What may not be opened at all is its text only.
 */
export function Link({
  href,
  words = '',
  children,
}: {
  href: string /** What the agent says of it. */;
  words?: string;
  children?: ComponentChildren;
}) {
  const { post } = useView();
  const kind = linkKind(href);
  if (kind === 'none') {
    return <bdi title={words === '' ? undefined : oneLine(words)}>{children}</bdi>;
  }
  const open = () => post({ type: 'open_link', href });
  return (
    <a
      class={`link link-${kind}`}
      role="link"
      tabIndex={0}
      title={visible(linkTitle(href)) + (words === '' ? '' : `\n${oneLine(words)}`)}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          open();
        }
      }}
    >
      <bdi>{children}</bdi>
    </a>
  );
}

/** Code that is a file's path opens it. */
function Code({ token, inLink }: { token: Tokens.Codespan; inLink: boolean }) {
  const { text } = token;
  const code = <code dir="ltr">{inlineText(token)}</code>;
  return !inLink && isFilePath(text) ? <Link href={text}>{code}</Link> : code;
}

function Image({ href, text }: { href: string; text: string }) {
  if (isInlineImage(href)) {
    const size = imageSize(href.slice(href.indexOf(',') + 1));
    return <img class="md-image" src={href} alt={text || t('Image')} decoding="async" {...(size && fitting(size))} />;
  }
  // Our own word is none of the text.
  return <Link href={href}>{text || <span class="unsearched">{t('Image')}</span>}</Link>;
}
