import assert from 'node:assert/strict';
import { isUnsafeVariable } from '../../../src/core/approval/unsafeVariables';
import { cleanEnvironment, overlayEnvironment, variable } from '../../../src/util/environment';

const ours = {
  ELECTRON_RUN_AS_NODE: '1',
  VSCODE_IPC_HOOK: 'x',
  NODE_OPTIONS: '--inspect',
  PATH: '/bin',
  MY_VSCODE_X: 'kept',
  NODE_OPTIONS_X: 'kept',
  GONE: undefined,
};

/**
 * Variables that a sign-in method may not set: they decide which program runs, what is loaded, which proxy is used and which certificates are
 * trusted.
 */
const STEERING = (
  'OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES LUA_INIT LUA_INIT_5_4 LUA_PATH LUA_CPATH_5_3 SHELLOPTS BASHOPTS PS4 PS0 http_proxy HTTP_PROXY https_proxy HTTPS_PROXY ' +
  'ALL_PROXY all_proxy NO_PROXY no_proxy FTP_PROXY SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE AWS_CA_BUNDLE GIT_SSL_CAINFO GIT_SSL_NO_VERIFY NODE_EXTRA_CA_CERTS ' +
  'NODE_TLS_REJECT_UNAUTHORIZED SSLKEYLOGFILE XDG_CONFIG_HOME XDG_DATA_DIRS XDG_RUNTIME_DIR PERLLIB PERL5LIB PERL5OPT PERL_LWP_SSL_VERIFY_HOSTNAME GEM_HOME GEM_PATH BUNDLE_GEMFILE BUNDLE_PATH ' +
  'RUBYOPT CARGO_HOME CARGO CARGO_BUILD_RUSTC_WRAPPER CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER RUSTC RUSTC_WRAPPER RUSTFLAGS RUSTUP_TOOLCHAIN GOFLAGS GOPROXY JAVA_HOME MAVEN_OPTS ' +
  'GIT_DIR GIT_CONFIG_GLOBAL SSH_AUTH_SOCK DOCKER_HOST KUBECONFIG PSModulePath YARN_RC_FILENAME LESSOPEN INPUTRC TMPDIR CC MAKEFLAGS GLIBC_TUNABLES'
).split(' ');

const ALLOWED = (
  'ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_CLOUD_PROJECT MISTRAL_API_KEY OPENAI_BASE_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION ' +
  'AWS_PROFILE CARGO_REGISTRY_TOKEN GEM_HOST_API_KEY HF_TOKEN GITLAB_TOKEN GIT_TOKEN XAI_API_KEY PROXY_API_KEY SSL_TOKEN CCX PS5 PERSON LDAP_PASSWORD GO_API_KEY'
).split(' ');

describe('environment', () => {
  it("omits the editor's own variables, and no others", () => {
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

  it('includes variables that change what other programs do, in any case', () => {
    for (const name of [
      'PATH',
      'Path',
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'ELECTRON_RUN_AS_NODE',
      'VSCODE_IPC_HOOK',
      'npm_config_registry',
      'BASH_ENV',
      'GIT_SSH_COMMAND',
      'PYTHONPATH',
      'ComSpec',
      'HOME',
      ...STEERING,
    ]) {
      assert.ok(isUnsafeVariable(name), name);
    }
    for (const name of [
      'OPENAI_API_KEY',
      'GITHUB_TOKEN',
      'AZURE_OPENAI_ENDPOINT',
      'CODEX_HOME',
      'MY_PATH',
      'PATHS',
      'ANTHROPIC_BASE_URL',
      'X_NODE_OPTIONS',
      ...ALLOWED,
    ]) {
      assert.ok(!isUnsafeVariable(name), name);
    }
  });
});
