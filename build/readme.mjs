// Writes dist/README.md, which goes into the package. VS Code shows no packed image on an extension's page (docs/architecture.md), so each
// picture `media/<name>.png` is replaced by the card `media/cards/<name>.md`, which shows the same as text, and links to files of the
// repository, which lead nowhere there, by their text.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} readme of the repository
 * @param {(name: string) => string} card in place of the picture `media/<name>.png`
 */
export function packedReadme(readme, card) {
  return readme
    .replace(/!\[[^\]]*\]\(media\/([\w-]+)\.png\)/g, (_, name) => card(name).trim())
    .replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  const cards = new Map();
  for (const [, name] of readme.matchAll(/\]\(media\/([\w-]+)\.png\)/g)) {
    cards.set(name, await readFile(path.join(root, 'media/cards', `${name}.md`), 'utf8'));
  }
  await mkdir(path.join(root, 'dist'), { recursive: true });
  await writeFile(
    path.join(root, 'dist/README.md'),
    packedReadme(readme, (name) => cards.get(name)),
  );
}
