/** The environment inside a sandbox. Pure. */
import type { Environment } from '../util/environment';

/** Variables that lead to programs outside: agents for keys, the desktop, terminals, editors, containers. */
const OUTSIDE =
  /^(?:SSH_(?:AUTH_SOCK|AGENT_PID|ASKPASS)|GPG_AGENT_INFO|DBUS_\w+|DISPLAY|WAYLAND_\w+|XAUTHORITY|XDG_RUNTIME_DIR|SESSION_MANAGER|GNOME_\w+|TMUX\w*|STY|DOCKER_HOST|CONTAINER_HOST|BROWSER|GIT_ASKPASS|VSCODE_\w+|ELECTRON_\w+|NVIM\w*|KITTY_\w+|WEZTERM_\w+|ALACRITTY_\w+|WSL_INTEROP|INVOCATION_ID|NOTIFY_SOCKET)$/;
const SOCKET = /^unix:|^\/run\/|^\/var\/run\/|\.sock(?:et)?$/;

export interface InsideOptions {
  /** The URL of the proxy; undefined without a network. */
  readonly proxy: string | undefined;
  /** The folder for temporary files inside. */
  readonly temporary: string;
  /** The folder for the caches of package managers. */
  readonly cache: string;
}

/** Returns the environment of a sandboxed program: no way to programs outside, the proxy, and caches that nothing outside uses. */
export function insideEnvironment(environment: Environment, { proxy, temporary, cache }: InsideOptions): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !OUTSIDE.test(name) && !SOCKET.test(value) && !/^(?:https?|all|no|ftp)_proxy$/i.test(name)) {
      kept[name] = value;
    }
  }
  const variables: Record<string, string> = {
    ACP_HOST_SANDBOX: '1',
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    npm_config_cache: `${cache}/npm`,
    YARN_CACHE_FOLDER: `${cache}/yarn`,
    BUN_INSTALL_CACHE_DIR: `${cache}/bun`,
    UV_CACHE_DIR: `${cache}/uv`,
    PIP_CACHE_DIR: `${cache}/pip`,
    GOCACHE: `${cache}/go-build`,
  };
  const network: Record<string, string> =
    proxy === undefined
      ? {}
      : {
          ...Object.fromEntries(
            ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [name, proxy]),
          ),
          NO_PROXY: 'localhost,127.0.0.1,::1',
          no_proxy: 'localhost,127.0.0.1,::1',
          // Node's own `fetch` uses a proxy only with this.
          NODE_USE_ENV_PROXY: '1',
        };
  return { ...kept, ...variables, ...network };
}
