/** The user's rules in a window, before a session needs them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enterVscode } from '../../../support/fakeVscode';
import type * as Module from '../../../../src/workbench/permission/rules/windowRules';
import { memory } from '../../application/permission/rules/ruleStoreScene';

describe('the rules of a window', () => {
  const notices: string[] = [];
  const listeners = new Set<(event: unknown) => void>();
  let value: unknown;
  let leave: () => void;
  let folder: string;

  const fake = {
    env: {},
    l10n: { t: (text: string, args: Record<string, unknown> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name])) },
    workspace: {
      getConfiguration: () => ({ inspect: (name: string) => (name.endsWith('rules') ? { globalValue: value } : {}) }),
      onDidChangeConfiguration: (listener: (event: unknown) => void) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
    },
    window: {
      showErrorMessage: async (text: string) => void notices.push(text),
      showWarningMessage: async (text: string) => void notices.push(text),
    },
  };

  function windowRules(): Module.WindowRules {
    const { WindowRules } = require('../../../../src/workbench/permission/rules/windowRules') as typeof Module;
    return new WindowRules({
      clock: { now: () => 1 },
      log: undefined,
      globalState: memory(),
      extensionPath: '',
      sharedFolder: folder,
    } as never);
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'acp-rules-'));
    value = undefined;
    notices.length = 0;
    listeners.clear();
    leave = enterVscode(fake);
  });
  afterEach(() => {
    leave();
    rmSync(folder, { recursive: true, force: true });
  });

  const change = async (next: unknown): Promise<void> => {
    value = next;
    [...listeners].forEach((listener) => listener({ affectsConfiguration: () => true }));
    for (let turn = 0; turn < 200 && notices.length === 0; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('are reported with the reason as soon as a mistake is written', async () => {
    const rules = windowRules();
    await change([{ allow: ['touch x'] }]);
    assert.equal(notices.length, 1);
    assert.match(notices[0]!, /\{"allow":\["touch x"\]\}: a rule has no member `allow`; write `"effect": "allow"`/);
    rules.dispose();
    assert.equal(listeners.size, 0);
  });
});
