/** The cost of activation, measured on the built bundle as it ships. Needs `dist/` (`npm run package`, or any build). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changeCommands } from '../../src/application/shared/changeCommandIds';
import { commands } from '../../src/application/shared/ids';
import { ruleCommands } from '../../src/application/shared/ruleCommandIds';
import { sessionCommands } from '../../src/application/shared/sessionCommandIds';
import { loadJudge } from '../../src/policy/commands/loadJudge';

const root = path.join(__dirname, '../..');
const activate = (dist: string): { loaded: string[]; registered: string[]; api: string[] } =>
  JSON.parse(
    execFileSync(process.execPath, [path.join(__dirname, 'activate.cjs'), dist], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
  ) as ReturnType<typeof activate>;

describe('the built bundle', () => {
  const dist = path.join(root, 'dist');

  before(() => assert.ok(existsSync(path.join(dist, 'extension.js')), 'not built: npm run build'));

  it('activates without file, network, process, worker or timer', () => {
    const { registered, api } = activate(dist);
    assert.deepEqual([...registered].sort(), Object.values({ ...commands, ...sessionCommands, ...changeCommands, ...ruleCommands }).sort());
    assert.ok(api.includes('apiVersion') && api.includes('newSession'));
  });

  it('loads nothing heavy before it is needed', () => {
    const { loaded } = activate(dist);
    assert.deepEqual(
      loaded.filter((file) => /node-pty|languageclient|jsonrpc|chunks/.test(file) && !isStatic(dist, file)),
      [],
    );
    const text = loaded
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(path.join(dist, file), 'utf8'))
      .join('\n');
    const chunks = path.join(dist, 'chunks');
    const late = readdirSync(chunks).map((name) => readFileSync(path.join(chunks, name), 'utf8'));
    // Words of the language client's converter, of the causes of failures, of the connection to an agent, and of permission rules and modes.
    for (const heavy of ['asCompletionItem', 'ENOTFOUND', '"jsonrpc"', 'permissions.confirmedRules', 'mode/acceptEdits', 'agent_request']) {
      assert.ok(!text.includes(heavy), `${heavy} is in the first load`);
      assert.ok(
        late.some((chunk) => chunk.includes(heavy)),
        `${heavy} is in no chunk`,
      );
    }
  });

  it('would detect work done by activation', () => {
    const copy = mkdtempSync(path.join(tmpdir(), 'acp-host-activation-'));
    try {
      for (const planted of [
        "require('node:fs').readFileSync('/')",
        "require('child_process').spawn('true')",
        'setTimeout(() => {}, 1)',
        "require('https').get('https://x')",
      ]) {
        const target = path.join(copy, 'dist');
        rmSync(target, { recursive: true, force: true });
        cpSync(dist, target, { recursive: true, filter: (file) => !file.includes('node_modules') });
        const file = path.join(target, 'extension.js');
        writeFileSync(
          file,
          `${readFileSync(file, 'utf8')}\n;{const real = module.exports.activate; module.exports = {activate(c) { ${planted}; return real(c); }}}`,
        );
        assert.throws(() => activate(target), /activation (touched|called)/, planted);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('ships the parsers of command lines, which load from their folder', async () => {
    const broken: string[] = [];
    const judge = await loadJudge(path.join(dist, 'tree-sitter'), { error: (text) => broken.push(text) });
    const rules = [{ id: 'allow', effect: 'allow' as const, pattern: 'npm test *' }];
    const of = async (command: string, shell: string) => (await judge.judge({ kind: 'command', command, shell }, rules)).effect;
    assert.deepEqual(broken, []);
    assert.equal(await of('npm test 2>&1', 'bash'), 'allow');
    assert.equal(await of('npm test 2>$null', 'pwsh'), 'allow');
    assert.equal(await of('npm test; rm x', 'bash'), undefined);
  });
});

/** A chunk that extension.js itself requires at its top is part of the first load and counts towards its budget. */
function isStatic(dist: string, file: string): boolean {
  return file.startsWith('chunks/') && readFileSync(path.join(dist, 'extension.js'), 'utf8').includes(path.basename(file));
}
