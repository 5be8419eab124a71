/** The file name for content embedded in a conversation. Pure. */
import { withoutUndrawn } from '../../text/characters/characters';

const LONGEST = 100;

/** The extensions by type, for names without one. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

const LANGUAGES: Readonly<Record<string, string>> = {
  'application/javascript': 'javascript',
  'application/json': 'json',
  'application/typescript': 'typescript',
  'application/x-sh': 'shellscript',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'text/css': 'css',
  'text/html': 'html',
  'text/javascript': 'javascript',
  'text/markdown': 'markdown',
  'text/x-python': 'python',
  'text/xml': 'xml',
  'text/yaml': 'yaml',
};

/** Returns a file name that is valid on any system: the last part of `uri`, with the extension of its type when it has none. */
export function contentName(uri: string | undefined, mimeType: string | undefined): string {
  const last =
    (uri?.startsWith('acp-host-comments:') ? 'comments' : (uri ?? ''))
      .split(/[?#]/, 1)[0]!
      .split(/[\\/]/)
      .findLast((part) => part !== '') ?? '';
  const name = withoutUndrawn(decoded(last), '*')
    .replace(/[<>:"/\\|?*]+/g, '_')
    // VS Code's lists would render it as an icon.
    .replace(/\$(?=\()/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(-LONGEST)
    .toWellFormed();
  const extension = ownEntry(EXTENSIONS, mimeType);
  const base = name === '' ? 'content' : name;
  return extension === undefined || /\.\w{1,10}$/.test(base) ? base : `${base}.${extension}`;
}

/** Returns VS Code's language id for a type. */
export function languageOf(mimeType: string | undefined): string | undefined {
  return ownEntry(LANGUAGES, mimeType);
}

function ownEntry(table: Readonly<Record<string, string>>, mimeType: string | undefined): string | undefined {
  const type = mimeType?.split(';', 1)[0]!.trim().toLowerCase() ?? '';
  return Object.hasOwn(table, type) ? table[type] : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
