import assert from 'node:assert/strict';
import { parseManifests } from '../../../src/registry/manifest';
import { compareVersions } from '../../../src/registry/versions';
import { rebuildIcon } from '../../../src/registry/icon';
import { registryPlatform } from '../../../src/registry/platform';

const ORIGIN = 'https://registry.example/r.json';
const valid = { id: 'a', name: 'A', version: '1.0.0', description: 'x', distribution: { npx: { package: 'a@1.0.0' } } };
const parsed = (entry: unknown) => parseManifests([entry], ORIGIN, 'linux-x86_64')[0]!.agent;
const problemOf = (entry: unknown): string => {
  const { problem } = parsed(entry);
  return problem ? [problem.params?.['reason'], problem.params?.['field']].filter(Boolean).join(' ') : 'ok';
};
const problemWith = (distribution: unknown): string => problemOf({ ...valid, distribution });

describe('the entries of a registry', () => {
  it('keep what informs, on one line and with pages of https alone', () => {
    const more = {
      name: ' A\n<b>\u0000 ',
      license: 'MIT',
      license_url: 'https://example.com/l',
      website: 'javascript:alert(1)',
      repository: 'http://example.com',
      authors: ['One', 7, ''],
    };
    assert.deepEqual(parsed({ ...valid, ...more }), {
      ...{ id: 'a', agentId: `registry/a@${ORIGIN}`, name: 'A <b>', version: '1.0.0', description: 'x', license: 'MIT' },
      ...{ licenseUrl: 'https://example.com/l', authors: ['One'], origin: ORIGIN },
      ways: [{ kind: 'npx', package: 'a@1.0.0', args: [], env: {} }],
    });
  });

  it('cut texts that are too long', () => {
    const { name, description } = parsed({ ...valid, name: 'n'.repeat(5000), description: 'd'.repeat(1e6) });
    assert.deepEqual([name.length, description.length], [100, 2000]);
  });

  it('name the field that is wrong', () => {
    const { distribution: _, ...rest } = valid;
    const entries = [
      null,
      [],
      { ...valid, id: 'A b' },
      { ...valid, id: 'x'.repeat(65) },
      { ...valid, name: ' ' },
      { ...valid, version: 'latest' },
      { ...valid, description: 1 },
      rest,
    ];
    assert.deepEqual(entries.map(problemOf), [
      ...[
        'not_an_object',
        'not_an_object',
        'invalid id',
        'invalid id',
        'invalid name',
        'invalid version',
        'invalid description',
        'missing distribution',
      ],
    ]);
  });

  it('take packages with an exact version', () => {
    const npm = [
      'a@1.0.0',
      '@a/b@1.0.0-rc.1+x',
      'a',
      'a@latest',
      'a@^1.0.0',
      '@a/b',
      ...['a@1.0.0.1', 'a@1.0.0-', 'a@1.0.0latest', 'a@1.0.0+', 'a@1.0.0-rc..1', 'a@1.0.0.tgz', 'a@1.0.0 || 2'],
      '',
      '-a@1.0.0',
      'a b@1.0.0',
      '../a@1.0.0',
      'a@npm:b@1.0.0',
      'a@file:../x',
      'https://x/a.tgz',
    ];
    const of = (kind: string) => (spec: string) => problemWith({ [kind]: { package: spec } }).split(' ')[0];
    assert.deepEqual(npm.map(of('npx')), [
      'ok',
      'ok',
      ...Array(11).fill('not_pinned'),
      ...Array(4).fill('invalid'),
      'not_pinned',
      'invalid',
      'invalid',
    ]);
    const pypi = ['a@1.0', 'a-b==1.0.0rc1', 'a[x]==1', 'a', 'a>=1.0', 'git+https://x', '--index-url=x'];
    assert.deepEqual(pypi.map(of('uvx')), ['ok', 'ok', 'ok', 'not_pinned', 'invalid', 'invalid', 'invalid']);
  });

  it('take programs inside of their archive', () => {
    const cmds = ['./a', 'a/b', './a\\b.exe', '../a', '/a', 'C:\\a', '\\\\server\\a', 'a/../b', '', '.', 'a/b/', 'a\nb'];
    const problems = cmds.map((cmd) => problemWith({ binary: { 'linux-x86_64': { archive: 'https://x/a.zip', cmd } } }).split(' ')[0]);
    assert.deepEqual(problems, ['ok', 'ok', 'ok', ...Array(9).fill('invalid')]);
  });

  it('offer the ways of this platform, packages of npm first', () => {
    const target = (name: string) => ({ archive: `https://x/${name}.zip`, cmd: './a', sha256: 'AB'.repeat(32) });
    const distribution = {
      uvx: { package: 'a==1', cmd: 'run' },
      binary: { 'linux-x86_64': target('linux'), 'darwin-aarch64': target('mac'), 'beos-x86': 'unknown' },
      npx: { package: 'a@1.0.0' },
      newer: {},
    };
    const ways = parsed({ ...valid, distribution }).ways;
    assert.deepEqual(
      ways.map((way) => (way.kind === 'binary' ? `${way.archive} ${way.sha256!.slice(0, 4)} ${way.cmd}` : way.kind)),
      ['npx', 'https://x/linux.zip abab a', 'uvx'],
    );
    assert.deepEqual(problemWith({ newer: {} }), 'missing distribution');
    assert.deepEqual(parsed({ ...valid, distribution: { binary: { 'darwin-aarch64': target('mac') } } }).ways, []);
  });

  it('refuse a mistake for any platform', () => {
    const bad = { archive: 'ftp://x/a.zip', cmd: './a' };
    assert.equal(problemWith({ binary: { 'windows-x86_64': bad } }), 'invalid distribution.binary.windows-x86_64.archive');
    const target = { archive: 'https://x/a.zip', cmd: './a' };
    const mistakes = [
      { sha256: 'abc' },
      { args: 'x' },
      { args: ['a\0b'] },
      { args: Array(100).fill('') },
      { env: { 'A B': '' } },
      { env: { A: 1 } },
      { env: ['A'] },
    ];
    assert.deepEqual(
      mistakes.map((each) => problemWith({ binary: { 'linux-x86_64': { ...target, ...each } } }).split(' ')[0]),
      Array(7).fill('invalid'),
    );
  });

  it('set no variable that loads other code or names another server', () => {
    const names = [
      ...['NODE_OPTIONS', 'node_path', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'PATH', 'npm_config_registry', 'PYTHONPATH', 'BASH_ENV'],
      ...['HTTPS_PROXY', 'NODE_TLS_REJECT_UNAUTHORIZED', 'ELECTRON_RUN_AS_NODE', 'ACP_HOST_PRELOAD', '__proto__'],
    ];
    const problem = (name: string): string => problemWith({ npx: { package: 'a@1.0.0', env: JSON.parse(`{"${name}":"x"}`) as unknown } });
    assert.deepEqual([...new Set(names.map(problem))], ['invalid distribution.npx.env']);
    assert.deepEqual(['DROID_DISABLE_AUTO_UPDATE', 'NODE_NO_WARNINGS', 'PYTHONUNBUFFERED'].map(problem), ['ok', 'ok', 'ok']);
  });

  it('have unique ids', () => {
    const agents = parseManifests([valid, valid, 1, { ...valid, id: 'A' }, { ...valid, id: 'b' }], ORIGIN, undefined).map(
      ({ agent }) => agent,
    );
    assert.deepEqual(
      agents.map(({ id, problem }) => `${id} ${problem?.params?.['reason'] ?? ''}`),
      ['a ', 'a#1 duplicate', '#2 not_an_object', '#3 invalid', 'b '],
    );
  });
});

describe('icons of a registry', () => {
  const inside = (text: string): string | undefined =>
    rebuildIcon(`<svg viewBox="0 0 1 1">${text}</svg>`)?.replace(/^<svg[^>]*>|<\/svg>$/g, '');

  it('keep shapes, in the color of the text', () => {
    assert.equal(
      rebuildIcon(
        '<?xml version="1.0"?><!-- x --><svg width="24px" height="24" fill="none"><g fill="#f00"><path d="M0 0\n h1" fill-rule="evenodd"/><circle cx="1" cy="1" r="1" stroke="red" fill="none"></circle></g></svg>',
      ),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"><g fill="currentColor"><path d="M0 0 h1" fill-rule="evenodd"/><circle cx="1" cy="1" r="1" fill="none" stroke="currentColor"/></g></svg>',
    );
  });

  it('lose script, styles, links, images and handlers', () => {
    const path = '<path d="M0"/>';
    const cases = [
      `<script>${path}</script>`,
      `<script><![CDATA[</script>]]></script>`,
      `<style>*{}</style>`,
      `<foreignObject>${path}</foreignObject>`,
      `<image href="https://x"/><use href="#x"/><animate onbegin="x"/>`,
      `<a href="javascript:x">`,
      '<defs><path d="M9"/></defs>',
      '<svg onload="x"><path d="M0"/></svg>',
    ];
    for (const text of cases) {
      assert.match(inside(text + path) ?? '', /^(?:<path d="M0"\/>)+$/, text);
    }
    assert.equal(
      inside('<path d="M0" onclick="x" style="x" href="x" class="x" id="x" fill="url(#a)" transform="rotate(45)"/>'),
      '<path d="M0" transform="rotate(45)" fill="currentColor"/>',
    );
    assert.equal(inside('<path d="M0&quot; onload=&quot;x"/><path d="M1"/>'), '<path/><path d="M1"/>');
    assert.equal(inside('<path d=M0 "><script>x</script>"/><path d="M1"/>'), '<path d="M1"/>');
  });

  it('take the time of their length, also when no tag ends', () => {
    const slow = ['<a'.repeat(30_000), `<${'a'.repeat(60_000)}`, `<svg ${'a'.repeat(60_000)}>`, `<svg ${'<a "'.repeat(15_000)}`];
    const start = Date.now();
    assert.ok(slow.every((text) => rebuildIcon(text) === undefined));
    assert.ok(Date.now() - start < 1500);
  });

  it('are refused when nothing can be shown, or there is too much', () => {
    const refused = [
      '',
      'x',
      '<svg></svg>',
      '<html><svg><path d="M0"/></svg>x',
      '<svg><text>x</text></svg>',
      `<svg>${'<path d="M0"/>'.repeat(600)}</svg>`,
      `<svg><path d="${'M'.repeat(70_000)}"/></svg>`,
    ];
    assert.deepEqual(
      refused.map((text) => rebuildIcon(text) !== undefined),
      [false, false, false, true, false, false, false],
    );
  });
});

describe('versions of a registry', () => {
  it('are ordered', () => {
    const ordered = [
      '0.9.10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.2',
      '1.0.0-alpha.10',
      '1.0.0-beta',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ];
    assert.deepEqual([...ordered].reverse().sort(compareVersions), ordered);
    assert.equal(compareVersions('1.0.0+a', '1.0.0+b'), 0);
  });

  it('have words for platforms', () => {
    assert.deepEqual(
      [registryPlatform('win32', 'x64'), registryPlatform('darwin', 'arm64'), registryPlatform('linux', 'ia32')],
      ['windows-x86_64', 'darwin-aarch64', undefined],
    );
  });
});
