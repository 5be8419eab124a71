import assert from 'node:assert/strict';
import { cleanEnvironment, isSteeringVariable, overlayEnvironment, variable } from '../../../src/util/environment';

const ours = { ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', NODE_OPTIONS: '--inspect', PATH: '/bin', MY_VSCODE_X: 'kept', NODE_OPTIONS_X: 'kept', GONE: undefined };

describe('environment', () => {
  it("loses the editor's own variables, and nothing else", () => {
    assert.deepEqual(cleanEnvironment(ours, 'linux'), { PATH: '/bin', MY_VSCODE_X: 'kept', NODE_OPTIONS_X: 'kept' });
  });

  it('is read in any case on Windows only', () => {
    const mixed = { Electron_No_Asar: '1', vscode_pid: '1', Node_Options: 'x', Path: 'C:\\' };
    assert.deepEqual(cleanEnvironment(mixed, 'win32'), { Path: 'C:\\' });
    assert.deepEqual(cleanEnvironment(mixed, 'linux'), mixed);
    assert.equal(variable(mixed, 'PATH', 'win32'), 'C:\\');
    assert.equal(variable(mixed, 'PATH', 'linux'), undefined);
  });

  it('is overlaid without two spellings of one name on Windows', () => {
    assert.deepEqual(overlayEnvironment({ Path: 'a', X: '1' }, { PATH: 'b' }, 'win32'), { PATH: 'b', X: '1' });
    assert.deepEqual(overlayEnvironment({ Path: 'a' }, { PATH: 'b' }, 'linux'), { Path: 'a', PATH: 'b' });
  });

  it('has variables that decide what other programs do, in any case', () => {
    for (const name of ['PATH', 'Path', 'NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'ELECTRON_RUN_AS_NODE', 'VSCODE_IPC_HOOK', 'npm_config_registry', 'BASH_ENV', 'GIT_SSH_COMMAND', 'PYTHONPATH', 'ComSpec', 'HOME']) {
      assert.ok(isSteeringVariable(name), name);
    }
    for (const name of ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'AZURE_OPENAI_ENDPOINT', 'CODEX_HOME', 'MY_PATH', 'PATHS', 'ANTHROPIC_BASE_URL', 'X_NODE_OPTIONS']) {
      assert.ok(!isSteeringVariable(name), name);
    }
  });
});
