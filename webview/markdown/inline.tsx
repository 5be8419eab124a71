/** The tokens in a line as elements: emphasis, code, links, images, and the few HTML tags of `parse/tags.ts`. Other HTML is text. */
import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { Token, Tokens } from 'marked';
import { withoutReferences } from '../../src/text/markdown/references';
import { useView } from '../context';
import { inlineText } from '../../src/text/markdown/leaves';
import { t } from '../l10n';
import { fitting, imageSize } from '../transcript/entries/imageSize';
import { oneLine, visible } from '../../src/text/characters/textSafety';
import { isInlineImage, linkKind } from '../../src/text/markdown/linkKind';
import { fileWords, isBareFileName } from './fileNames';
import { isFilePath, linkTitle, mayBeFilePath } from './links';
import { Formula } from './math/math';
import type { TagToken } from '../../src/text/markdown/parse/tags';
import type { MathToken } from '../../src/text/markdown/parse/mathLexer';

/** `growing`: it is still being written, and what looks like a file may become another word. `inLink`: it leads somewhere already. */
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
      title={visible(title)}
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

/** Code that is a file's path opens it, where there is such a file. */
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
 * Prose, with the files that it names. Without any it is the same node as while it was being written: a paragraph that has just come to its end may
 * have thousands of them.
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

/** A word that is a file's as far as the host has found one. */
function FileWord({ text, isCode = false, children }: { text: string; isCode?: boolean; children: ComponentChildren }) {
  const { files, post } = useView();
  const [, again] = useReducer<number, void>((count) => count + 1, 0);
  useLayoutEffect(() => files.watch(text, again), [files, text]);
  const file = files.get(text);
  if (file?.is === 'file' && file.path !== undefined) {
    const { path, line } = file;
    return (
      <Opener kind="path" title={path} open={() => post({ type: 'open_location', path, ...(line !== undefined && { line }) })}>
        {children}
      </Opener>
    );
  }
  // Outside of the session's folders nobody looks: a path is believed, a word of prose is not.
  const isBelieved = file?.is === 'outside' && isCode && isFilePath(text);
  return file?.is === 'file' || isBelieved ? <Link href={text}>{children}</Link> : <>{children}</>;
}

function Image({ href, text }: { href: string; text: string }) {
  if (isInlineImage(href)) {
    const size = imageSize(href.slice(href.indexOf(',') + 1));
    return <img class="md-image" src={href} alt={text || t('Image')} decoding="async" {...(size && fitting(size))} />;
  }
  // Our own word is none of the text.
  return <Link href={href}>{text || <span class="unsearched">{t('Image')}</span>}</Link>;
}
