import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chooseTheme, type ThemeKind } from '../../../../src/application/theme/themeChoice';
import type { ThemeSettings } from '../../../../src/application/theme/themeSettings';
import { readTheme } from '../../../../src/application/theme/themeFile';
import { parseLooseJson } from '../../../../src/application/theme/themeJson';
import { customRules, rulesOf } from '../../../../src/application/theme/themeRules';

const fixtures = path.resolve(__dirname, '../../../fixtures/themes');
const orchard = { packageJSON: JSON.parse(readFileSync(path.join(fixtures, 'orchard/package.json'), 'utf8')) as unknown };
const defaults = {
  packageJSON: {
    contributes: {
      themes: [
        { id: 'Dark Modern', label: 'Modern, dark', uiTheme: 'vs-dark', path: './dark.json' },
        { id: 'High', uiTheme: 'hc-black', path: './hc.json' },
      ],
    },
  },
};
const odd = [
  { packageJSON: undefined },
  { packageJSON: { contributes: { themes: {} } } },
  { packageJSON: { contributes: { themes: [null, 7, { label: 'Orchard Night', uiTheme: 'vs-dark' }] } } },
];
const extensions = [...odd, defaults, orchard];

/** The path of the theme that is found. */
function chosen(settings: Partial<ThemeSettings>, kind: ThemeKind): string | undefined {
  return chooseTheme(
    { 'window.autoDetectHighContrast': true, 'window.autoDetectColorScheme': false, ...settings } as ThemeSettings,
    kind,
    extensions,
  )?.theme.path;
}

const read = (theme: string) => readTheme(theme, (file) => readFile(path.join(fixtures, 'orchard', file), 'utf8'));

describe('the theme in use', () => {
  it('is the selected one, by its id or else its label', () => {
    assert.equal(chosen({ 'workbench.colorTheme': 'Orchard Night' }, 'vs-dark'), './themes/night.json');
    assert.equal(chosen({ 'workbench.colorTheme': 'orchard-day' }, 'vs'), './themes/day.json');
    assert.equal(chosen({ 'workbench.colorTheme': 'Orchard Day' }, 'vs'), undefined, 'settings hold the id');
    assert.equal(chosen({ 'workbench.colorTheme': 'Dark Modern' }, 'vs-dark'), './dark.json');
    assert.equal(chosen({ 'workbench.colorTheme': 'Default Dark Modern' }, 'vs-dark'), './dark.json', 'by the name it had before');
    for (const name of ['Not Installed', 7, undefined]) {
      assert.equal(chosen({ 'workbench.colorTheme': name }, 'vs-dark'), undefined);
    }
  });

  it('is a dark one when it does not state its kind', () => {
    const plain = [{ packageJSON: { contributes: { themes: [{ label: 'Plain', path: 'p.json' }] } } }];
    const settings = { 'workbench.colorTheme': 'Plain' } as unknown as ThemeSettings;
    assert.equal(chooseTheme(settings, 'vs-dark', plain)?.theme.path, 'p.json');
    assert.equal(chooseTheme(settings, 'vs', plain), undefined);
  });

  it('is the preferred one when VS Code follows the system', () => {
    const settings = {
      'workbench.colorTheme': 'Orchard Night',
      'workbench.preferredLightColorTheme': 'orchard-day',
      'workbench.preferredDarkColorTheme': 'Dark Modern',
      'workbench.preferredHighContrastColorTheme': 'High',
      'workbench.preferredHighContrastLightColorTheme': 'Orchard Contrast Light',
    };
    const followed = { ...settings, 'window.autoDetectColorScheme': true };
    assert.equal(chosen(followed, 'vs'), './themes/day.json');
    assert.equal(chosen(followed, 'vs-dark'), './dark.json');
    assert.equal(chosen(settings, 'vs-dark'), './themes/night.json');
    assert.equal(chosen(settings, 'vs'), undefined, 'a theme of another kind is not in use');
    assert.equal(chosen(settings, 'hc-black'), './hc.json');
    assert.equal(chosen(settings, 'hc-light'), './themes/contrast/contrast-light.json');
    assert.equal(chosen({ ...settings, 'workbench.colorTheme': 'Orchard Contrast' }, 'hc-black'), 'themes/contrast/contrast.json');
    assert.equal(chosen({ ...settings, 'window.autoDetectHighContrast': false }, 'hc-black'), undefined);
  });
});

describe('a theme’s rules', () => {
  it('are its token colors, without the editor’s', async () => {
    assert.deepEqual(await read('./themes/night.json'), [
      { scope: ['comment', 'punctuation.definition.comment'], foreground: '#6f7785', fontStyle: 'italic' },
      { scope: ['string', 'string.template'], foreground: '#a3c46a' },
      { scope: ['keyword', 'storage'], foreground: '#d98bd0' },
      { scope: ['keyword.operator'], foreground: '#d7dae0', fontStyle: '' },
      { scope: ['constant.numeric'], foreground: '#e0a86b80' },
      { scope: ['entity.name.function', 'meta.function-call variable.function'], foreground: '#7fb4e8', fontStyle: 'bold' },
      { scope: ['markup.heading'], fontStyle: 'bold underline' },
    ]);
  });

  it('are read with comments and trailing commas', async () => {
    assert.deepEqual(await read('./themes/day.json'), [
      { scope: ['comment'], foreground: '#888' },
      { scope: ['string'], foreground: '#2a7d2a' },
      { scope: ['keyword'], foreground: '#a0f8', fontStyle: 'bold' },
    ]);
  });

  it('come after those of included files, over several files', async () => {
    assert.deepEqual(await read('themes/contrast/contrast.json'), [
      { scope: ['keyword'], foreground: '#569cd6' },
      { scope: ['comment'], foreground: '#999999' },
      { scope: ['string'], foreground: '#ce9178' },
      { scope: ['comment'], foreground: '#7ca668' },
    ]);
  });

  it('exclude invalid ones', async () => {
    assert.deepEqual((await read('themes/contrast/contrast-light.json')).slice(3), [
      { scope: ['keyword'], foreground: '#0f4a85', fontStyle: '' },
      { scope: ['string'], fontStyle: 'italic' },
      { scope: ['variable'], foreground: '#001080' },
    ]);
    for (const nothing of [undefined, null, 'x', {}, [[]], [{ scope: 'a', settings: null }]]) {
      assert.deepEqual(rulesOf(nothing), []);
    }
  });

  it('have an older name in converted themes', async () => {
    assert.deepEqual(await read('./themes/attic.json'), [{ scope: ['comment'], foreground: '#75715e' }]);
  });

  for (const [what, theme] of [
    ['is XML', './themes/cellar.tmTheme'],
    ['includes itself', './themes/ladder.json'],
    ['is cut off', './themes/hedge.json'],
    ['includes what is not its extension’s', './themes/neighbour.json'],
    ['includes a file that is not there', './themes/gap.json'],
    ['is not there', './themes/nowhere.json'],
  ] as const) {
    it(`are unknown when it ${what}`, async () => {
      await assert.rejects(read(theme));
    });
  }

  it('are limited in their number of files', async () => {
    let files = 0;
    await assert.rejects(readTheme('0.json', (file) => Promise.resolve(`{"include": "${++files}.json", "name": "${file}"}`)));
    assert.equal(files, 16);
  });
});

describe('JSON with comments', () => {
  it('keeps strings unchanged', () => {
    assert.deepEqual(parseLooseJson('{"a": "// no /* comment */", "b": "\\\\", /* "c": 1, */ "d": [1, 2, ], "e": ",]" , }'), {
      a: '// no /* comment */',
      b: '\\',
      d: [1, 2],
      e: ',]',
    });
    for (const wrong of ['', '{', '[,]', '{"a": 1 "b": 2}', "{'a': 1}", '{} x', '/* {}']) {
      assert.throws(() => parseLooseJson(wrong), SyntaxError);
    }
    assert.deepEqual(parseLooseJson('\uFEFF{} // end'), {});
  });

  it('takes linear time for a string that never ends', () => {
    const started = performance.now();
    assert.throws(() => parseLooseJson(`"${'\\"'.repeat(50_000)}`), SyntaxError);
    assert.ok(performance.now() - started < 2000);
  });
});

describe('editor.tokenColorCustomizations', () => {
  const setting = {
    comments: '#111111',
    numbers: { foreground: '#222222', fontStyle: 'underline' },
    strings: 'red',
    textMateRules: [{ scope: 'string', settings: { foreground: '#333333' } }],
    semanticHighlighting: true,
    '[Orchard Night]': { comments: '#444444', textMateRules: [{ scope: ['keyword'], settings: { fontStyle: 'bold' } }] },
    '[Other][Orchard*]': { functions: '#555555' },
    '[*Light]': { types: '#666666' },
  };

  it('are in the order of VS Code: for all themes, then for this one; simple keys, then rules', () => {
    assert.deepEqual(customRules(setting, 'Orchard Night'), [
      { scope: ['comment', 'punctuation.definition.comment'], foreground: '#111111' },
      { scope: ['constant.numeric'], foreground: '#222222', fontStyle: 'underline' },
      { scope: ['string'], foreground: '#333333' },
      { scope: ['comment', 'punctuation.definition.comment'], foreground: '#444444' },
      { scope: ['keyword'], fontStyle: 'bold' },
      { scope: ['entity.name.function', 'support.function'], foreground: '#555555' },
    ]);
  });

  it('apply to the named themes', () => {
    const foregrounds = (name: string) => customRules(setting, name).map(({ foreground }) => foreground);
    assert.deepEqual(foregrounds('Elsewhere'), ['#111111', '#222222', '#333333']);
    assert.deepEqual(foregrounds('Quiet Light').at(-1), '#666666');
    assert.deepEqual(foregrounds('Other').at(-1), '#555555');
    assert.deepEqual(
      customRules({ '[*]': { comments: '#777777' }, '[*ight*]': { comments: '#888888' } }, 'Night').map(({ foreground }) => foreground),
      ['#777777', '#888888'],
    );
    for (const nothing of [undefined, null, 'x', []]) {
      assert.deepEqual(customRules(nothing, 'Night'), []);
    }
  });
});
