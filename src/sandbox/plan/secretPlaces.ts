/** Places in the home folder that a sandbox does not let a process read. Pure data. */

/** Folders and files with keys, sign-ins or data of other programs. Many of the folders also contain sockets of programs outside the sandbox. */
export const SECRET_PLACES: readonly string[] = [
  // Keys, and the sign-ins of tools.
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/gh', '.config/hub', '.config/glab-cli'],
  ...['.config/op', '.password-store', '.config/doctl', '.oci', '.terraform.d', '.vault-token', '.pgpass', '.my.cnf', '.git-credentials'],
  ...['.config/git/credentials', '.cargo/credentials', '.cargo/credentials.toml', '.m2/settings.xml', '.gem/credentials', '.fly'],
  ...['.config/rclone', '.config/sops', '.config/age', '.config/containers', '.databrickscfg', '.snowflake', '.config/configstore'],
  // Keyrings and password managers.
  ...['.local/share/keyrings', '.local/share/kwalletd', 'Library/Keychains', '.config/1Password', '.config/Bitwarden', '.config/keepassxc'],
  // Browsers and mail.
  ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/google-chrome-beta', '.config/chromium', '.config/BraveSoftware'],
  ...['.config/microsoft-edge', '.config/vivaldi', '.config/opera', 'snap/firefox', 'snap/chromium', '.var/app', '.zen', '.librewolf'],
  ...['Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox', 'Library/Safari', 'Library/Cookies'],
  ...['Library/Mail', 'Library/Messages', 'Library/Application Support/BraveSoftware', 'Library/Application Support/Microsoft Edge'],
  // Editors: their databases, secrets and sockets. A socket would let a process open files and run commands outside.
  ...['.config/Code', '.config/Code - Insiders', '.config/VSCodium', '.config/Code - OSS', '.config/Cursor', '.config/Windsurf'],
  ...['.vscode-server/data', '.vscode-server-insiders/data', '.vscode-server-oss/data', '.cursor-server/data', '.vscode-remote/data'],
  ...['Library/Application Support/Code', 'Library/Application Support/Code - Insiders', 'Library/Application Support/Cursor'],
  // Sockets of virtual machines and containers.
  ...['.colima', '.lima', '.rd', '.orbstack', '.local/share/containers/podman', '.minikube'],
  // Histories of shells.
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.lesshst'],
];

/** Configuration files with secrets, which tools read at each start. They are empty in a sandbox. */
export const EMPTIED_FILES: readonly string[] = ['.netrc', '.npmrc', '.pypirc', '.yarnrc.yml', '.config/pip/pip.conf', '.pip/pip.conf'];
