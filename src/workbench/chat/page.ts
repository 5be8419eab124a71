/** The document of a session's panel. Pure. */
import type { ChatLocation } from '../../core/protocol/view';
import type { PageState } from './pageState';
import { LINE_SEPARATOR, PARAGRAPH_SEPARATOR } from '../../text/characters/characters';

export interface PageParts {
  /** Fresh for each document; base64 or hex. */
  readonly nonce: string;
  /** `vscode.env.language`, a BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  /** `webview.cspSource` */
  readonly cspSource: string;
  /** As the webview reaches them: the page's script, and what it imports at once. */
  readonly scriptUri: string;
  readonly importUris: readonly string[];
  /** The style sheet, and the script of the {@link shell}: in the document, because a file of a webview takes a dozen messages to load. */
  readonly style: string;
  readonly shell: string;
  /** The folder of our own pictures, without a slash at its end. */
  readonly mediaUri: string;
  /** Ours; the page keeps it in its state, so that a restored panel finds its session. Absent: it shows none yet. */
  readonly sessionKey: string | undefined;
  /** What holds the page: it takes that one's colours. */
  readonly place: ChatLocation;
  /** `vscode.l10n.bundle`; absent in English. */
  readonly bundle: Readonly<Record<string, unknown>> | undefined;
}

/** Where the view finds its words: a JSON object, English → the user's language. */
export const BUNDLE_ELEMENT_ID = 'acp-l10n';
/** Where the view finds what it keeps in its state for a restored panel: the JSON of {@link PageState}. */
export const PAGE_ELEMENT_ID = 'acp-page';

/**
 * `default-src 'none'` also covers connections, frames, fonts and objects; `form-action` and `base-uri` do not fall back to it.
 * Scripts and styles need the nonce, which `import()` hands on to what it loads. An agent's text can name any address: nothing of the
 * network is let in. A worker comes from a blob, which only our scripts can make, and has this same policy.
 */
export function contentSecurityPolicy({ nonce, cspSource, mediaUri }: Pick<PageParts, 'nonce' | 'cspSource' | 'mediaUri'>): string {
  const pictures = ['data:', 'blob:', ...ownMedia(cspSource, mediaUri)].join(' ');
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${pictures}`,
    `media-src ${pictures}`,
    'worker-src blob:',
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
}

export function pageHtml(parts: PageParts): string {
  const nonce = attribute(parts.nonce);
  return `<!DOCTYPE html>
<html lang="${attribute(parts.language)}" data-place="${parts.place}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(contentSecurityPolicy(parts))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(parts.title)}</title>
<style nonce="${nonce}">${inElement(parts.style, 'style')}</style>
<script type="application/json" id="${BUNDLE_ELEMENT_ID}">${scriptJson(wordsOf(parts.bundle))}</script>
<script type="application/json" id="${PAGE_ELEMENT_ID}">${scriptJson({ sessionKey: parts.sessionKey } satisfies Partial<PageState>)}</script>
</head>
<body>
${shell(wordsOf(parts.bundle), [parts.scriptUri, ...parts.importUris], parts.sessionKey !== undefined)}
<script nonce="${nonce}">${inElement(parts.shell, 'script')}</script>
</body>
</html>
`;
}

/** The element that the view is mounted in. */
export const ROOT_ELEMENT_ID = 'acp-root';

/**
 * The page's frame with its text box, as the view draws it before it knows anything: what is typed is there when the view takes it over, element
 * by element. Its lines are those of `app.tsx` and `composer.tsx`; a browser test holds that nothing moves. No script is an element of the document,
 * because VS Code shows a page only once it has loaded with all its elements: `webview/shell.ts` imports them.
 */
function shell(words: Readonly<Record<string, string>>, scripts: readonly string[], hasSession: boolean): string {
  const word = (key: string) => attribute(words[key] ?? key);
  const root = `<div id="${ROOT_ELEMENT_ID}" data-shell data-scripts="${attribute(JSON.stringify(scripts))}">`;
  if (!hasSession) {
    return `${root}</div>`;
  }
  return `${root}<main class="app"><header class="header"></header><div class="transcript"></div><footer class="dock">
<form class="composer"><div class="composer-box"><div class="composer-field"><textarea class="composer-text" aria-label="${word('Message')}" rows="1" dir="auto"></textarea></div>
<div class="composer-bar"><div class="composer-end"><button type="button" class="send" aria-label="${word('Send')}" disabled></button></div></div></div>
<div class="composer-hint" id="composer-hint"></div></form></footer></main></div>`.replaceAll('\n', '');
}

/** Text of ours that cannot end the element it stands in. */
function inElement(text: string, element: 'script' | 'style'): string {
  return text.replaceAll(`</${element}`, `<\\/${element}`);
}

/**
 * Our media folder under each host the webview's resources may come from. `cspSource` allows all of the extension and more; the folder's
 * own address cannot be used, because a `+` in its host name is not a source expression.
 */
function ownMedia(cspSource: string, mediaUri: string): string[] {
  // `;` and `,` would end the source in a policy.
  const folder = new URL(mediaUri + '/').pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
  return cspSource.split(/\s+/).flatMap((source) => (/^https:\/\/[^/]+$/.test(source) ? [source + folder] : []));
}

/** A bundle's values are a text, or a text with a comment for translators. */
function wordsOf(bundle: PageParts['bundle']): Record<string, string> {
  const words: Record<string, string> = {};
  for (const [key, value] of Object.entries(bundle ?? {})) {
    const word = typeof value === 'object' && value !== null ? (value as { message?: unknown }).message : value;
    if (typeof word === 'string') {
      words[key] = word;
    }
  }
  return words;
}

const IN_SCRIPT = new RegExp(`[<${LINE_SEPARATOR}${PARAGRAPH_SEPARATOR}]`, 'g');

/** JSON that cannot end the script element it stands in, nor open a comment in it. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(IN_SCRIPT, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** For text in an element too. */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
