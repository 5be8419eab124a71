/**
 * Detects links in untrusted text that an editor would follow to anything but a web page, a mailbox or a file. `command:` runs a command of VS Code,
 * and other schemes start other programs. Pure.
 */

/** The languages whose editors turn addresses from the text into links: VS Code's own for Markdown, HTML and style sheets, and their relatives. */
const LINKED: ReadonlySet<string> = new Set([
  'markdown',
  'mdx',
  'quarto',
  'rmarkdown',
  'prompt',
  'instructions',
  'chatmode',
  'chatagent',
  'skill',
  'html',
  'handlebars',
  'vue',
  'svelte',
  'php',
  'css',
  'scss',
  'less',
  'restructuredtext',
  'asciidoc',
  'latex',
]);

/** The beginning of an address in these languages: the target of a link, an attribute, `url(…)`, an import, angle brackets. */
const ADDRESS =
  /(?:\]\(|\]:|[<=]|url\(|\*\/|@(?:import|use|forward)\s)\s*[<"']?\s*(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]*):(?=\S)/i;
/** An address whose beginning has escapes, so that its scheme cannot be read here. */
const ESCAPED = /(?:\]\(|\]:|<|=)\s*[<"']*[A-Za-z0-9+.-]{0,40}(?:&(?:#|\w{1,40};)|\\|%[\da-f]{2})/i;
/** The schemes that run something, at any position. */
const RUNS = /(?<![A-Za-z0-9+.-])(?:command|javascript|vbscript|vscode[a-z-]*|ms-[a-z-]+)(?::|&|\\|%)(?=\S)/i;

/** True when some editor may turn a part of `text` into a link to anything but http, https, mailto or file. True in doubt. */
export function hasForeignLink(text: string): boolean {
  return RUNS.test(text) || ADDRESS.test(text) || ESCAPED.test(text);
}

/**
 * Returns the language in which an editor can show this text without a foreign link: its own, or plain text, which has links to the web and to files
 * only.
 */
export function linkSafeLanguage(languageId: string, text: string): string {
  return LINKED.has(languageId) && hasForeignLink(text) ? 'plaintext' : languageId;
}
