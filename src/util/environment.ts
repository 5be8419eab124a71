/** Environments for the processes we start: the extension host's own switches must not leak into them. */

/** A process environment; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

const OURS = /^(?:ELECTRON_|VSCODE_)|^NODE_OPTIONS$/;
const OURS_ANY_CASE = new RegExp(OURS.source, 'i');

/**
 * `environment` without `ELECTRON_*`, `VSCODE_*` and `NODE_OPTIONS`: an agent or a command is no part of the editor, and
 * `ELECTRON_RUN_AS_NODE` alone would make any Electron program it starts behave as plain Node.
 */
export function cleanEnvironment(environment: Environment, platform: NodeJS.Platform = process.platform): Record<string, string> {
  // Windows reads names in any case.
  const ours = platform === 'win32' ? OURS_ANY_CASE : OURS;
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !ours.test(name)) {
      clean[name] = value;
    }
  }
  return clean;
}

/** `base` with `overlay` on top. On Windows a name replaces the same name in any case, so that no process sees two `Path`. */
export function overlayEnvironment(
  base: Readonly<Record<string, string>>,
  overlay: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const result: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(overlay)) {
    if (platform === 'win32') {
      for (const present of Object.keys(result)) {
        if (present !== name && present.toUpperCase() === name.toUpperCase()) {
          delete result[present];
        }
      }
    }
    result[name] = value;
  }
  return result;
}

/** A variable's value, its name read in any case on Windows. */
export function variable(environment: Environment, name: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== 'win32') {
    return environment[name];
  }
  const present = Object.keys(environment).find((each) => each.toUpperCase() === name.toUpperCase());
  return present === undefined ? undefined : environment[present];
}

/**
 * Read by loaders, shells, interpreters, compilers and package runners of what else they shall run, load or trust, or by any program of where it finds
 * its settings and through whom it talks to the network.
 */
const STEERING = new RegExp(
  `^(?:${[
    'PATH|PATHEXT|COMSPEC|SYSTEMROOT|WINDIR|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|PROGRAMDATA|APPDATA|LOCALAPPDATA|XDG_.*|TMPDIR|TEMP|TMP',
    'SHELL|SHELLOPTS|BASHOPTS|BASH_ENV|BASH_FUNC_.*|BASH_LOADABLES_PATH|ENV|IFS|CDPATH|PS[0-4]|PROMPT_COMMAND|ZDOTDIR|FPATH|INPUTRC|EDITOR|VISUAL|(?:GH_|MAN|SYSTEMD_)?PAGER|LESSOPEN|LESSCLOSE|BROWSER|TERMINFO.*',
    'LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_CONF|ELECTRON_.*|VSCODE_.*|NODE_.*|NPM_CONFIG_.*|YARN_.*|PNPM_.*|COREPACK_.*|BUN_.*|DENO_.*|UV_.*|PIP_.*|PIPX_.*|CONDA_.*',
    'PYTHON.*|PERL.*|RUBY(?:OPT|LIB|PATH|SHELL)|GEM_(?:HOME|PATH|SPEC_CACHE|SKIP)|BUNDLE_(?:GEMFILE|PATH|APP_CONFIG|USER_CONFIG|BIN.*|WITH.*)|LUA_(?:INIT|PATH|CPATH).*|PHPRC|PHP_INI_SCAN_DIR|R_(?:PROFILE|ENVIRON|LIBS|HOME).*|JULIA_.*',
    'JAVA_HOME|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|(?:MAVEN|GRADLE|SBT|JAVA|KOTLIN|SCALA)_OPTS|GRADLE_USER_HOME|M2_HOME|DOTNET_.*|COR_.*|CORECLR_.*|PSMODULEPATH',
    'CARGO(?:|_HOME|_INSTALL_ROOT|_ALIAS_.*|_BUILD_.*|_TARGET_.*|_ENCODED_RUSTFLAGS|_HTTP_.*|_NET_.*|_SOURCE_.*)|RUSTC.*|RUST(?:DOC)?FLAGS|RUSTUP_.*|RUSTDOC.*|GO(?:FLAGS|PATH|ROOT|BIN|ENV|PROXY|TOOLCHAIN|NOSUMDB|SUMDB|INSECURE|NOSUMCHECK|PRIVATE|NOPROXY)|CGO_.*|CC|CXX|LD|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS',
    'GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|EXEC_PATH|CONFIG.*|EDITOR|SEQUENCE_EDITOR|PAGER|ASKPASS|PROXY_COMMAND|EXTERNAL_DIFF|TEMPLATE_DIR|DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_.*|ALLOW_PROTOCOL|SSL_.*|PROXY_.*|HTTP_.*)|SSH_(?:ASKPASS.*|AUTH_SOCK)|GNUPGHOME|DOCKER_(?:HOST|CONFIG|CONTEXT|CERT_PATH|TLS_VERIFY)|KUBECONFIG',
    // Who stands between a program and the network, and whom it believes
    '(?:HTTPS?|FTP|ALL|NO|SOCKS|SOCKS5|WSS?|RSYNC|GLOBAL_AGENT_HTTPS?|GLOBAL_AGENT_NO)_PROXY|CURL_HOME|WGETRC|RES_OPTIONS|LOCALDOMAIN|HOSTALIASES',
    'OPENSSL_.*|SSL_CERT_(?:FILE|DIR)|SSLKEYLOGFILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|AWS_CA_BUNDLE|(?:[A-Z]+_)?EXTRA_CA_CERTS|(?:[A-Z]+_)?TLS_REJECT_UNAUTHORIZED|PERL_LWP_SSL_.*|AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE)',
  ].join('|')})$`,
  'i',
);

/** True for variables that decide which programs run or what they load: nothing an agent may name for its sign-in. */
export function isSteeringVariable(name: string): boolean {
  return STEERING.test(name);
}
