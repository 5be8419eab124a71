import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ruleFiles } from '../../../../../../src/application/permission/rules/import/ruleFiles';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe('the files with rules of other programs', () => {
  let base: string;
  const at = (...names: string[]): string => path.join(base, ...names);
  const write = (text: string, ...names: string[]): void => {
    mkdirSync(path.dirname(at(...names)), { recursive: true });
    writeFileSync(at(...names), text);
  };
  const ALLOW = JSON.stringify({ permissions: { allow: ['Bash(make:*)'] } });

  beforeEach(() => (base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-rule-files-')))));
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  async function commands(environment: Record<string, string> = {}, workspace = 'repository'): Promise<string[]> {
    const sources = await ruleFiles({ home: at('home'), environment, workspaceFolders: [at(workspace)], log });
    return sources.flatMap(({ rules }) => rules.map(({ rule }) => `${rule.effect} ${rule.command}`));
  }

  it('come from the home folder', async () => {
    write(ALLOW, 'home', '.claude', 'settings.json');
    write('prefix_rule(pattern=["git", "push"], decision="forbidden")', 'home', '.codex', 'rules', 'default.rules');
    write('prefix_rule(pattern=["no"])', 'home', '.codex', 'rules', 'notes.txt');
    assert.deepEqual(await commands(), ['allow make *', 'deny git push *']);
  });

  it('come from the folders that the environment names', async () => {
    write(ALLOW, 'claude', 'settings.json');
    write('prefix_rule(pattern=["a"])', 'codex', 'rules', 'a.rules');
    assert.deepEqual(await commands({ CLAUDE_CONFIG_DIR: at('claude'), CODEX_HOME: at('codex') }), ['allow make *', 'allow a *']);
  });

  it('never come from a workspace, whatever leads there', async () => {
    write(ALLOW, 'repository', '.claude', 'settings.json');
    write('prefix_rule(pattern=["a"])', 'repository', '.codex', 'rules', 'a.rules');
    assert.deepEqual(await commands(), []);
    assert.deepEqual(await commands({ CLAUDE_CONFIG_DIR: at('repository', '.claude'), CODEX_HOME: at('repository', '.codex') }), []);
    mkdirSync(at('home'));
    symlinkSync(at('repository', '.claude'), at('home', '.claude'));
    symlinkSync(at('repository', '.codex'), at('home', '.codex'));
    assert.deepEqual(await commands(), []);
  });

  it('may be missing', async () => assert.deepEqual(await commands(), []));
});
