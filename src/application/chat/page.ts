/** The document of a session's panel. Pure. */
import type { ChatLocation } from '../../core/protocol/view';
import type { PageState } from './pageState';
import { LINE_SEPARATOR, PARAGRAPH_SEPARATOR } from '../../text/characters/characters';

export interface PageOptions {
  /** New for each document; base64 or hex. */
  readonly nonce: string;
  /** `vscode.env.language`, a BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  /** `webview.cspSource` */
  readonly cspSource: string;
  /** The address for the webview of the page's script, and of the modules that it imports statically. */
  readonly scriptUri: string;
  readonly importUris: readonly string[];
  /**
   * The style sheet and the script of the {@link shell}. They are inlined in the document, because a webview needs a dozen messages to load a
   * file.
   */
  readonly style: string;
  readonly shell: string;
  /** The address of our media folder, without a trailing slash. */
  readonly mediaUri: string;
  /**
   * The session's key, which the page stores in its state so that a restored panel finds its session. Undefined when the page shows no session
   * yet.
   */
  readonly sessionKey: string | undefined;
  /** The location of the page, which decides its colours. */
  readonly place: ChatLocation;
  /** `vscode.l10n.bundle`; undefined in English. */
  readonly bundle: Readonly<Record<string, unknown>> | undefined;
}

/** The element with the view's strings: a JSON object that maps English to the user's language. */
export const BUNDLE_ELEMENT_ID = 'acp-l10n';
/** The element with the state that the view stores for a restored panel: the JSON of {@link PageState}. */
export const PAGE_ELEMENT_ID = 'acp-page';

/**
 * Returns the page's policy. `default-src 'none'` also covers connections, frames, fonts and objects; `form-action` and `base-uri` do not fall
 * back to it. Scripts and styles need the nonce, which `import()` passes on to the modules it loads. Nothing from the network is allowed, because
 * an agent's text can name any address. A worker comes from a blob, which only our scripts can create, and has this same policy.
 */
export function contentSecurityPolicy({ nonce, cspSource, mediaUri }: Pick<PageOptions, 'nonce' | 'cspSource' | 'mediaUri'>): string {
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

export function pageHtml(options: PageOptions): string {
  const nonce = attribute(options.nonce);
  return `<!DOCTYPE html>
<html lang="${attribute(options.language)}" data-place="${options.place}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(contentSecurityPolicy(options))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(options.title)}</title>
<style nonce="${nonce}">${inElement(options.style, 'style')}</style>
<script type="application/json" id="${BUNDLE_ELEMENT_ID}">${scriptJson(stringsOf(options.bundle))}</script>
<script type="application/json" id="${PAGE_ELEMENT_ID}">${scriptJson({ sessionKey: options.sessionKey } satisfies Partial<PageState>)}</script>
</head>
<body>
${shell(stringsOf(options.bundle), [options.scriptUri, ...options.importUris], options.sessionKey !== undefined)}
<script nonce="${nonce}">${inElement(options.shell, 'script')}</script>
</body>
</html>
`;
}

/** The element that the view renders into. */
export const ROOT_ELEMENT_ID = 'acp-root';

/**
 * The page's frame with its text box, as the view first renders it. The view takes it over element by element, so typed text is preserved. Its
 * markup matches `app.tsx` and `composer.tsx`; a browser test checks that nothing moves. The document has no script elements, because VS Code
 * shows a page only once all its elements have loaded: `webview/shell.ts` imports the scripts.
 */
function shell(strings: Readonly<Record<string, string>>, scripts: readonly string[], hasSession: boolean): string {
  const string = (key: string) => attribute(strings[key] ?? key);
  const root = `<div id="${ROOT_ELEMENT_ID}" data-shell data-scripts="${attribute(JSON.stringify(scripts))}">`;
  if (!hasSession) {
    return `${root}</div>`;
  }
  return `${root}<main class="app"><header class="header"></header><div class="transcript"></div><footer class="dock">
<form class="composer"><div class="composer-box"><div class="composer-field"><textarea class="composer-text" aria-label="${string('Message')}" rows="1" dir="auto"></textarea></div>
<div class="composer-bar"><div class="composer-end"><button type="button" class="send" aria-label="${string('Send')}" disabled></button></div></div></div>
<div class="composer-hint" id="composer-hint"></div></form></footer></main></div>`.replaceAll('\n', '');
}

/** Escapes our own text so that it cannot close its element. */
export function inElement(text: string, element: 'script' | 'style'): string {
  return text.replaceAll(`</${element}`, `<\\/${element}`);
}

/**
 * Returns our media folder's address under each host that may serve the webview's resources. `cspSource` allows all files of the extension and
 * more. The folder's own address cannot be used, because a `+` in its host name is not a source expression.
 */
function ownMedia(cspSource: string, mediaUri: string): string[] {
  // `;` and `,` would end the source in a policy.
  const folder = new URL(mediaUri + '/').pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
  return cspSource.split(/\s+/).flatMap((source) => (/^https:\/\/[^/]+$/.test(source) ? [source + folder] : []));
}

/** Returns the strings of a bundle, whose values are a text, or a text with a comment for translators. */
export function stringsOf(bundle: PageOptions['bundle']): Record<string, string> {
  const strings: Record<string, string> = {};
  for (const [key, value] of Object.entries(bundle ?? {})) {
    const string = typeof value === 'object' && value !== null ? (value as { message?: unknown }).message : value;
    if (typeof string === 'string') {
      strings[key] = string;
    }
  }
  return strings;
}

const IN_SCRIPT = new RegExp(`[<${LINE_SEPARATOR}${PARAGRAPH_SEPARATOR}]`, 'g');

/** Returns JSON that cannot close its script element or open a comment in it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(IN_SCRIPT, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Escapes text for an attribute or an element. */
export function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
