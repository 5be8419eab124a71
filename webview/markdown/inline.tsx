/** Renders the tokens in a line: emphasis, code, links, images, and the few HTML tags of `parse/tags.ts`. Other HTML is shown as text. */
import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Token, Tokens } from 'marked';
import { withoutReferences } from '../../src/text/markdown/references';
import { useView } from '../state/context';
import { inlineText } from '../../src/text/markdown/leafTokens';
import { t } from '../base/l10n';
import { fitting, imageSize } from '../base/imageSize';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';
import { isInlineImage, linkKind } from '../../src/text/links/linkKind';
import { fileWords, isBareFileName } from './fileNames';
import { isFilePath, linkTitle, mayBeFilePath } from './links';
import { Formula } from './math/math';
import type { TagToken } from '../../src/text/markdown/parse/tags';
import { useForceUpdate } from '../base/memo';
import type { MathToken } from '../../src/text/markdown/parse/mathLexer';

/**
 * @param growing the text is still being written, so a word that looks like a file may change
 * @param inLink the tokens are already in a link
 */
export function Inlines({ tokens, inLink = false, growing = false }: { tokens: readonly Token[]; inLink?: boolean; growing?: boolean }) {
  return <>{tokens.map((token, index) => inline(token, index, inLink, growing))}</>;
}

function inline(token: Token, index: number, inLink: boolean, growing: boolean): ComponentChildren {
  const nested = (token as Tokens.Generic).tokens;
  const inside = nested ? <Inlines tokens={nested} inLink={inLink || token.type === 'link'} growing={growing} /> : undefined;
  switch (token.type) {
    case 'text':
      return inside ?? words(inlineText(token), index, inLink || growing);
    case 'strong':
      return <strong key={index}>{inside}</strong>;
    case 'em':
      return <em key={index}>{inside}</em>;
    case 'del':
      return <del key={index}>{inside}</del>;
    case 'codespan':
      return <Code key={index} token={token as Tokens.Codespan} plain={inLink || growing} />;
    case 'math': {
      const { text, raw, display } = token as MathToken;
      return <Formula key={index} tex={text} source={raw} display={display} />;
    }
    case 'tag': {
      const Tag = (token as TagToken).tag;
      return <Tag key={index}>{inside}</Tag>;
    }
    case 'note':
      return (
        <sup key={index} class="md-note-sign">
          {inlineText(token)}
        </sup>
      );
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
 * An `a` without `href`: no button or key can navigate. The host is asked to open the address. An address that must not be opened is rendered as
 * text.
 */
export function Link({
  href,
  words = '',
  children,
}: {
  href: string /** The address that the agent gives. */;
  words?: string;
  children?: ComponentChildren;
}) {
  const { post } = useView();
  const kind = linkKind(href);
  if (kind === 'none') {
    return <bdi title={words === '' ? undefined : oneLine(words)}>{children}</bdi>;
  }
  return (
    <Opener
      kind={kind}
      title={linkTitle(href) + (words === '' ? '' : `\n${oneLine(words)}`)}
      open={() => post({ type: 'open_link', href })}
    >
      {children}
    </Opener>
  );
}

function Opener({ kind, title, open, children }: { kind: 'web' | 'path'; title: string; open: () => void; children?: ComponentChildren }) {
  return (
    <a
      class={`link link-${kind}`}
      role="link"
      tabIndex={0}
      title={escapeMisleading(title)}
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

/** Code that is the path of an existing file opens it. */
function Code({ token, plain }: { token: Tokens.Codespan; plain: boolean }) {
  const { text } = token;
  const code = <code dir="ltr">{inlineText(token)}</code>;
  return !plain && (isFilePath(text) || isBareFileName(text) || mayBeFilePath(text)) ? (
    <FileWord text={text} isCode>
      {code}
    </FileWord>
  ) : (
    code
  );
}

/**
 * Renders prose with links for the files that it names. Without any it is the same node as while it was being written, because a paragraph that has
 * just ended may have thousands of them.
 */
function words(text: string, index: number, plain: boolean): ComponentChildren {
  const places = plain ? [] : fileWords(text);
  if (places.length === 0) {
    return text;
  }
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const [start, end] of places) {
    const word = text.slice(start, end);
    parts.push(
      text.slice(from, start),
      <FileWord key={start} text={word}>
        {word}
      </FileWord>,
    );
    from = end;
  }
  return <Fragment key={index}>{[...parts, text.slice(from)]}</Fragment>;
}

/** A word that links to a file once the host has found it. */
function FileWord({ text, isCode = false, children }: { text: string; isCode?: boolean; children: ComponentChildren }) {
  const { files, post } = useView();
  const forceUpdate = useForceUpdate();
  useLayoutEffect(() => files.watch(text, forceUpdate), [files, text]);
  const file = files.get(text);
  if (file?.is === 'file' && file.path !== undefined) {
    const { path, line } = file;
    return (
      <Opener kind="path" title={path} open={() => post({ type: 'open_location', path, ...(line !== undefined && { line }) })}>
        {children}
      </Opener>
    );
  }
  // The host does not look outside of the session's folders. There a path in code is accepted without a check, but a word in prose is not.
  const isBelieved = file?.is === 'outside' && isCode && isFilePath(text);
  return file?.is === 'file' || isBelieved ? <Link href={text}>{children}</Link> : <>{children}</>;
}

function Image({ href, text }: { href: string; text: string }) {
  if (isInlineImage(href)) {
    const size = imageSize(href.slice(href.indexOf(',') + 1));
    return <img class="md-image" src={href} alt={text || t('Image')} decoding="async" {...(size && fitting(size))} />;
  }
  // The label is our own and not part of the searched text.
  return <Link href={href}>{text || <span class="unsearched">{t('Image')}</span>}</Link>;
}
