/**
 * Classifies the links and pictures in an agent's text. The host decides again when a link is clicked; this function only decides which ones look
 * like links.
 */
import { hasControls } from '../characters/characters';
import { isBase64 } from './base64';

export type LinkKind = 'web' | 'path' | 'none';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export function linkKind(href: string): LinkKind {
  // Browsers ignore control characters inside a scheme ("java\nscript:"), so an address with one is not a link.

  if (hasControls(href) || href.trim() === '') {
    return 'none';
  }
  const trimmed = href.trim();
  if (/^(https?:\/\/|mailto:)/i.test(trimmed)) {
    return 'web';
  }
  if (/^file:\/\//i.test(trimmed) || /^[a-z]:[\\/]/i.test(trimmed)) {
    return 'path';
  }
  if (SCHEME.test(trimmed)) {
    // "src/a.ts:12" has no scheme, and "Makefile:12" only appears to have one.
    return /^[\w.+-]+:L?\d+(:\d+)?(-L?\d+(:\d+)?)?(#L?\d[^#/\\]*)?$/.test(trimmed) ? 'path' : 'none';
  }
  return /^([\\/]{2}|#)/.test(trimmed) ? 'none' : 'path';
}

/** Only bitmap formats: an SVG is a document that can run scripts. */
const INLINE_IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,/;

/** True for an image that needs no request and runs nothing. */
export function isInlineImage(src: string): boolean {
  return INLINE_IMAGE.test(src) && isBase64(src.slice(src.indexOf(',') + 1));
}
