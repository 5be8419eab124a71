// Writes dist/README.md, which goes into the package. VS Code shows no packed image on an extension's page
// (docs/decisions/window/text-cards-in-the-readme.md). So the card `media/cards/<name>.md` replaces each picture `media/<name>.png` and shows the
// same as text. Links to files of the repository lead nowhere there, so their text replaces them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} readme of the repository
 * @param {(name: string) => string} card that replaces the picture `media/<name>.png`
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
