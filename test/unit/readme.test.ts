/** The package's README, as the extension's page shows it. VS Code shows no packed image there and follows no relative link. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { userStrings } from '../support/userStrings';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('the README in the package', () => {
  let packedReadme: (readme: string, card: (name: string) => string) => string;
  before(async () => ({ packedReadme } = (await import('../../build/readme.mjs' as string)) as { packedReadme: typeof packedReadme }));

  const readme = read('README.md');
  const pictures = [...readme.matchAll(/!\[([^\]]+)\]\(media\/([\w-]+)\.png\)/g)].map(([, , name]) => ({ name: name! }));

  it('has a card for each picture, with texts that the product shows', () => {
    assert.ok(pictures.length >= 2);
    const said = userStrings(root).strings.map(({ text }) => text.trim());
    for (const { name } of pictures) {
      assert.ok(existsSync(path.join(root, 'media', `${name}.png`)), name);
      const card = read(`media/cards/${name}.md`);
      assert.match(card, /^(>.*\n)+$/, name);
      // The extension's page removes images and styles.
      assert.doesNotMatch(card, /<img|style=|!\[/);
      const words = [...card.matchAll(/<kbd>. ([^<]+)<\/kbd>|^> - \[x\] (.+)$/gm)].map(([, button, step]) => button ?? step!);
      assert.ok(words.length >= 3, name);
      for (const each of words) {
        assert.ok(said.includes(each), `"${each}" of ${name} is said nowhere`);
      }
    }
    assert.ok(
      read('media/cards/permission.md').includes('Demo Agent needs your permission') && said.includes('{agent} needs your permission'),
    );
  });

  it('contains no image, and links only to the web and into itself', () => {
    const packed = packedReadme(readme, (name) => `> card of ${name}\n`);
    assert.doesNotMatch(packed, /!\[|<img|<video/);
    for (const { name } of pictures) {
      assert.ok(packed.includes(`\n\n> card of ${name}\n\n`), name);
    }
    const links = [...packed.matchAll(/\]\(([^)]*)\)/g)].map(([, to]) => to!);
    assert.ok(links.length > 0);
    for (const link of links) {
      assert.match(link, /^(https:|#)/);
    }
    assert.ok(packed.includes('CONTRIBUTING.md explains how to build'), 'the text of such a link stays');
  });

  it('says how to test, explains the benefits before the details, and leaves building to CONTRIBUTING.md', () => {
    assert.match(readme, /`npm test`/);
    assert.doesNotMatch(readme, /npm run (package|bench|playground)|npm start/);
    for (const command of ['npm start', 'npm test', 'npm run package', 'npm run bench', 'npm run playground']) {
      assert.ok(read('CONTRIBUTING.md').includes(command), command);
    }
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, ['Agents', 'First session', 'Settings', 'Privacy and security', 'Contributing']);
  });

  it('names commands and settings by their real names', () => {
    const manifest = JSON.parse(read('package.json'));
    const words = JSON.parse(read('package.nls.json')) as Record<string, string>;
    const worded = (text: string): string => text.replace(/^%(.+)%$/, (_, key: string) => words[key]!);
    const titles: string[] = manifest.contributes.commands.map(
      (each: { category: string; title: string }) => `${worded(each.category)}: ${worded(each.title)}`,
    );
    for (const [, command] of readme.matchAll(/\*\*((?:ACP|Chat): [^*]+)\*\*/g)) {
      assert.ok(titles.includes(command!), command);
    }
    const settings = (manifest.contributes.configuration as { properties: object }[]).flatMap(({ properties }) => Object.keys(properties));
    for (const [, setting] of readme.matchAll(/`(acpHost\.[\w.]+)`/g)) {
      assert.ok(settings.includes(setting!), setting);
    }
    assert.ok(readme.includes(`**Welcome: Open Walkthrough…** > **${words['walkthrough.title']!}**`));
  });
});
