/**
 * The entries of a registry with 43 agents: the ways of those that the public registry had in 2026, and hostile ones. The archives and packages are
 * served by a {@link Loopback}. Each entry has the outcome that is expected on every system.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { registryPlatform } from '../../../src/registry/platform';
import { type TestEntry, tar, tarGz, zip } from './archives';
import { BZIP2_ARCHIVE } from './bzip2Archive';
import type { Loopback } from './loopback';

const PROGRAM = readFileSync(path.join(__dirname, '..', '..', 'agent', 'scripted', 'registryProgram.mjs'));
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><path fill="currentColor" d="M8 1v14H2z"/></svg>';
const EVIL_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" onload="alert(1)"><script>alert(1)</script><style>@import 'https://evil.example'</style>
<a href="javascript:alert(1)"><path d="M0 0h16" onclick="alert(1)" fill="url(#x)" style="fill:red"/></a><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>`;

/** An entry, and its outcome: `runs`, or the reason of its refusal or of the failed installation. */
export interface TestManifest {
  readonly entry: unknown;
  readonly outcome: string;
}

/** The bounds under which the hostile entries are refused. */
export const TEST_LIMITS = {
  download: { maxBytes: 2_000_000, idleMs: 700, totalMs: 8000 },
  archive: { maxEntries: 100, maxBytes: 5_000_000 },
};

/** @param platform the platform for which binaries are offered */
export function testManifests(server: Loopback, platform = registryPlatform()!): TestManifest[] {
  const manifests: TestManifest[] = [];
  const add = (outcome: string, id: string, distribution: unknown, more: Readonly<Record<string, unknown>> = {}): void => {
    const icon = server.file(`/icons/${id}.svg`, ICON);
    const about = { id, name: `The ${id}`, version: '1.2.3', description: 'An agent', authors: ['Somebody'], license: 'MIT', icon };
    manifests.push({ entry: { ...about, distribution, ...more }, outcome });
  };
  const npx = (spec: string, args: string[] = ['--acp'], env?: Readonly<Record<string, string>>) => ({
    npx: { package: spec, args, ...(env && { env }) },
  });
  const published = (name: string, version: string, more: Readonly<Record<string, unknown>> = {}): void =>
    server.addPackage({
      name,
      version,
      manifest: { bin: { agent: 'bin/agent.mjs' }, ...more },
      files: [{ path: 'bin/agent.mjs', content: PROGRAM }],
    });
  const binary = (archive: string, cmd = './agent', more: Readonly<Record<string, unknown>> = {}) => ({
    binary: { [platform]: { archive, cmd, ...more } },
  });
  const program = (name = 'agent'): TestEntry => ({ path: name, content: PROGRAM });
  const served = (name: string, bytes: Buffer): string => server.file(`/archives/${name}`, bytes);
  const hostileTar = (id: string, entries: readonly TestEntry[]): void =>
    add('unsafe_archive', id, binary(served(`${id}.tar.gz`, tarGz([program(), ...entries]))));

  // Packages of npm, under the names and with the arguments of the public registry.
  for (const [id, name, args, env] of [
    ['auggie', '@augmentcode/auggie', ['--acp'], { AUGMENT_DISABLE_AUTO_UPDATE: '1' }],
    ['claude-acp', '@agentclientprotocol/claude-agent-acp', []],
    ['claude-code-acp', '@zed-industries/claude-code-acp', []],
    ['gemini', '@google/gemini-cli', ['--experimental-acp']],
    ['github-copilot', '@github/copilot-language-server', ['--acp']],
    ['qoder', '@qoder-ai/qodercli', ['--acp']],
    ['qwen-code', '@qwen-code/qwen-code', ['--acp', '--experimental-skills']],
  ] as const) {
    published(name, '1.2.3');
    add('runs', id, npx(`${name}@1.2.3`, [...args], env));
  }
  // Binaries, in every format of the public registry.
  const otherPlatforms = { 'darwin-x86_64': { archive: 'https://example.com/a.tar.gz', cmd: './agent' }, 'plan9-mips': 'a newer platform' };
  const droid = binary(served('droid.tar.gz', tarGz([program('droid')])), './droid', {
    args: ['exec', '--output-format', 'acp'],
    env: { DROID_DISABLE_AUTO_UPDATE: 'true' },
  });
  add('runs', 'factory-droid', { binary: { ...otherPlatforms, ...droid.binary } });
  add('runs', 'codex-acp', binary(served('codex.tgz', tarGz([{ path: './' }, program('./codex-acp')])), './codex-acp'));
  add('runs', 'kimi', binary(served('kimi.zip', zip([program('kimi')])), './kimi', { args: ['acp'] }));
  add('runs', 'mistral-vibe', binary(served('vibe.zip', zip([program('vibe-acp'), { path: 'latest', target: 'vibe-acp' }])), 'vibe-acp'));
  add(
    'runs',
    'opencode',
    binary(
      served('opencode.tar.gz', tarGz([program('bin/opencode'), { path: 'opencode', target: 'bin/opencode', type: '2' }])),
      './opencode',
    ),
  );
  add('runs', 'goose', binary(served('goose.tar.bz2', BZIP2_ARCHIVE), './agent', { sha256: sha256(BZIP2_ARCHIVE).toUpperCase() }));
  add('runs', 'raw-program', binary(served('raw-program', PROGRAM)));
  add('runs', 'mixed-slashes', binary(served('mixed.zip', zip([program('package/agent')])), './package\\agent'));
  add('runs', 'fast-agent', { uvx: { package: 'fast-agent-acp==0.6.1', args: ['-x'] } });
  // Newer fields, and text that is shown as it is.
  published('newer-agent', '2.0.0-preview.1');
  add(
    'runs',
    'newer-fields',
    { ...npx('newer-agent@2.0.0-preview.1'), wasm: { url: 'x' } },
    { preview: { version: '3.0.0' }, tags: ['x'] },
  );
  add('runs', 'markup', binary(served('markup', PROGRAM)), {
    name: '<img src=x onerror=alert(1)>\u202E',
    description: '[x](command:evil) $(rocket)\n\u0000',
  });
  add('runs', 'evil-icon', binary(served('evil-icon', PROGRAM)), {
    icon: server.file('/icons/evil.svg', EVIL_ICON),
    website: 'javascript:alert(1)',
  });
  // The scripts of a dependency would leave a file in the folder of the package.
  server.addPackage({
    name: 'evil-dependency',
    version: '1.0.0',
    manifest: { scripts: { postinstall: "node -e \"require('fs').writeFileSync('ran', '')\"" } },
    files: [],
  });
  published('with-dependency', '1.2.3', { dependencies: { 'evil-dependency': '1.0.0' } });
  add('runs', 'dependency-script', npx('with-dependency@1.2.3'));
  const moved = served('moved.tar.gz', tarGz([program()]));
  add(
    'runs',
    'redirected',
    binary(server.on('/archives/redirect.tar.gz', (_request, response) => response.writeHead(302, { location: moved }).end())),
  );

  // Hostile archives.
  hostileTar('traversal', [{ path: '../../evil', content: 'x' }]);
  hostileTar('absolute', [{ path: '/tmp/registry-test-evil', content: 'x' }]);
  hostileTar('link-out', [{ path: 'out', target: '../../..', type: '2' }]);
  hostileTar('through-link', [
    { path: 'd/e', content: 'x' },
    { path: 'l', target: 'd', type: '2' },
    { path: 'l/evil', content: 'x' },
  ]);
  hostileTar('device', [{ path: 'null', type: '3' }]);
  add('unsafe_archive', 'zip-traversal', binary(served('evil.zip', zip([program(), { path: '../evil', content: 'x' }]))));
  add(
    'archive_too_large',
    'bomb',
    binary(served('bomb.tar.gz', gzipSync(tar([program(), { path: 'zeros', content: Buffer.alloc(20_000_000) }])))),
  );
  add('damaged_archive', 'damaged', binary(served('damaged.tar.gz', randomBytes(5000))));
  add('no_program', 'no-program', binary(served('other.tar.gz', tarGz([program('other')]))));
  add('wrong_checksum', 'wrong-checksum', binary(served('wrong.tar.gz', tarGz([program()])), './agent', { sha256: '0'.repeat(64) }));
  add('installer_format', 'installer', binary(served('agent.dmg', PROGRAM)));
  add('no_platform', 'no-platform', {
    binary: { [platform === 'darwin-x86_64' ? 'linux-x86_64' : 'darwin-x86_64']: { archive: 'https://example.com/a.zip', cmd: 'a' } },
  });
  // Hostile downloads.
  add(
    'too_large',
    'huge',
    binary(
      server.on(
        '/archives/huge.tar.gz',
        (_request, response) => void response.writeHead(200, { 'content-length': 9_000_000_000 }).write('x'),
      ),
    ),
  );
  const endless = server.on('/archives/endless.tar.gz', (_request, response) => {
    const more = (): void =>
      void (response.destroyed || (response.write(randomBytes(60_000)) ? setImmediate(more) : response.once('drain', more)));
    more();
  });
  add('too_large', 'endless', binary(endless));
  add('too_slow', 'slow', binary(server.on('/archives/slow.tar.gz', (_request, response) => void response.writeHead(200).write('x'))));
  add(
    'cut_off',
    'cut-off',
    binary(
      server.on('/archives/cut.tar.gz', (_request, response) => {
        response.writeHead(200, { 'content-length': 5000 }).write(randomBytes(2000));
        setTimeout(() => response.destroy(), 50);
      }),
    ),
  );
  add(
    'other_scheme',
    'other-scheme',
    binary(server.on('/archives/scheme.tar.gz', (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())),
  );
  add(
    'too_many_redirects',
    'loop',
    binary(
      server.on('/archives/loop.tar.gz', (_request, response) => response.writeHead(302, { location: '/archives/loop.tar.gz' }).end()),
    ),
  );
  add('http_status', 'missing-file', binary(`${server.url}/archives/missing.tar.gz`));
  // Hostile packages.
  server.addPackage({
    name: 'forged',
    version: '1.2.3',
    manifest: { bin: 'a.mjs' },
    files: [{ path: 'a.mjs', content: PROGRAM }],
    isForged: true,
  });
  add('wrong_checksum', 'forged', npx('forged@1.2.3'));
  add('not_found', 'missing-package', npx('nowhere@1.2.3'));
  server.addPackage({ name: 'no-bin', version: '1.2.3', files: [] });
  add('no_program', 'package-without-program', npx('no-bin@1.2.3'));
  server.addPackage({ name: 'bin-outside', version: '1.2.3', manifest: { bin: '../../../../etc/passwd' }, files: [] });
  add('no_program', 'program-outside', npx('bin-outside@1.2.3'));
  // Entries that are refused before anything is requested.
  add('duplicate', 'opencode', npx('@opencode/cli@2.0.23', ['acp']));
  add('not_pinned', 'not-pinned', npx('cline@latest'));
  add('invalid', 'not-a-package', npx('git+https://example.com/x.git'));
  add('invalid', 'an-option', npx('--registry=https://evil.example'));
  add('invalid', 'program-above', binary(moved, '../../bin/sh'));
  add('invalid', 'plain-http', binary('http://example.com/a.tar.gz'));
  add('invalid', 'bad-variable', npx('newer-agent@2.0.0-preview.1', [], { 'A=B': 'x' }));
  add('missing', 'no-distribution', undefined);
  add('invalid', 'Upper_Case', npx('newer-agent@2.0.0-preview.1'));
  manifests.push({ entry: 42, outcome: 'not_an_object' });
  return manifests;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
